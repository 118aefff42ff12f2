import { bodyRequired, createEngineFailure, createInvalidReply, type Reply } from "../reply.ts";
import type { Tree } from "./tree.ts";

/** `String or Array` is what the documentation calls a string and servers take as a list. */
export type KeyType = "Array" | "String" | "Object" | "Boolean" | "Any" | "String or Array";

/** What the body of one family may hold at its top. */
export interface BodyRules {
  readonly keys: Readonly<Record<string, KeyType>>;
  readonly mandatory?: string;
  readonly oneOf?: readonly string[];
  /** An empty body, object or list is refused. */
  readonly payload: boolean;
}

/** How a product checks bodies: the order of the checks, and what it prints. */
export interface BodyChecks {
  readonly first: "types" | "keys";
  /** Search Guard prints a missing mandatory key twice, and nothing where one of several is missing. */
  readonly lacking: (content: BodyRules) => Readonly<Record<string, { readonly keys: string }>>;
  /** The error for an invalid element of a list; undefined: every element is valid. */
  readonly badElement: (element: Tree) => string | undefined;
  /** Of any text, in characters; undefined: none is too long. */
  readonly longestText?: number;
  /** The error for a masking expression, by the message of Java. */
  readonly badMask: (problem: string) => string;
}

export const searchGuardChecks: BodyChecks = {
  first: "types",
  lacking: ({ mandatory }): Readonly<Record<string, { readonly keys: string }>> =>
    mandatory === undefined ? {} : { missing_mandatory_keys: { keys: mandatory }, specify_one_of: { keys: mandatory } },
  badElement: () => undefined,
  badMask: (problem) => problem,
};

export const openSearchChecks: BodyChecks = {
  first: "keys",
  lacking: ({ mandatory, oneOf = [] }): Readonly<Record<string, { readonly keys: string }>> =>
    mandatory === undefined
      ? { specify_one_of: { keys: oneOf.join(",") } }
      : { missing_mandatory_keys: { keys: mandatory } },
  badElement: (element) => (element === null ? "`null` is not allowed as json array element" : undefined),
  badMask: (problem) => problem,
};

/** OpenSearch 3: blank strings are refused too, that is, those that Java trims to nothing. */
export const openSearch3Checks: BodyChecks = {
  ...openSearchChecks,
  badElement: (element) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is trimmed
    element === null || (typeof element === "string" && /^[\u0000-\u0020]*$/.test(element))
      ? "`null` or blank values are not allowed as json array elements"
      : undefined,
  badMask: (problem) => problem.replace(/^.*NoSuchAlgorithmException: (\S+).*$/, "Invalid algorithm $1"),
};

/** OpenSearch 3.8; releases after it made it a setting. */
export const openSearch38Checks: BodyChecks = { ...openSearch3Checks, longestText: 256 };

/** Why a value is refused, or undefined. `extra` are keys that this caller may send besides. */
export function explainBodyRefusal(
  value: Tree,
  content: BodyRules,
  checks: BodyChecks,
  extra: Readonly<Record<string, KeyType>> = {},
): Reply | undefined {
  if (content.payload && sizeOf(value) === 0) return bodyRequired;
  const keys = { ...content.keys, ...extra };
  const types = refuseWrongTypes(value, keys);
  const names = wrongKeys(value, content, keys, checks);
  const refusal = checks.first === "types" ? (types ?? names) : (names ?? types);
  if (refusal !== undefined) return refusal;
  const bad = badElementIn(value, checks);
  if (bad !== undefined) return createInvalidReply(bad);
  const { longestText = Number.POSITIVE_INFINITY } = checks;
  return longest(value) <= longestText
    ? undefined
    : createInvalidReply(`String value exceeds the maximum allowed length of ${longestText} characters`);
}

/** The length of the longest text in a value. */
function longest(value: Tree): number {
  if (typeof value === "string") return value.length;
  const items = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : [];
  return items.reduce<number>((length, item) => Math.max(length, longest(item)), 0);
}

function sizeOf(value: Tree): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}

