import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getNoun } from "../families/index.ts";
import { sixWordOf } from "../families/six-words.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, type MapEntry, type Node } from "../model/node.ts";
import type { Section } from "../model/repository.ts";

const sixWords: ReadonlySet<string> = new Set(Object.values(sixWordOf));
const sevenWords: ReadonlySet<string> = new Set([
  ...Object.keys(sixWordOf),
  "static",
  "exclude_cluster_permissions",
  "exclude_index_permissions",
  "alias_permissions",
  "data_stream_permissions",
]);

/**
 * Whether a section is written as 6.x had it, whose loaders took a single value for a list: a native file without
 * the header of 7.x in which no entry uses a word of 7.x.
 */
export function isSixForm({ document, entries }: Section): boolean {
  if (document.form !== "native" || hasHeader(document.root)) return false;
  return !entries.some(({ value }) => usesAny(value, sevenWords));
}

/** Whether one entry is written in words of 6.x and in none of 7.x. */
export function isSixEntry(body: Node): boolean {
  return usesAny(body, sixWords) && !usesAny(body, sevenWords);
}

/** Words of both versions in one entry, and two spellings of one list. */
export function findMixedFormats(family: ResourceFamily, { key, value }: MapEntry): readonly Diagnostic[] {
  if (value.kind !== "map") return [];
  const six = value.entries.find((entry) => sixWords.has(entry.key));
  if (!six) return [];
  const subject = `The ${getNoun(family)} ${JSON.stringify(key)}`;
  const twice = Object.entries(sixWordOf).flatMap(([seven, old]) => twiceWritten(subject, value, old, seven));
  if (twice.length > 0) return twice;

  const seven = value.entries.find((entry) => sevenWords.has(entry.key));
  if (!seven) return [];
  const modern = Object.entries(sixWordOf).find(([, old]) => old === six.key)?.[0] ?? seven.key;
  return [
    createDiagnostic(six.keyRange, "mixed-format", {
      what: `${subject} mixes "${six.key}" of 6.x with "${seven.key}" of 7.x.`,
      why: "gate-sync reads both, but the server's own tools refuse such a file.",
      fix: `Write "${modern}" instead of "${six.key}".`,
    }),
  ];
}

/** Entries written as 6.x had them, below a header of 7.x: one message for all of a file. */
export function findSixUnderHeader({ family, document, entries }: Section): readonly Diagnostic[] {
  const version = headerVersion(document.root);
  if (document.form !== "native" || version === undefined || version < 2) return [];
  const old = entries.filter(({ value }) => isSixEntry(value));
  const [first] = old;
  const word = first?.value.kind === "map" ? first.value.entries.find(({ key }) => sixWords.has(key)) : undefined;
  if (!first || !word || !isResourceFamily(family)) return [];
  const modern = Object.entries(sixWordOf).find(([, six]) => six === word.key)?.[0] ?? "";
  const others =
    old.length > 1 ? ` So ${old.length > 2 ? `are ${old.length - 1} others` : "is one other"} in this file.` : "";
  return [
    createDiagnostic(word.keyRange, "mixed-format", {
      what: `The ${getNoun(family)} ${JSON.stringify(first.key)} is written as in 6.x ("${word.key}"), below a header of 7.x.${others}`,
      why: "gate-sync reads it as 6.x had it, but the server's own tools refuse such a file.",
      fix: `Write "${modern}" instead of "${word.key}".`,
    }),
  ];
}

function headerVersion(root: Node): number | undefined {
  const header = root.kind === "map" ? root.entries.find(({ key }) => /^_(\w+_)?meta$/.test(key))?.value : undefined;
  const version = header && findMapEntry(header, "config_version")?.value;
  return version?.kind === "scalar" && version.value !== null ? Number(version.value) : undefined;
}

function twiceWritten(subject: string, body: Node, six: string, seven: string): readonly Diagnostic[] {
  const [old, modern] = [findMapEntry(body, six), findMapEntry(body, seven)];
  // Flags are no lists: one beside the other is merely a mix.
  if (!old || !modern || seven === "reserved" || isEmpty(old.value) || isEmpty(modern.value)) return [];
  return [
    createDiagnostic(
      old.keyRange,
      "mixed-format",
      {
        what: `${subject} has both "${six}" and "${seven}", two spellings of one thing.`,
        why: "Whether one replaces the other or adds to it would be a guess.",
        fix: `Put all of it under "${seven}".`,
        related: [{ range: modern.keyRange, what: "the other format" }],
      },
      "error",
    ),
  ];
}

function isEmpty(node: Node): boolean {
  if (node.kind === "scalar") return node.value === null;
  return (node.kind === "list" ? node.items : node.entries).length === 0;
}

function usesAny(body: Node, words: ReadonlySet<string>): boolean {
  return body.kind === "map" && body.entries.some(({ key }) => words.has(key));
}

function hasHeader(root: Node): boolean {
  return root.kind === "map" && root.entries.some(({ key }) => /^_(\w+_)?meta$/.test(key));
}
