import { createBuiltins } from "../dialects/builtin/index.ts";
import { createDialect } from "../dialects/index.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { Product } from "../model/plan.ts";
import type { Repository, StateDocument } from "../model/repository.ts";

/** Which product files are written for, and what in them shows it. */
export interface ProductEvidence {
  readonly product: Product;
  /** Where they show that as well. */
  readonly release?: string;
  /** `roles.yml: _sg_meta`. */
  readonly evidence: string;
}

interface Found {
  readonly product: Product;
  readonly what: string;
  /** `proof` settles it, and `sign` does where there is none; an `aside` only speaks against other products. */
  readonly weight: "proof" | "sign" | "aside";
}

/** Undefined where nothing in the files distinguishes the products, or where they contradict each other. */
export function findProductEvidence({ documents }: Repository): ProductEvidence | undefined {
  const found = [...documents.flatMap((document) => inDocument(document, documents)), ...inUsers(documents)];
  const proofs = found.filter(({ weight }) => weight === "proof");
  const [first, ...others] = proofs.length > 0 ? proofs : found;
  if (!first || others.some(({ product }) => product !== first.product)) return undefined;
  if (found.every(({ weight }) => weight === "aside")) return undefined;
  const release = first.product === "search-guard" ? findSearchGuardRelease(documents)?.release : undefined;
  return { product: first.product, evidence: first.what, ...(release && { release }) };
}

/** The release of Search Guard whose fields or form files have; undefined where nothing in them distinguishes it from 7. */
export function findSearchGuardRelease(
  documents: readonly StateDocument[],
): Required<Pick<ProductEvidence, "release" | "evidence">> | undefined {
  const field = findFieldOfFlx(documents);
  if (field !== undefined) return { release: "FLX", evidence: field };
  const six = documents.find(isOfSix);
  // Files may have kept the form of 6 in one entry for years.
  if (documents.some(isSinceSeven)) return undefined;
  return six && { release: "6", evidence: `${six.file.path}: ${formOfSix}` };
}

const formOfSix = "the form of release 6";

/** A field that FLX alone has: `roles.yml: alias_permissions`. */
function findFieldOfFlx(documents: readonly StateDocument[]): string | undefined {
  for (const { file, sections } of documents)
    for (const { family, entries } of sections) {
      const own = family === "roles" ? rolesOfFlx : family === "role_mappings" ? ["ips"] : [];
      const field = own.find((one) => entries.some(({ value }) => findMapEntry(value, one)));
      if (field !== undefined) return `${file.path}: ${field}`;
    }
  return undefined;
}

const rolesOfFlx = ["alias_permissions", "data_stream_permissions"];

function inDocument(document: StateDocument, all: readonly StateDocument[]): readonly Found[] {
  const { file, root, sections } = document;
  const at = (product: Product, what: string, weight: Found["weight"] = "proof"): Found => ({
    product,
    what: `${file.path}: ${what}`,
    weight,
  });
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const keys = root.kind === "map" ? root.entries.map(({ key }) => key) : [];
  // The documented API has these families, too.
  const notOpenSearch = sections.filter(({ family }) => family === "blocks" || family === "license");
  return [
    ...headers.flatMap(([key, product]) => (keys.includes(key) ? [at(product, key)] : [])),
    ...(/^sg_/.test(name) ? [at("search-guard", "the name of the file")] : []),
    ...(/^gate_/.test(name) ? [at("gate", "the name of the file")] : []),
    ...(/^(opensearch|opendistro)_security_/.test(name) ? [at("opensearch", "the name of the file")] : []),
    // gate-sync itself suggests this header to everybody, and writes it above an imported config.
    ...(keys.includes("_meta") && sections.some(({ family }) => family !== "config")
      ? [at("opensearch", "_meta", "sign")]
      : []),
    ...notOpenSearch.map(({ family }) => at("search-guard", family, "aside")),
    ...(isOfSix(document) ? [at("search-guard", formOfSix, "sign")] : []),
    ...namesIn(document, all).flatMap((text) => {
      const product = productOf(text);
      return product ? [at(product, text)] : [];
    }),
  ];
}

const headers: readonly (readonly [string, Product])[] = [
  ["_sg_meta", "search-guard"],
  ["_gate_meta", "gate"],
];

