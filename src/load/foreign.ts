import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";

/** To do about a file that is no state file. */
export const adviseImport =
  "If another tool wrote it: gate-sync import FILE --out FOLDER. Else take it out of `state`.";

/** An error where a document belongs to another product that is easily taken for this one. */
export function refuseForeignDocument(root: MapNode): Diagnostic | undefined {
  for (const { test, what, fix } of products) {
    const range = test(root);
    if (!range) continue;
    const why = "Nothing in it can be compared with this server, so nothing of it is used.";
    return createDiagnostic(range, "foreign-product", { what, why, fix });
  }
  return undefined;
}

interface OtherProduct {
  /** Where it shows; undefined for a document that is something else. */
  readonly test: (root: MapNode) => SourceRange | undefined;
  readonly what: string;
  readonly fix: string;
}

const products: readonly OtherProduct[] = [
  {
    test: (root) =>
      isText(root, "kind") && isText(root, "apiVersion") ? findMapEntry(root, "apiVersion")?.keyRange : undefined,
    what: "This is a Kubernetes object, not a state file.",
    fix: adviseImport,
  },
  {
    test: (root) => firstPlace(root, isElasticsearchRole),
    what: "This is a role of Elasticsearch's own security, which this server does not read.",
    fix: "Translate it: names becomes index_patterns, privileges becomes allowed_actions.",
  },
  {
    test: (root) =>
      firstPlace(
        root,
        (body) => findMapEntry(body, "rules") !== undefined && findMapEntry(body, "roles") !== undefined,
      ),
    what: "This is a role mapping of Elasticsearch's own security, which this server does not read.",
    fix: "Translate it: rules become users, backend_roles or hosts of the mapping of each role.",
  },
  {
    test: (root) => {
      const files = /(^|\/)role_mapping\.ya?ml$/.test(root.file.path);
      return files
        ? firstPlace(root, (body) => body.kind === "list" && body.items.some(isDistinguishedName))
        : undefined;
    },
    what: "This is role_mapping.yml of Elasticsearch's own security, which this server does not read.",
    fix: "Translate it: each list becomes the backend_roles or users of a role mapping.",
  },
  {
    test: (root) => (/(^|\/)(values[^/]*)\.ya?ml$/.test(root.file.path) ? root : undefined),
    what: "This is a file of a Helm chart, not a state file.",
    fix: adviseImport,
  },
];

/** `indices: [{names: …, privileges: …}]`, where this server has `index_permissions` or a map of patterns. */
function isElasticsearchRole(body: Node): boolean {
  const indices = findMapEntry(body, "indices")?.value;
  const named =
    indices?.kind === "list" &&
    indices.items.some((item) => findMapEntry(item, "names") ?? findMapEntry(item, "privileges"));
  // `privileges` below a pattern is no document type.
  const below = indices?.kind === "map" && indices.entries.some(({ value }) => findMapEntry(value, "privileges"));
  return named || below || findMapEntry(body, "privileges") !== undefined || findMapEntry(body, "run_as") !== undefined;
}

/** Two roles may be called kind and apiVersion. */
function isText(root: MapNode, key: string): boolean {
  const value = findMapEntry(root, key)?.value;
  return value?.kind === "scalar" && value.value !== null;
}

function isDistinguishedName(node: Node): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && /^[a-z]+=/i.test(node.value);
}

function firstPlace(root: MapNode, test: (body: Node) => boolean): SourceRange | undefined {
  return root.entries.find(({ value }) => test(value))?.keyRange;
}
