// What `for_each` of a generator names: a list or map, written there, of a variable or of a file.
import { resolve } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { memoiseByObject } from "../json/memoise.ts";
import { Secret } from "../json/secret.ts";
import type { MapNode, Node, ScalarNode } from "../model/node.ts";
import { parseConfigFile } from "./config-document.ts";
import { parseCsv } from "./csv.ts";
import { createEndingMessage, createItemSecretMessage, createNoItemsMessage } from "./generator-messages.ts";
import type { ReadFiles } from "./read.ts";
import { type Lookups, resolveText } from "./reference-text.ts";
import { locateProblem, resolveReferences } from "./references.ts";
import { findWholeVariable } from "./whole-reference.ts";

/** What one entry of each template is generated for. */
export interface Item {
  readonly range: SourceRange;
  readonly value: Node;
}

/** Files of items by their absolute paths: those that were read. */
export type ItemFiles = ReadonlyMap<string, ReadFiles>;

export interface FoundItems {
  /** Absent where they are unknown. */
  readonly items?: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
  /** The file that they are in, as an absolute path. */
  readonly path?: string;
}

/** @param node as it was written */
export function findItems(node: Node, lookups: Lookups, files: ItemFiles): FoundItems {
  if (node.kind !== "scalar") return readItems(node, node, lookups);
  if (typeof node.value !== "string") return { diagnostics: [createNoItemsMessage(node, node)] };
  const variable = findWholeVariable(node.value, lookups.vars);
  // The variables of a target have their values already.
  if (variable) return listItems(variable, node);
  const { value, problems } = resolveText(node.value, { ...lookups, secrets: "leave" });
  if (problems.length > 0) return { diagnostics: problems.map((one) => locateProblem(one, node)) };
  if (value instanceof Secret) return { diagnostics: [createItemSecretMessage(node, value)] };
  return readItemsFile(value, node, lookups, files);
}

/** @param given as `for_each` has it: relative to the state file */
function readItemsFile(given: string, place: ScalarNode, lookups: Lookups, files: ItemFiles): FoundItems {
  if (!/\.(csv|ya?ml|json)$/i.test(given)) return { diagnostics: [createEndingMessage(place, given)] };
  const path = resolve(lookups.directory, given);
  const read = files.get(path);
  if (!read) return { diagnostics: [], path };
  const { file, problem } = read;
  // What is wrong with a file as a whole is shown where the file is named.
  if (problem) return { diagnostics: [problem.range ? problem : createDiagnostic(place, problem.code, problem)], path };
  const { root, diagnostics } = parseItems(file);
  if (!root) return { diagnostics, path };
  const found = readItems(root, place, { ...lookups, directory: resolve(path, "..") });
  return { ...found, diagnostics: [...diagnostics, ...found.diagnostics], path };
}

/** Several targets may share a file. */
const parseItems = memoiseByObject((file: SourceFile) =>
  /\.csv$/i.test(file.path) ? parseCsv(file) : parseYamlItems(file),
);

function parseYamlItems(file: SourceFile): {
  readonly root?: Node;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { found, diagnostics } = parseConfigFile(file);
  return { ...(found && { root: found.root }), diagnostics };
}

/** With the variables in them replaced. */
function readItems(written: Node, place: Node, lookups: Lookups): FoundItems {
  const { node, diagnostics } = resolveReferences(written, { ...lookups, secrets: "leave" });
  const secrets = listSecrets(node).map(([secret, value]) => createItemSecretMessage(secret, value));
  const problems = [...diagnostics, ...secrets];
  return problems.length > 0 ? { diagnostics: problems } : listItems(node, place);
}

function listItems(node: Node, place: Node): FoundItems {
  if (node.kind === "list")
    return { items: node.items.map((value) => ({ range: getRange(value), value })), diagnostics: [] };
  if (node.kind === "map") return { items: listMembers(node), diagnostics: [] };
  return { diagnostics: [createNoItemsMessage(place, node)] };
}

/** Of a map each item has a key and a value. */
function listMembers({ entries }: MapNode): readonly Item[] {
  return entries.map(({ key, keyRange, value }) => {
    const range = getRange(keyRange);
    const name: Node = { ...range, kind: "scalar", value: key };
    const members = [
      { key: "key", keyRange: range, value: name },
      { key: "value", keyRange: range, value },
    ];
    return { range, value: { ...range, kind: "map", entries: members } };
  });
}

function getRange({ file, start, end }: SourceRange): SourceRange {
  return { file, start, end };
}

function listSecrets(node: Node): readonly (readonly [ScalarNode, Secret])[] {
  switch (node.kind) {
    case "scalar":
      return node.value instanceof Secret ? [[node, node.value]] : [];
    case "list":
      return node.items.flatMap(listSecrets);
    case "map":
      return node.entries.flatMap(({ value }) => listSecrets(value));
  }
}
