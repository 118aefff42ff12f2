import { canMention, listMentions } from "../families/mentions.ts";
import type { DesiredState } from "../model/desired.ts";
import { type Family, families, type ResourceFamily, resourceFamilies } from "../model/names.ts";
import { getMode, isOptIn, type Policies } from "../model/policy.ts";
import type { Repository } from "../model/repository.ts";
import type { WantedFamilies } from "./read.ts";

/** The families that the files declare, in the order in which they are written. */
export function listDeclaredFamilies(repository: Repository): readonly Family[] {
  const declared = new Set(repository.documents.flatMap((document) => document.sections.map(({ family }) => family)));
  return families.filter((family) => declared.has(family));
}

/**
 * What a plan has to read: what is declared, and the families that a declared resource mentions. Opt-in families that are
 * only observed are in many folders: that they may not be read, or that the product has none, is no reason to stop.
 */
export function listFamiliesToRead(desired: DesiredState, policies: Policies): WantedFamilies {
  const isNeeded = (family: ResourceFamily) => !isOptIn(family) || getMode(family, policies) !== "observe";
  const declared = new Set([...desired.resources.keys()].filter(isNeeded));
  return {
    needed: [
      ...resourceFamilies.filter((family) => declared.has(family)),
      ...(desired.config ? (["config"] as const) : []),
      ...(desired.license ? (["license"] as const) : []),
    ],
    reference: resourceFamilies.filter(
      (family) => !declared.has(family) && (desired.resources.has(family) || isMentioned(family, desired)),
    ),
  };
}

function isMentioned(family: ResourceFamily, { resources }: DesiredState): boolean {
  return [...resources].some(
    ([from, declared]) =>
      canMention(from, family) &&
      [...declared.values()].some((resource) => listMentions(resource).some(({ to }) => to === family)),
  );
}