/** Unknown and missing keys are reported together. */
function wrongKeys(
  value: Tree,
  content: BodyRules,
  keys: Readonly<Record<string, KeyType>>,
  checks: BodyChecks,
): Reply | undefined {
  const given = value instanceof Map ? [...value.keys()] : [];
  const unknown = given.filter((key) => !Object.hasOwn(keys, key));
  const wanted = content.mandatory === undefined ? content.oneOf : [content.mandatory];
  const lacks = wanted !== undefined && !wanted.some((key) => given.includes(key));
  if (unknown.length === 0 && !lacks) return undefined;
  const detail = unknown.length === 0 ? {} : { invalid_keys: { keys: unknown.join(",") } };
  return createInvalidReply("Invalid configuration", { ...detail, ...(lacks ? checks.lacking(content) : {}) });
}

/** Goes by the name of the key, at any depth. */
export function refuseWrongTypes(value: Tree, keys: Readonly<Record<string, KeyType>>): Reply | undefined {
  const wrong = new Map<string, string>();
  const visit = (tree: Tree): void => {
    if (Array.isArray(tree)) for (const item of tree) visit(item);
    if (!(tree instanceof Map)) return;
    for (const [key, item] of tree) {
      const type = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (type !== undefined && !isOf(type, item)) wrong.set(key, `${type.split(" ", 1)} expected`);
      visit(item);
    }
  };
  visit(value);
  return wrong.size === 0 ? undefined : createInvalidReply("Wrong datatype", Object.fromEntries(wrong));
}

function isOf(type: KeyType, value: Tree): boolean {
  switch (type) {
    case "Array":
      return Array.isArray(value);
    case "Object":
      return value instanceof Map;
    case "Any":
      return true;
    case "String or Array":
      return typeof value === "string" || Array.isArray(value);
    default:
      return typeof value === type.toLowerCase();
  }
}

function badElementIn(value: Tree, checks: BodyChecks): string | undefined {
  const items = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : [];
  const detail = Array.isArray(value) ? items.map(checks.badElement) : [];
  return [...detail, ...items.map((item) => badElementIn(item, checks))].find((text) => text !== undefined);
}

const algorithms = /^(md2|md5|sha|sha-?1|sha-(224|256|384|512)|sha-512\/(224|256)|sha3-(224|256|384|512))$/i;

/** What is wrong with a masking expression (`field`, `field::ALGORITHM`, `field::/regex/::text…`), or undefined. */
export function findMaskingProblem(expression: string): string | undefined {
  const parts = expression.split("::");
  const [, algorithm = ""] = parts;
  if (parts.length === 2) {
    if (algorithms.test(algorithm)) return undefined;
    return `java.security.NoSuchAlgorithmException: ${algorithm} MessageDigest not available`;
  }
  if (parts.length % 2 === 1) return undefined;
  return `Expected 1 or 2 or >=3 (but then odd count) tokens, got ${parts.length} for ${expression}`;
}

/** Masking expressions in a list, wherever a product keeps such lists. */
export function findBadMask(list: Tree | undefined, checks: BodyChecks): Reply | undefined {
  for (const expression of Array.isArray(list) ? list : []) {
    const problem = typeof expression === "string" ? findMaskingProblem(expression) : undefined;
    if (problem === undefined) continue;
    return createInvalidReply("Wrong datatype", { [`Masked field not valid: ${expression}`]: checks.badMask(problem) });
  }
  return undefined;
}

/** OpenSearch takes every element for an object while it looks for masks, and falls over one that is not. */
export function refuseNonObject(element: Tree): Reply | undefined {
  if (element instanceof Map) return undefined;
  const name = Array.isArray(element) ? "ArrayNode" : typeof element === "string" ? "TextNode" : "ValueNode";
  const found = `com.fasterxml.jackson.databind.node.${name}`;
  const reason = `\`JsonNode\` not of type \`ObjectNode\` (but \`${found})\`, cannot call \`withArray()\` on it`;
  return createEngineFailure(500, "unsupported_operation_exception", reason);
}
