import { posix } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { findMapEntry, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { parseConfigFile } from "./config-document.ts";
import type { ReadConfigured } from "./configured-file.ts";

/** What an inventory may say of a target: where it is and what it is, never how to log in. */
const inventoryKeys = ["url", "product", "release", "vars", "state"];

/**
 * gate-sync.yaml with the targets of the file that it names as `targets_from` among its own. Another program writes that file,
 * so it says where clusters are and what they are, and nothing that decides over credentials.
 *
 * @param root gate-sync.yaml as it is written; not yet checked
 */
export async function addInventory(
  root: Node,
  read: ReadConfigured,
): Promise<{ readonly root: Node; readonly diagnostics: readonly Diagnostic[] }> {
  const place = findMapEntry(root, "targets_from")?.value;
  if (root.kind !== "map" || place?.kind !== "scalar" || typeof place.value !== "string") {
    return { root, diagnostics: [] };
  }
  const { file, problem } = await read(place.value);
  if (problem) return { root, diagnostics: [createDiagnostic(place, problem.code, problem)] };
  const { found, diagnostics } = parseConfigFile(file);
  if (!found) return { root, diagnostics };
  const listed = found.root;
  if (listed.kind !== "map") return { root, diagnostics: [...diagnostics, noMap(listed)] };
  const written = findMapEntry(root, "targets");
  const own = written?.value.kind === "map" ? written.value : undefined;
  const targets: MapNode = { ...(own ?? listed), kind: "map", entries: [...(own?.entries ?? []), ...listed.entries] };
  const others = root.entries.filter(({ key }) => key !== "targets");
  return {
    root: { ...root, entries: [...others, { key: "targets", keyRange: written?.keyRange ?? place, value: targets }] },
    diagnostics: [
      ...diagnostics,
      ...(findMapEntry(root, "allowed_hosts") ? [] : [noAllowedHosts(place)]),
      ...listed.entries.flatMap((entry) => [...findTwice(entry, own), ...checkListed(entry)]),
    ],
  };
}

function noMap(node: Node): Diagnostic {
  return createDiagnostic(node, "wrong-type", {
    what: "An inventory of targets is a map: their names, and below each its url, product, release, vars and state.",
    why: "Which clusters it lists is unknown.",
    fix: 'Write { "prod-eu": { "url": "https://search.example:9200" } }.',
  });
}

function noAllowedHosts(place: Node): Diagnostic {
  return createDiagnostic(place, "missing-field", {
    what: "targets_from needs allowed_hosts beside it.",
    why: "Who may change that file could have our login sent to any host.",
    fix: 'List the hosts, as in allowed_hosts: ["*.search.example"].',
  });
}

function findTwice({ key, keyRange }: MapEntry, own: MapNode | undefined): readonly Diagnostic[] {
  const other = own?.entries.find((entry) => entry.key === key);
  if (!other) return [];
  return [
    {
      ...createDiagnostic(keyRange, "duplicate-key", {
        what: `The target ${JSON.stringify(key)} is in gate-sync.yaml as well.`,
        why: "Which of the two is meant is unknown.",
        fix: "Keep one of them.",
      }),
      related: [{ range: other.keyRange, what: "the other" }],
    },
  ];
}

function checkListed({ key, value }: MapEntry): readonly Diagnostic[] {
  if (value.kind !== "map") return [];
  return value.entries.flatMap((entry) =>
    inventoryKeys.includes(entry.key)
      ? [...findReferences(entry.value), ...(entry.key === "state" ? findOutside(entry.value) : [])]
      : [
          createDiagnostic(entry.keyRange, "unknown-field", {
            what: `An inventory does not say ${entry.key} of ${JSON.stringify(key)}.${suggestNearest(entry.key, inventoryKeys)}`,
            why: "How to log in, and what is managed how, is decided in gate-sync.yaml, which people review.",
            fix: `It says ${inventoryKeys.join(", ")}; write the rest under defaults of gate-sync.yaml.`,
          }),
        ],
  );
}

/** A variable, or a part of a URL, is shown and sent. */
function findReferences(node: Node): readonly Diagnostic[] {
  if (node.kind === "map") return node.entries.flatMap(({ value }) => findReferences(value));
  if (node.kind === "list") return node.items.flatMap(findReferences);
  if (typeof node.value !== "string" || !/\$\{(env|file):/.test(node.value)) return [];
  return [
    createDiagnostic(node, "misplaced-secret", {
      what: "An inventory refers to no environment variable and no file.",
      why: "Who may change it could have their contents shown, or sent.",
      fix: "Write the value itself, or define a variable in gate-sync.yaml.",
    }),
  ];
}

/** Also where a variable, which the inventory may define as well, would lead out. */
function findOutside(node: Node): readonly Diagnostic[] {
  return listTextNodes(node)
    .filter(({ value }) => /^(\/|[A-Za-z]:|-$)|\$\{/.test(value) || /^\.\.(\/|$)/.test(posix.normalize(value)))
    .map(({ place }) =>
      createDiagnostic(place, "outside-repository", {
        what: "A state path of an inventory is below the folder of gate-sync.yaml, and has no variables.",
        why: "Who may change the inventory could have other files of this machine read as state.",
        fix: "Write a path below that folder, or the state of all under defaults of gate-sync.yaml.",
      }),
    );
}

function listTextNodes(node: Node): readonly { readonly value: string; readonly place: Node }[] {
  if (node.kind === "list") return node.items.flatMap(listTextNodes);
  return node.kind === "scalar" && typeof node.value === "string" ? [{ value: node.value, place: node }] : [];
}
