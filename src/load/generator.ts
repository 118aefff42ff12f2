// `generate:` of a state file: families that are written once, and generated for each item of a list or map.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isResourceFamily } from "../model/names.ts";
import { findMapEntry, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import { recordSecretKeys } from "../secrets/secret-keys.ts";
import { guessEntryKind, isBareBody } from "./evidence.ts";
import { expandTemplates } from "./expand.ts";
import {
  createBadNameMessage,
  createEmptyWarning,
  createMissingKeyMessage,
  createNoEntriesMessage,
  createNoGeneratorMessage,
  createNoTemplateMessage,
  createUnknownKeyMessage,
} from "./generator-messages.ts";
import { isHeader, parseHeader } from "./header.ts";
import { findItems, type ItemFiles } from "./items.ts";
import type { Lookups } from "./reference-text.ts";
import { resolveReferences } from "./references.ts";

export const generatorKey = "generate";

/** The document without its generator, and that; `rest` is absent where there is nothing else. */
export function takeGenerator(root: Node): { readonly rest?: Node; readonly generator?: MapEntry } {
  const generator = findMapEntry(root, generatorKey);
  if (root.kind !== "map" || !generator || !isGenerator(generator, root)) return { rest: root };
  const entries = root.entries.filter((entry) => entry !== generator);
  return { generator, ...(!entries.every(isHeader) && { rest: { ...root, entries } }) };
}

/** A role may have that name, too: in a file as the servers' own tools keep it. */
function isGenerator({ value }: MapEntry, root: MapNode): boolean {
  if (parseHeader(root) !== undefined) return false;
  if (findMapEntry(value, "for_each") || findMapEntry(value, "as")) return true;
  const isBeside = root.entries.some(({ key }) => isResourceFamily(key));
  if (value.kind !== "map" || value.entries.length === 0) return isBeside || root.entries.length === 1;
  return guessEntryKind(value) === undefined && !isBareBody(value);
}

export interface Generated {
  /** Families with their entries; absent where there are none. */
  readonly root?: MapNode;
  readonly diagnostics: readonly Diagnostic[];
  /** The file of items, as an absolute path. */
  readonly itemFile?: string;
}

/**
 * What a generator comes to: the families with one entry for each item and template.
 *
 * @param written with its references
 */
export function expandGenerator({ keyRange, value }: MapEntry, lookups: Lookups, files: ItemFiles): Generated {
  if (value.kind !== "map") return { diagnostics: [createNoGeneratorMessage(keyRange)] };
  const [forEach, as] = ["for_each", "as"].map((key) => findMapEntry(value, key));
  const name = as && readName(as.value);
  const families = value.entries.filter(({ key }) => isResourceFamily(key));
  const problems = [
    ...findFaults(value, families),
    ...(forEach ? [] : [createMissingKeyMessage(keyRange, "for_each")]),
  ];
  if (!as) problems.push(createMissingKeyMessage(keyRange, "as"));
  else if (name === undefined) problems.push(createBadNameMessage(as.value));
  else if (families.length === 0) problems.push(createNoTemplateMessage(keyRange));
  const found = forEach ? findItems(forEach.value, lookups, files) : { diagnostics: [] };
  const templates = value.entries.filter((entry) => entry.key === "when" || families.includes(entry));
  const resolved = resolveReferences({ ...value, entries: templates }, { ...lookups, each: "leave" });
  const diagnostics = [...problems, ...found.diagnostics, ...resolved.diagnostics];
  const itemFile = found.path === undefined ? {} : { itemFile: found.path };
  // What is wrong with a template is not to be reported for each item again.
  const isBroken = resolved.diagnostics.some(({ code }) => code !== "unset-secret" && code !== "outside-repository");
  if (problems.length > 0 || isBroken || !found.items || name === undefined || !forEach)
    return { diagnostics, ...itemFile };
  const secretKeys = listKeysOfSecrets(resolved.node);
  for (const { value: item } of found.items) recordSecretKeys(item.file, secretKeys);
  if (found.items.length === 0) diagnostics.push(createEmptyWarning(forEach.value));
  const generated = expandTemplates(resolved.node as MapNode, name, found.items);
  return {
    diagnostics: [...diagnostics, ...generated.diagnostics],
    ...itemFile,
    ...(generated.root.entries.length > 0 && { root: generated.root }),
  };
}

/** Of `password: ${each:user.pw}` it is `pw`: what an item has there is a secret, though none belongs there. */
function listKeysOfSecrets(node: Node): readonly string[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") return node.items.flatMap(listKeysOfSecrets);
  return node.entries.flatMap(({ key, value }) =>
    isSecretKey(key)
      ? [...value.file.text.slice(value.start, value.end).matchAll(/\$\{each:[^{}]*?([^{}.]+)\}/g)].map(
          ([, last = ""]) => last,
        )
      : listKeysOfSecrets(value),
  );
}

function findFaults({ entries }: MapNode, families: readonly MapEntry[]): Diagnostic[] {
  return entries.flatMap((entry) => {
    if (["for_each", "as", "when"].includes(entry.key)) return [];
    if (!families.includes(entry)) return [createUnknownKeyMessage(entry)];
    return entry.value.kind === "map" && entry.value.entries.length > 0 ? [] : [createNoEntriesMessage(entry)];
  });
}

function readName(node: Node): string | undefined {
  const isName = node.kind === "scalar" && typeof node.value === "string" && /^[A-Za-z][\w-]*$/.test(node.value);
  return isName ? String(node.value) : undefined;
}
