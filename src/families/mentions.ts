import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Field } from "./facts.ts";
import { factsOf } from "./index.ts";

/** A name of another resource, as a canonical entry mentions it. */
export interface Mention {
  readonly to: NonNullable<Field["refersTo"]>;
  readonly name: string;
}

interface Resource {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly value: Fields;
}

/**
 * The names that a canonical resource refers to, each once: those that are no pattern, no action and no secret.
 *
 * @param isMeant what is asked of the texts of lists instead of {@link isName}
 */
export function listMentions({ family, name, value }: Resource, isMeant = isName): readonly Mention[] {
  // A mapping is named like the role it maps.
  const found: Mention[] = family === "role_mappings" ? [{ to: "roles", name }] : [];
  collect(value, factsOf[family].fields, isMeant, found);
  return found;
}

/** Whether entries of a family name resources of another at all. */
export function canMention(family: ResourceFamily, other: ResourceFamily): boolean {
  if (family === "role_mappings" && other === "roles") return true;
  const refers = (fields: Readonly<Record<string, Field>>): boolean =>
    Object.values(fields).some(({ refersTo, element }) => refersTo === other || (element && refers(element)));
  return refers(factsOf[family].fields);
}

function collect(value: Value, facts: Readonly<Record<string, Field>>, isMeant: typeof isName, found: Mention[]): void {
  if (!isObject(value)) return;
  for (const field in facts) {
    const { refersTo: to, element } = facts[field] as Field;
    const members = value[field];
    if (!isList(members)) continue;
    for (const member of members) {
      if (element) collect(member, element, isMeant, found);
      else if (to && typeof member === "string" && isMeant(member, to)) add(found, to, member);
    }
  }
}

function add(found: Mention[], to: Mention["to"], name: string): void {
  if (!found.some((other) => other.name === name && other.to === to)) found.push({ to, name });
}

/** Actions have colons or slashes, patterns have wildcards, variables have dollar signs. */
export function isName(text: string, to: Mention["to"]): boolean {
  const isPattern = to === "tenants" ? /[*?]|^\/.*\/$/.test(text) : /[*?:/\s]/.test(text);
  return !isPattern && text.trim() !== "" && !text.includes("${");
}