/** What one name or permission shows. */
function productOf(text: string): Product | undefined {
  if (/^SGS_|^sg_|^searchguard/.test(text)) return "search-guard";
  if (/open_?distro|^\.opensearch|^cluster:admin\/opensearch|^restapi:admin\//.test(text)) return "opensearch";
  return builtIn().has(text) ? "opensearch" : undefined;
}

let known: ReadonlySet<string> | undefined;

/** Names of OpenSearch alone: those of Search Guard begin with SGS_, of Search Guard 6 with sg_ or are all upper case. */
function builtIn(): ReadonlySet<string> {
  if (known) return known;
  const { roles, action_groups: groups } = createBuiltins(createDialect("opensearch", "3"));
  known = new Set([...roles.keys(), ...groups.keys()]);
  return known;
}

/** What documents name and do not declare: built-in roles that are mapped, built-in groups among actions, patterns. */
function namesIn({ sections }: StateDocument, all: readonly StateDocument[]): readonly string[] {
  const names = new Set<string>();
  const declared = (family: "roles" | "action_groups") => declaredIn(all, family);
  for (const { family, entries } of sections) {
    if (family === "role_mappings") {
      for (const { key } of entries) if (!declared("roles").has(key)) names.add(key);
    }
    if (family !== "roles" && family !== "action_groups") continue;
    const groups = declared("action_groups");
    for (const { value } of entries) for (const text of textsIn(value)) if (!groups.has(text)) names.add(text);
  }
  return [...names];
}

const declaredNames = new WeakMap<readonly StateDocument[], Map<string, ReadonlySet<string>>>();

function declaredIn(all: readonly StateDocument[], family: string): ReadonlySet<string> {
  const byFamily = declaredNames.get(all) ?? new Map<string, ReadonlySet<string>>();
  declaredNames.set(all, byFamily);
  const found =
    byFamily.get(family) ??
    new Set(
      all.flatMap(({ sections }) =>
        sections.flatMap((section) => (section.family === family ? section.entries.map(({ key }) => key) : [])),
      ),
    );
  byFamily.set(family, found);
  return found;
}

/** Members of lists: permissions, names of groups and patterns; of 6.x, where they are keys, these too. */
function textsIn(node: Node): readonly string[] {
  switch (node.kind) {
    case "scalar":
      return [];
    case "list":
      return node.items.flatMap((item) =>
        item.kind === "scalar" ? (typeof item.value === "string" ? [item.value] : []) : textsIn(item),
      );
    case "map":
      return node.entries.flatMap(({ value }) => textsIn(value));
  }
}

/** By what 7 calls otherwise, or has as a list. Roles of Elasticsearch have `cluster`, too, with a list of indices. */
function isOfSix({ sections }: StateDocument): boolean {
  return sections.some(({ family, entries }) =>
    entries.some(({ value }) => {
      if (value.kind !== "map") return false;
      const has = (key: string) => findMapEntry(value, key) !== undefined;
      const indices = findMapEntry(value, "indices")?.value;
      if (family === "roles") return indices ? indices.kind === "map" : has("cluster");
      if (family === "role_mappings") return has("backendroles");
      return family === "action_groups" && has("permissions");
    }),
  );
}

/** By what 6 lacks, or calls otherwise. */
function isSinceSeven({ sections }: StateDocument): boolean {
  return sections.some(
    ({ family, entries }) =>
      family === "tenants" ||
      family === "blocks" ||
      entries.some(({ value }) => (sinceSeven[family] ?? []).some((field) => findMapEntry(value, field))),
  );
}

const sinceSeven: Readonly<Partial<Record<string, readonly string[]>>> = {
  roles: ["cluster_permissions", "index_permissions", "tenant_permissions", "description"],
  role_mappings: ["backend_roles", "and_backend_roles", "description"],
  action_groups: ["allowed_actions", "type", "description"],
};

function inUsers(documents: readonly StateDocument[]): readonly Found[] {
  const users = documents.flatMap(({ sections }) =>
    sections.flatMap(({ family, entries }) => (family === "internal_users" ? entries : [])),
  );
  const found = (field: string, product: Product): readonly Found[] =>
    users.some(({ value }) => findMapEntry(value, field))
      ? [{ product, what: `internal users: ${field}`, weight: "proof" }]
      : [];
  return [...found("opendistro_security_roles", "opensearch"), ...found("search_guard_roles", "search-guard")];
}
