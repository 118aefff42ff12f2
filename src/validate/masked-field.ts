import { explainRefusedRegex } from "../access/patterns/refused-regex.ts";
import type { Product } from "../model/plan.ts";

/** The digests that every Java runtime has; the names ignore case. */
const digests = /^(MD2|MD4|MD5|SHA-?1|SHA|SHA-(224|256|384|512|512\/224|512\/256)|SHA3-(224|256|384|512))$/i;
/** Digest algorithms of the cryptography library that servers bring along. */
const furtherDigests =
  /^(BLAKE2[BS]-\d{3}|BLAKE3-256|DSTU7564-\d{3}|GOST3411(-2012-\d{3})?|HARAKA-\d{3}|KECCAK-\d{3}|RIPEMD(128|160|256|320)|SKEIN-\d{3,4}-\d{3,4}|SM3|TIGER|WHIRLPOOL)$/i;

/**
 * What is wrong with a masking expression: `field`, `field::ALGORITHM`, or `field::/regex/::replacement` with any
 * number of such pairs. Undefined where nothing is. What Java refuses is left to the server but for OpenSearch, where it
 * was tried: 2.19.1 answers 400.
 */
export function findMaskedFieldFault(expression: string, product: Product): string | undefined {
  const [field, ...rest] = expression.split("::");
  if (!field) return "It names no field.";
  if (rest.length === 0) return undefined;
  if (rest.length === 1) {
    const [algorithm = ""] = rest;
    if (algorithm === "") return "Nothing follows the `::`.";
    if (isRegex(algorithm)) return "A regular expression needs a replacement after another `::`.";
    return digests.test(algorithm) || furtherDigests.test(algorithm)
      ? undefined
      : `There is no digest ${JSON.stringify(algorithm)}.`;
  }
  if (rest.length % 2 === 1) return "Regular expressions and replacements do not come in pairs.";
  const regex = rest.find((part, index) => index % 2 === 0 && !isRegex(part));
  if (regex !== undefined) return `${JSON.stringify(regex)} is not between slashes.`;
  if (product !== "opensearch") return undefined;
  const [refused] = rest.flatMap((part, at) => (at % 2 === 0 ? (explainRefusedRegex(part.slice(1, -1)) ?? []) : []));
  return refused === undefined ? undefined : `The regular expression ${refused}.`;
}

/**
 * A group that a replacement names and its expression does not have: the server stores it, and fails over each value that
 * the expression matches. Tried on OpenSearch 2.19.1.
 */
export function findMissingGroup(expression: string): string | undefined {
  const [, ...rest] = expression.split("::");
  const [group] = rest.flatMap((part, at) => (at % 2 === 1 ? listMissingGroups(rest[at - 1] ?? "", part) : []));
  return group;
}

function listMissingGroups(regex: string, replacement: string): readonly string[] {
  // What is quoted, or in a class, has rules of its own.
  if (/\\Q|\[/.test(regex)) return [];
  const groups = regex.replace(/\\./g, "").match(/\((?!\?)|\(\?<(?![=!])/g) ?? [];
  const named = replacement.replace(/\\./g, "").match(/\$\d/g) ?? [];
  return named.filter((group) => Number(group.slice(1)) > groups.length);
}

function isRegex(text: string): boolean {
  return text.length > 2 && text.startsWith("/") && text.endsWith("/");
}
