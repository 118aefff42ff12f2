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

/** The names that a canonical resource refers to, each once: those that are no pattern, no action and no secret. */
export function mentionsOf({ family, name, value }: Resource): readonly Mention[] {
  const mentions = mentionsIn(value, factsOf[family].fields);
  // A mapping is named like the role it maps.
  const all: readonly Mention[] = family === "role_mappings" ? [{ to: "roles", name }, ...mentions] : mentions;
  return [...new Map(all.map((mention) => [`${mention.to} ${mention.name}`, mention])).values()];
}

function mentionsIn(value: Value, facts: Readonly<Record<string, Field>>): readonly Mention[] {
  if (!isObject(value)) return [];
  return Object.entries(facts).flatMap(([field, { refersTo: to, element }]) => {
    const members = listOf(value[field]);
    if (element) return members.flatMap((member) => mentionsIn(member, element));
    if (!to) return [];
    return members.flatMap((member) =>
      typeof member === "string" && isName(member, to) ? [{ to, name: member }] : [],
    );
  });
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** Actions have colons or slashes, patterns have wildcards, variables have dollar signs. */
function isName(text: string, to: Mention["to"]): boolean {
  if (text.trim() === "" || text.includes("${")) return false;
  return to === "tenants" ? !/[*?]|^\/.*\/$/.test(text) : !/[*?:/\s]/.test(text);
}
