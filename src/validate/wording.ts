import { getScalarSource, type Node } from "../model/node.ts";

/** A value in words: `a list`, `the number 1`, `the text "READ"`; long strings and secrets are not repeated. */
export function describeNode(node: Node): string {
  if (node.kind === "list") return node.items.length === 0 ? "an empty list" : "a list";
  if (node.kind === "map") return "a map";
  switch (typeof node.value) {
    case "string":
      return node.value.length <= 40 ? `the text ${JSON.stringify(node.value)}` : "a text";
    case "number":
      return `the number ${getScalarSource(node)}`;
    case "boolean":
      return getScalarSource(node);
    default:
      return node.value === null ? "nothing" : "a secret";
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a map",
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** `a list or a map`. */
export function formatTypes(types: readonly string[]): string {
  return joinWithOr(types.flatMap((type) => typeWords[type] ?? []));
}

/** `a, b or c`. */
export function joinWithOr(words: readonly string[]): string {
  return joined(words, "or");
}

/** `a, b and c`. */
export function joinAllWithAnd(words: readonly string[]): string {
  return joined(words, "and");
}

function joined(words: readonly string[], conjunction: string): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** The title of a schema in the middle of a sentence: `An index permission`, `The section \`http\``. */
export function formatSchemaTitle(title: string): string {
  const noun = /^.[A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
  if (/^(section|file|config|license|desired|TLS|authentication$)/.test(noun)) return `The ${noun}`;
  return /^([aeiou]|HTTP)/.test(noun) ? `An ${noun}` : `A ${noun}`;
}
