import type { ConcernedSubject } from "../../access/compare/between/intermediate-check.ts";
import { listWithCrossedUsers } from "../../access/compare/crossed-users.ts";
import { areSettingsChanged } from "../../access/compare/touched.ts";
import { isShutOut } from "../../access/evaluate/blocked.ts";
import { createAccessModel } from "../../access/model/access-model.ts";
import { listPermissionNames, listTenantPatterns } from "../../access/model/roles.ts";
import type { Subject } from "../../access/model/subject.ts";
import { matchesPattern } from "../../access/patterns/matches.ts";
import { type Fields, isList, listTexts } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import { type ChangeFragment, splitIntoFragments } from "./fragments.ts";
import type { StatePair } from "./intermediate-states.ts";

/**
 * Finds which changes of a plan may decide what a principal holds in intermediate states: changes of its roles before
 * or after, of the members that give them, of groups, tenants and blocks, and of settings that decide how all requests
 * are evaluated. One too many is better than one too few.
 */
export function createReachFinder(
  statePair: StatePair,
  changes: readonly Change[],
): (one: ConcernedSubject) => ReadonlySet<ChangeFragment> {
  const of = (family: Family) => changes.filter((change) => change.family === family);
  const byName = (family: Family) => new Map(of(family).map((change) => [change.name, change]));
  const [roles, mappings] = [byName("roles"), byName("role_mappings")];
  const entriesFor = entryFinder(statePair, of("role_mappings"));
  const groupsOf = groupFinder(statePair, of("action_groups"));
  const users = byName("internal_users");
  const tenants = of("tenants");
  const blocks = of("blocks");
  const isEvaluatedOtherwise = areSettingsChanged(statePair.before.state, statePair.after.state);
  const settings = isEvaluatedOtherwise ? of("config") : [];
  const ends = [statePair.touched.before, statePair.touched.after] as const;
  const withCrossedUsers = listWithCrossedUsers(ends);
  const mayEnter = (role: string, tenant: string): boolean =>
    ends.some(({ state }) =>
      listTenantPatterns(state.roles.get(role) ?? {}).some(
        (pattern) => pattern.includes("${") || matchesPattern(pattern, tenant) !== "no",
      ),
    );
  return ({ subject }) => {
    const held = [...new Set(withCrossedUsers.flatMap((model) => model.holdings(subject).map(({ role }) => role)))];
    const given = held.flatMap((role) => mappings.get(role) ?? []);
    return new Set([
      ...held.flatMap((role) => roles.get(role) ?? []).flatMap(splitIntoFragments),
      ...given.flatMap(splitIntoFragments).filter(({ element }) => !element),
      ...(given.length > 0 ? entriesFor(subject) : []),
      ...held.flatMap(groupsOf).flatMap(splitIntoFragments),
      ...tenants.filter(({ name }) => held.some((role) => mayEnter(role, name))).flatMap(splitIntoFragments),
      ...listTouchedUsers(subject, users).flatMap(splitIntoFragments),
      ...blocks.filter((block) => mayConcern(block, subject)).flatMap(splitIntoFragments),
      ...settings.flatMap(splitIntoFragments),
    ]);
  };
}

interface Entry {
  readonly fragment: ChangeFragment;
  readonly mapping: Fields;
}

/** Members that are added or removed and give the principal a role: found as if each were a mapping of its own. */
function entryFinder(
  statePair: StatePair,
  mappings: readonly Change[],
): (subject: Subject) => readonly ChangeFragment[] {
  const entries = mappings.flatMap((change) =>
    splitIntoFragments(change).flatMap((fragment) => entryOf(statePair, change, fragment)),
  );
  const models = [statePair.before, statePair.after].map(({ state }) =>
    createAccessModel({
      ...state,
      mappings: new Map(entries.map(({ mapping }, at) => [`${at}`, mapping])),
      settings: { resolvesHosts: true },
    }),
  );
  return (subject) =>
    models.flatMap((model) => model.holdings(subject).flatMap(({ role }) => entries[Number(role)]?.fragment ?? []));
}

/** The change of the internal user that a principal is, or may be. */
function listTouchedUsers({ user }: Subject, users: ReadonlyMap<string, Change>): readonly Change[] {
  if (!user) return [];
  return "name" in user ? [...(users.get(user.name) ? [users.get(user.name) as Change] : [])] : [...users.values()];
}

/** As it is shown, which is what everybody is known by. */
function entryOf({ before, after }: StatePair, { name }: Change, fragment: ChangeFragment): readonly Entry[] {
  if (!fragment.element) return [];
  const { field, at } = fragment.element;
  const { state } = fragment.kind === "removing" ? before : after;
  const list = state.mappings.get(name)?.[field];
  const entry = isList(list) ? list[at] : undefined;
  return entry === undefined ? [] : [{ fragment, mapping: { [field]: [entry] } }];
}

/** Changed groups that a role has, of one side or the other, in any depth. */
function groupFinder({ touched }: StatePair, groups: readonly Change[]): (role: string) => readonly Change[] {
  if (groups.length === 0) return () => [];
  const changed = new Map(groups.map((change) => [change.name, change]));
  const ends = [touched.before.state, touched.after.state];
  const known = new Map<string, readonly Change[]>();
  const reached = (role: string): readonly Change[] => {
    const names = new Set(ends.flatMap((end) => listPermissionNames(end.roles.get(role) ?? {})));
    for (const name of names) {
      for (const end of ends) for (const text of listTexts(end.groups.get(name)?.allowed_actions)) names.add(text);
    }
    return [...names].flatMap((name) => changed.get(name) ?? []);
  };
  return (role) => {
    const found = known.get(role) ?? reached(role);
    known.set(role, found);
    return found;
  };
}

/** A block that allows some blocks all others. */
function mayConcern({ before, after }: Change, subject: Subject): boolean {
  return [before, after].some(
    (block) => block && (block.verdict !== "disallow" || isShutOut([block], subject) !== "no"),
  );
}
