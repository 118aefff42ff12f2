import type { ReferenceEntry, ReferenceGroup } from "../../model/reference.ts";
import { flowItems, joinLines, padEnd, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";
import { renderGuideText } from "./guide.ts";

const headings: Readonly<Record<ReferenceGroup, string>> = {
  codes: "Codes of messages about files",
  rules: "Lint rules: what does something else than it seems to",
  guards: "Guards: what refuses a plan",
  exits: "Exit codes",
  keys: "Keys of gate-sync.yaml and of state files",
  topics: "Topics: guides to read",
};

/** Names with one line each, group by group. Of keys only the names: their texts are long. */
export function renderReferenceText(entries: readonly ReferenceEntry[], style: Style): string {
  const groups = Object.entries(headings).flatMap(([group, heading]) => {
    const own = entries.filter((entry) => entry.group === group);
    if (own.length === 0) return [];
    return [[`${paint(heading, "strong", style)} (gate-sync explain ${group})`, ...groupLines(own, style)]];
  });
  const last = "gate-sync explain NAME says more of one: what is wrong, why it matters, what to do.";
  return [...groups.map(joinLines), joinLines(wrap(last, style.width))].join("\n\n");
}

function groupLines(entries: readonly ReferenceEntry[], style: Style): readonly string[] {
  const names = entries.map(({ name }) => name);
  if (entries[0]?.group === "keys") return keyLines(entries, style);
  const column = Math.max(...names.map(({ length }) => length)) + 4;
  return entries.flatMap(({ name, title }) => {
    const [first = "", ...more] = wrap(title, style.width - column);
    return [padEnd(`  ${name}`, column) + first, ...more.map((line) => " ".repeat(column) + line)];
  });
}

/** The keys of one map in one paragraph. */
function keyLines(entries: readonly ReferenceEntry[], style: Style): readonly string[] {
  const byMap = new Map<string, string[]>();
  for (const { name, facts } of entries) {
    const dot = name.lastIndexOf(".");
    const map = dot === -1 ? (facts.in ?? "") : name.slice(0, dot);
    byMap.set(map, [...(byMap.get(map) ?? []), name.slice(dot + 1)]);
  }
  return [...byMap].flatMap(([map, [first = "", ...others]]) =>
    flowItems([`  ${map}: ${first}`, ...others], ", ", style.width, 4),
  );
}

/** Each in a block: its name, what it is, why it matters, what to do. The same of several keys is shown once. */
export function renderEntriesText(entries: readonly ReferenceEntry[], style: Style): string {
  const alike = new Map<string, ReferenceEntry[]>();
  for (const entry of entries) {
    const { group, title, facts, guide } = entry;
    const same = JSON.stringify([group, title, facts, guide]);
    alike.set(same, [...(alike.get(same) ?? []), entry]);
  }
  return [...alike.values()].map((same) => entryBlock(same, style)).join("\n\n");
}

function entryBlock(entries: readonly ReferenceEntry[], style: Style): string {
  const [entry] = entries;
  if (entry === undefined) return "";
  const { title, facts, guide } = entry;
  if (guide !== undefined) return renderGuideText(guide, style);
  const column = Math.max(...Object.keys(facts).map(({ length }) => length)) + 2;
  return joinLines([
    ...entries.map(({ name }) => paint(name, "strong", style)),
    ...wrap(withFullStop(title), style.width - 2).map((line) => `  ${line}`),
    ...Object.entries(facts).flatMap(([label, text]) =>
      wrap(text, style.width - 2 - column).map(
        (line, index) => `  ${padEnd(index === 0 ? label.replaceAll("_", " ") : "", column)}${line}`,
      ),
    ),
  ]);
}

function withFullStop(title: string): string {
  return title.endsWith(".") ? title : `${title}.`;
}
