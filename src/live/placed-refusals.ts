import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { getNoun } from "../families/index.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import type { Node } from "../model/node.ts";
import type { Operation } from "../model/operation.ts";
import type { HttpAnswer } from "../model/ports.ts";
import { parseRefusals, type Refusal } from "./refusal.ts";
import { namesSecret, repeatsSecret } from "./server-message.ts";

/** More places are no help: the first ones show the problem. */
const mostPlaces = 20;

/** An entry of the files that an operation writes. */
interface Entry {
  readonly name: string;
  /** `The role "hr_reader"`. */
  readonly subject: string;
  readonly origin: SourceRange;
  readonly node?: Node;
}

/** What a server objected to, at the places of the files that ask for it; empty where no place is known. */
export function placeRefusals(
  { body, text }: HttpAnswer,
  operation: Operation,
  desired: DesiredState,
): readonly Diagnostic[] {
  if (repeatsSecret(text, operation.body) || namesSecret(text)) return [];
  const entries = entriesOf(operation, desired);
  return parseRefusals(body)
    .flatMap((refusal) => {
      const meant = refusal.name === undefined ? entries : entries.filter(({ name }) => name === refusal.name);
      return meant.flatMap((entry) => messagesOf(refusal, entry, entries.length === 1 || refusal.name !== undefined));
    })
    .slice(0, mostPlaces);
}

function entriesOf({ family, names }: Operation, { resources, config, license }: DesiredState): readonly Entry[] {
  if (family === "config") return config ? [{ ...config, name: family, subject: "The config" }] : [];
  if (family === "license") return license ? [{ origin: license.origin, name: family, subject: "The license" }] : [];
  const declared = isResourceFamily(family) ? resources.get(family) : undefined;
  return names.flatMap((name) => {
    const found = declared?.get(name);
    return found ? [{ ...found, subject: `The ${getNoun(family)} ${JSON.stringify(name)}` }] : [];
  });
}

/** @param alone the objection is about this entry, whether or not its place can be found inside */
function messagesOf(refusal: Refusal, entry: Entry, alone: boolean): readonly Diagnostic[] {
  const ranges = entry.node ? rangesOf(refusal, entry.node) : [];
  const places = ranges.length > 0 ? ranges : alone ? [entry.origin] : [];
  return places.map((range) =>
    createDiagnostic(range, "refused-by-server", {
      what: whatOf(refusal, entry.subject),
      ...(refusal.words !== undefined &&
        refusal.words !== "" && { why: `The server says: ${refusal.words}.`.replace(/\.\.$/, ".") }),
      fix: fixes[refusal.kind],
    }),
  );
}

function whatOf({ kind, field, value }: Refusal, subject: string): string {
  const named = field === undefined ? "a field" : JSON.stringify(field);
  switch (kind) {
    case "unknown-field":
      return `${subject}: this server knows no field ${named}.`;
    case "wrong-type":
      return `${subject}: this server expects another type of ${named}.`;
    case "missing-field":
      return `${subject}: this server misses ${named}.`;
    case "null":
      return `${subject}: this server takes no null and no blank in a list.`;
    case "unknown-role":
      return `${subject}: this server has no role of that name, and maps none that it does not have.`;
    case "bad-value":
      return `${subject}: this server refuses ${value === undefined ? "it" : `${JSON.stringify(value)} as ${named}`}.`;
  }
}

const fixes: Readonly<Record<Refusal["kind"], string>> = {
  "unknown-field": "Take it out, or out of accept_fields in gate-sync.yaml, and look whether --release is right.",
  "wrong-type": "Write it as the server wants it.",
  "missing-field": "Add it.",
  null: "Take it out of the list.",
  "unknown-role": "Declare the role, or take the mapping out.",
  "bad-value": "Write what the server takes.",
};

function rangesOf({ kind, field, value }: Refusal, node: Node): readonly SourceRange[] {
  if (kind === "null") return nullsIn(node);
  if (value !== undefined) return textsIn(node, value);
  // What is missing has no place of its own.
  return field === undefined || kind === "missing-field" ? [] : keysIn(node, field);
}

/** Servers name a field without the object that it is in. */
function keysIn(node: Node, key: string): readonly SourceRange[] {
  if (node.kind === "list") return node.items.flatMap((item) => keysIn(item, key));
  if (node.kind !== "map") return [];
  return node.entries.flatMap((entry) => [...(entry.key === key ? [entry.keyRange] : []), ...keysIn(entry.value, key)]);
}

function textsIn(node: Node, text: string): readonly SourceRange[] {
  if (node.kind === "scalar") return node.value === text ? [node] : [];
  const below = node.kind === "list" ? node.items : node.entries.map((entry) => entry.value);
  return below.flatMap((child) => textsIn(child, text));
}

function nullsIn(node: Node): readonly SourceRange[] {
  if (node.kind === "scalar") return [];
  const below = node.kind === "list" ? node.items : node.entries.map((entry) => entry.value);
  const own = node.kind === "list" ? node.items.filter(isBlank) : [];
  return [...own, ...below.flatMap(nullsIn)];
}

function isBlank(node: Node): boolean {
  return (
    node.kind === "scalar" && (node.value === null || (typeof node.value === "string" && node.value.trim() === ""))
  );
}
