import type { Field } from "../families/facts.ts";
import { factsOf } from "../families/index.ts";
import { type Fields, isList, isObject } from "../json/value.ts";
import type { Wanted } from "../live/read.ts";
import type { DesiredState } from "../model/desired.ts";
import { type Family, families, type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { Repository } from "../model/repository.ts";

/** The families that the files declare, in the order in which they are written. */
export function declaredFamilies(repository: Repository): readonly Family[] {
  const declared = new Set(repository.documents.flatMap((document) => document.sections.map(({ family }) => family)));
  return families.filter((family) => declared.has(family));
}

/** What a plan has to read: what is declared, and the families that a declared resource mentions. */
export function whatToRead(desired: DesiredState): Wanted {
  const declared = new Set<ResourceFamily>(desired.resources.keys());
  const mentioned = new Set<ResourceFamily>();
  for (const [family, resources] of desired.resources) {
    if (family === "role_mappings" && resources.size > 0) mentioned.add("roles");
    for (const { value } of resources.values()) collectMentions(value, factsOf[family].fields, mentioned);
  }
  return {
    needed: [
      ...resourceFamilies.filter((family) => declared.has(family)),
      ...(desired.config ? (["config"] as const) : []),
      ...(desired.license ? (["license"] as const) : []),
    ],
    reference: resourceFamilies.filter((family) => mentioned.has(family) && !declared.has(family)),
  };
}

function collectMentions(value: Fields, facts: Readonly<Record<string, Field>>, into: Set<ResourceFamily>): void {
  for (const [name, item] of Object.entries(value)) {
    const field = facts[name];
    if (field?.refersTo && isList(item) && item.some(isName)) into.add(field.refersTo);
    if (field?.element && isList(item)) {
      for (const element of item.filter(isObject)) collectMentions(element, field.element, into);
    }
  }
}

/** Names of permissions have colons, patterns have wildcards: neither can be the name of something declared. */
function isName(item: unknown): boolean {
  return typeof item === "string" && !/[:*?/]/.test(item);
}
