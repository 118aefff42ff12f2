import { getNoun } from "../../families/index.ts";
import type { EntryDescription, EntryFact } from "../../model/entry-description.ts";
import type { ReferenceEntry } from "../../model/reference.ts";
import { escapeInvisible } from "../escape.ts";
import { formatCode } from "./code.ts";

const labels: Readonly<Record<EntryFact["kind"], string>> = {
  "comes to": "comes to",
  cluster: "on the cluster",
  indices: "on indices",
  tenants: "in tenants",
  "held by": "held by",
  "granted by": "granted by",
  "used by": "used by",
};

/** What an editor shows of a name. */
export function renderEntryDescription({ family, name, isBuiltin, description, facts }: EntryDescription): string {
  const origin = isBuiltin ? " (built-in)" : "";
  return [
    `**${getNoun(family)}** ${formatCode(name)}${origin}`,
    ...(description === undefined ? [] : [formatCode(description)]),
    facts.map(renderFact).join("\n"),
  ].join("\n\n");
}

function renderFact({ kind, values }: EntryFact): string {
  const left = values.length - mostValues;
  const shown = left > 1 ? values.slice(0, mostValues) : values;
  const rest = left > 1 ? ` and ${left} more` : "";
  return `* ${labels[kind]}: ${shown.map(formatCode).join(", ")}${rest}`;
}

const mostValues = 30;

/** What `gate-sync explain` says of a key or code. */
export function renderReferenceMarkdown({ name, title, facts }: ReferenceEntry): string {
  const lines = Object.entries(facts).map(([fact, text]) => `* ${fact.replaceAll("_", " ")}: ${escapeInvisible(text)}`);
  return [`**${name}**: ${escapeInvisible(title)}`, lines.join("\n")].join("\n\n");
}
