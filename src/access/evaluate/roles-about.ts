import { actionGroups } from "../../families/action-groups.ts";
import { roles as roleFacts } from "../../families/roles.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { memoise, memoiseByObject } from "../../json/memoise.ts";
import type { Fields } from "../../json/value.ts";
import { type AccessModel, narrowModel } from "../model/access-model.ts";
import { hasExclusions, listWrittenIndexPatterns } from "../model/roles.ts";
import type { HeldEntries } from "../model/state.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { overlaps } from "../patterns/includes.ts";
import { beyondOneUnit, matchesPattern } from "../patterns/matches.ts";
import { createOverlapFinder } from "../patterns/overlapping.ts";
import { everything, listComparedNames, widenPattern } from "./coverage.ts";
import { mayBeRefused } from "./refused-expressions.ts";
import type { RequestPermissions } from "./request.ts";

/** What is asked about: the actions, and the indices by names and patterns. */
type Asked = Pick<RequestPermissions, "cluster"> & { readonly indices: readonly string[] };

/**
 * Finds the roles that may have a say in a request, by what is written in them: of thousands nearly all are about other
 * indices. Whatever else a subject holds, a role that is not among them changes no answer but by its name.
 */
export function createRoleFinder(model: AccessModel, { cluster, indices }: Asked): (role: string) => boolean {
  const { roles, unlisted, groups } = model.state;
  const isNear = createOverlapFinder(listNames(model, indices));
  const isUnknown = memoise(() => hasUnknownFields(groups));
  const isAbout = (role: string, fields: Fields): boolean =>
    isUnknown() ||
    listWrittenIndexPatterns(fields).some((pattern) => isNear(getWidest(pattern))) ||
    hasExclusions(fields) ||
    listWrittenIndexPatterns(fields).some(mayBeRefused) ||
    getUnknownText(fields, roleFacts.fields) !== undefined ||
    (cluster.length > 0 &&
      model
        .rules(role)
        ?.cluster.some(({ pattern }) => cluster.some((action) => matchesPattern(pattern, action) !== "no")) === true);
  return (role) => {
    const fields = roles.get(role) ?? unlisted?.get(role);
    return fields !== undefined && isAbout(role, fields);
  };
}

/** Whether a subject holds a role that has a say in a request, or may: the answer for all others is the same. */
export function createConcernCheck(model: AccessModel, asked: Asked): (subject: Subject) => boolean {
  const { roles, unlisted = new Map() } = model.state;
  const about = new Set([...roles.keys(), ...unlisted.keys()].filter(createRoleFinder(model, asked)));
  const { holdings } = narrowModel(model, about);
  return (subject) =>
    subject.apiKey !== undefined || mayHold(subject) !== "no" || holdings(subject).some(({ role }) => about.has(role));
}

/** What patterns of roles are compared with. */
function listNames({ state: { semantics, settings } }: AccessModel, indices: readonly string[]): readonly string[] {
  // A server that reduces requests asks about every index for some that name none.
  if (indices.length === 0) return settings.reducesRequests ? [everything] : [];
  const mayBeOfStream = (name: string): boolean => name.includes("*") && overlaps(name, ".ds-*") !== "no";
  return indices.flatMap((name) => {
    if (beyondOneUnit.test(name) || (semantics.hasDataStreams && mayBeOfStream(name))) return [everything];
    return listComparedNames(name, semantics);
  });
}

/** A pattern that matches whatever the given one may, for any subject. */
function getWidest(pattern: string): string {
  return pattern === "_all" ? everything : (widenPattern(pattern) ?? everything);
}

const hasUnknownFields = memoiseByObject((groups: HeldEntries) =>
  [...groups.values()].some((group) => getUnknownText(group, actionGroups.fields) !== undefined),
);
