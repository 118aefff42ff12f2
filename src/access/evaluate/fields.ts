import { matchesName } from "../../families/scope.ts";
import type { FieldRules } from "../../model/access.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { getExpressionText } from "../patterns/syntax.ts";
import { findMaskEffect } from "./mask-effect.ts";

/**
 * Whether a field is shown, hidden, or as what it is shown. A mask is a pattern as of indices, and masks no more than
 * the fields whose whole path it matches.
 */
export function showField(rules: FieldRules, field: string): "shown" | "hidden" | { readonly masked: string } {
  if (rules.arePatterns ? hidesByPattern(rules, field) : hidesByName(rules, field)) return "hidden";
  const mask = rules.masks.find((one) => matchesPattern(getMaskedFieldPattern(one), field) === "yes");
  return mask === undefined || findMaskEffect(mask) === "shown" ? "shown" : { masked: mask };
}

/**
 * FLS knows `*` alone, a `?` in it is plain text, and a name covers its sub-fields. Tried on OpenSearch 2.19.1 and Search
 * Guard 7.5.1-38.
 */
function hidesByName({ only, not }: FieldRules, field: string): boolean {
  const isAmong = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => listParentPaths(field).some((name) => matchesField(pattern, name)));
  return findHidingSource({ not }).length > 0 || isAmong(not) || (only !== undefined && !isAmong(only));
}

/**
 * Patterns as of indices. A list of fields to show has to match the field, and the objects around it: these also by what
 * is before a dot of a pattern. Tried on OpenSearch 3.4.0, recorded of 3.8.0.
 */
function hidesByPattern({ only, not }: FieldRules, field: string): boolean {
  const [path = field, ...objects] = listParentPaths(field.replace(/\.keyword$/, ""));
  const matches = (patterns: readonly string[], name: string): boolean =>
    patterns.some((pattern) => matchesPattern(pattern, name) === "yes");
  if (not.length > 0) return [path, ...objects].some((name) => matches(not, name));
  if (only === undefined || only.includes("*")) return false;
  const around = [...only, ...only.flatMap(listObjectPatterns)];
  return !matches(only, path) || !objects.every((name) => matches(around, name));
}

/** `a` and `a.*` of `a.*.c`. */
function listObjectPatterns(pattern: string): readonly string[] {
  return getExpressionText(pattern) === undefined ? listParentPaths(pattern).slice(1) : [];
}

/**
 * All fields are in one, `_source`: excluded patterns with `*` that match this name, such as `~*e`, hide every
 * document's fields. There, `?` and expressions count. Tried on OpenSearch 2.19.1.
 */
export function findHidingSource({ not, arePatterns }: Pick<FieldRules, "not" | "arePatterns">): readonly string[] {
  if (arePatterns) return [];
  return not.filter((pattern) => pattern.includes("*") && matchesPattern(pattern, "_source") === "yes");
}

/** The pattern of fields in `field`, `field::algorithm` and `field::/regex/::replacement`. */
export function getMaskedFieldPattern(mask: string): string {
  return mask.split("::", 1)[0] ?? "";
}

/** As FLS tries a pattern on a name. */
function matchesField(pattern: string, name: string): boolean {
  if (!pattern.includes("?")) return matchesName(pattern, name);
  // Between the stars all is plain text; each part is looked for behind the one before.
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  let at = first.length;
  if (!name.startsWith(first)) return false;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** `a.b.c`, `a.b`, `a`. */
function listParentPaths(field: string): readonly string[] {
  const parts = field.split(".");
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("."));
}

/**
 * Whether a search by this field can find documents, the DLS query of a role included. For searches, servers match
 * the patterns of FLS with the whole path of the field, `?` and expressions as for indices, but only where a pattern has a
 * star or a dot; for the fields of an answer they do not. Tried on OpenSearch 2.19.1 and Search Guard 7.5.1-38. Where they do for both,
 * an object's name is one for its sub-fields here.
 */
export function isSearched({ only, not, masks, arePatterns }: FieldRules, field: string): boolean {
  const names = arePatterns ? listParentPaths(field.replace(/\.keyword$/, "")) : [field];
  const matches = (pattern: string, name: string): boolean =>
    arePatterns || /[*.]/.test(pattern) ? matchesPattern(pattern, name) !== "no" : pattern === name;
  const isAmong = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => names.some((name) => matches(pattern, name)));
  if (isAmong(not) || (only !== undefined && !isAmong(only))) return false;
  return masks.every((mask) => matchesPattern(getMaskedFieldPattern(mask), field) === "no");
}

/** A mapping shows the fields that FLS leaves, masked ones too, and no documents. */
export function showsFields(action = ""): boolean {
  return action.startsWith("indices:admin/mappings/");
}
