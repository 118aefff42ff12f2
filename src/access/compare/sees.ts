import type { FieldRules, Limits } from "../../model/access.ts";
import { fieldSeen, maskedFields } from "../fields.ts";
import type { Parting } from "./parts.ts";

export type Sight = "same" | "more" | "less" | "other";

/** Whether more or less of an index is seen by the second than by the first; `other` where it is neither, or nobody can tell. */
export function compareLimits(before: Limits, after: Limits, part: Parting): Sight {
  const documents = compareDocuments(before.documents, after.documents);
  return together(documents, compareFields(before.fields, after.fields, part));
}

/** The same for limits by which the same is seen, as they are written. */
export function limitsKey({ documents, fields, unsure }: Limits): string {
  return JSON.stringify([documents?.map(({ key }) => key) ?? null, fields, unsure]);
}

/** Queries are compared by what they say: whether one finds more than another is not for us to know. */
function compareDocuments(before: Limits["documents"], after: Limits["documents"]): Sight {
  if (!before || !after) return before === after ? "same" : before ? "more" : "less";
  const [had, has] = [new Set(before.map(({ key }) => key)), new Set(after.map(({ key }) => key))];
  // A document is seen that meets any of them: with one more, more are seen; with some exchanged, nobody knows.
  return bothWays(
    [...has].some((key) => !had.has(key)),
    [...had].some((key) => !has.has(key)),
  );
}

function compareFields(before: FieldRules, after: FieldRules, part: Parting): Sight {
  if (JSON.stringify(before) === JSON.stringify(after)) return "same";
  const seen = sampleFields([before, after], part).map(
    (field) => [fieldSeen(before, field), fieldSeen(after, field)] as const,
  );
  const isOther = seen.some(
    ([was, is]) => typeof was === "object" && typeof is === "object" && was.masked !== is.masked,
  );
  if (isOther) return "other";
  return bothWays(
    seen.some(([was, is]) => clarity(is) > clarity(was)),
    seen.some(([was, is]) => clarity(is) < clarity(was)),
  );
}

export function clarity(seen: ReturnType<typeof fieldSeen>): number {
  if (seen === "hidden") return 0;
  return seen === "shown" ? 2 : 1;
}

/** One name of a field for each way in which the rules may tell fields apart. */
export function sampleFields(rules: readonly FieldRules[], part: Parting): readonly string[] {
  // To FLS, expressions and question marks are plain text, which no field has in its name.
  const listed = rules
    .flatMap(({ only = [], not }) => [...only, ...not])
    .filter((name) => !/\?|^\/.*\/$|^$/.test(name));
  const masked = rules.flatMap(({ masks }) => masks.map(maskedFields)).filter((name) => name !== "");
  const names = new Set([...listed, ...masked]);
  const below = [...names].filter((name) => !/^\/.*\/$/.test(name)).map((name) => `${name}.*`);
  const { atoms } = part(new Set([...names, ...below]), "text");
  return atoms.map(({ example }) => example);
}

function bothWays(more: boolean, less: boolean): Sight {
  if (more) return less ? "other" : "more";
  return less ? "less" : "same";
}

function together(a: Sight, b: Sight): Sight {
  if (a === "same" || a === b) return b;
  return b === "same" ? a : "other";
}
