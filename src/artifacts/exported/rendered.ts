import { createHeader } from "../../load/header.ts";
import { escapeReferences } from "../../load/reference-text.ts";
import { type WritableNode, writeYaml } from "../../load/yaml.ts";
import type { RenderedDocument, RenderedEntry, RenderedOverride, RenderedState } from "../../model/rendered-state.ts";
import { escapeInvisible, formatName } from "../../render/escape.ts";
import { wrap } from "../../render/layout.ts";
import { formatPlace } from "../../render/views/place.ts";
import type { NewFile } from "../durable.ts";

/** State files as one stream of YAML documents, in parts; comments say where each entry and each overridden field is from. */
export function* renderStateYaml({ target, evaluatedFor, leftOut, documents }: RenderedState): Iterable<string> {
  const head = [
    `The state of the target ${formatName(target)}, for ${evaluatedFor}.`,
    ...(leftOut.length === 0 ? [] : ["Left out:", ...leftOut.map((part) => `- ${part}`)]),
  ];
  yield comment(
    "",
    head.flatMap((line) => wrap(escapeInvisible(line), width, 2)),
  );
  for (const document of documents) yield* renderDocument(document);
}

/** One document as a file of its own. */
export function renderStateFile(document: RenderedDocument, head: string): NewFile {
  const [, ...parts] = renderDocument(document);
  return { name: `${document.key}.yml`, text: comment("", wrap(escapeInvisible(head), width, 2)) + parts.join("") };
}

/** Of a line of comment, in columns. */
const width = 78;

function* renderDocument({ key, header, entries }: RenderedDocument): Iterable<string> {
  yield "---\n";
  const isSingle = key === "config" || key === "license";
  const isNameless = entries.every(({ name }) => name === undefined);
  if (header !== undefined) yield `${createHeader(key, header)}\n`;
  if (isSingle) {
    for (const entry of entries) yield provenance("", entry) + writeYaml(new Map([[key, entry.value]]));
    return;
  }
  if (entries.length === 0) return yield writeYaml(new Map([[key, {}]]));
  const isBelow = header === undefined;
  if (isBelow) yield `${key}:\n`;
  const indent = isBelow ? "  " : "";
  for (const entry of entries) {
    const value: WritableNode = isNameless
      ? [entry.value]
      : new Map([[escapeReferences(entry.name ?? ""), entry.value]]);
    yield provenance(indent, entry);
    yield isBelow ? writeYaml(new Map([[key, value]])).slice(key.length + 2) : writeYaml(value);
  }
}

function provenance(indent: string, { origin, overrides }: RenderedEntry): string {
  return comment(indent, [formatPlace({ origin }), ...overrides.map(describeOverride)]);
}

function describeOverride({ path, does, place }: RenderedOverride): string {
  const sign = { replace: "", add: "+", remove: "-" }[does];
  return `${escapeInvisible(`${sign}${path.join(".")}`)}: ${formatPlace({ origin: place })}`;
}

function comment(indent: string, lines: readonly string[]): string {
  return lines.map((line) => `${indent}# ${line}\n`).join("");
}
