import type { Semantics } from "../../dialects/semantics.ts";
import { listDistinct } from "../../json/collections.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import { listTexts } from "../../json/value.ts";
import { isBlockedIn } from "../evaluate/blocked.ts";
import { coversIndex, widenPattern } from "../evaluate/coverage.ts";
import type { AccessModel } from "../model/access-model.ts";
import { createPrincipalSubject, listAllowedMembers } from "../model/block-values.ts";
import { isChangedUser } from "../model/changed-users.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import type { RoleRules } from "../model/roles.ts";
import type { AccessState } from "../model/state.ts";
import { createMemberSubject, formatMember, type Member, type Subject } from "../model/subject.ts";
import { createSubjectIn } from "../model/users.ts";
import { includes, overlaps } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { mayContain } from "../patterns/required.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import { findUnnamed, listNamed, listNamedRanges, placeNamed } from "./named-by-blocks.ts";
import { securityIndexWrites } from "./security-index.ts";
import { findTouchedRoles, listChangedNames, listGrantPathsTo, touchesNoPrincipal } from "./touched.ts";

/** A permission that lets a principal change who may do what, or seems meant to. */
export type Power =
  /** The administration API lets in every principal that has the role. */
  | "api"
  /** A cluster permission `restapi:admin/…`. */
  | "rest-permission"
  /** Writing to the index with the product's own configuration, by a pattern that is not about all indices. */
  | "security-index";

/** Those who come to administer access control by one role. */
export interface Escalation {
  readonly role: string;
  readonly power: Power;
  /** The permission, and what leads to it; absent for `api`. */
  readonly granted?: ExpandedPermission;
  /** The index pattern, for `security-index`. */
  readonly pattern?: string;
  /** How they come by the role; none of them certainly had the same power before. */
  readonly members: readonly Member[];
  /** Whether the principal gains it: `yes`, or `unknown`. */
  readonly verdict: Verdict;
}

/** What a product lets administer. */
export interface Administering {
  /** Roles that the API lets in. */
  readonly roles: readonly string[];
  /** Whether `restapi:admin/…` among cluster permissions does so too. */
  readonly byPermission: boolean;
}

/** By roles that are touched, or by all where blocks are. */
export function findEscalations(
  before: AccessModel,
  after: AccessModel,
  administering: Administering,
): readonly Escalation[] {
  if (touchesNoPrincipal(before.state, after.state)) return [];
  const powersBefore = createPowerFinder(before, administering);
  const powersAfter = createPowerFinder(after, administering);
  const blocks = listChangedNames(before.state.blocks, after.state.blocks).length > 0;
  const roles = blocks
    ? new Set([...after.state.mappings.keys(), ...after.state.roles.keys()])
    : findTouchedRoles(before.state, after.state);
  const unblocked = blocks ? listBlockedUsers(before.state, after.state) : [];
  const places = blocks ? listUnblockedPlaces(before.state, after.state) : [];
  return [...roles].sort().flatMap((role) =>
    powersAfter(role).flatMap((found): readonly Escalation[] => {
      const { power, granted, pattern } = found;
      const keyOf = (one: Found) => JSON.stringify([one.power, one.verdict, one.granted?.pattern, one.pattern]);
      // What is unknown and stays as it is comes by nothing in this plan.
      const isAsBefore = !blocks && powersBefore(role).some((one) => keyOf(one) === keyOf(found));
      const old = new Set(
        isAsBefore
          ? listGrantPathsTo(role, before.state)
              .filter((one) => !isChangedUser(one, before.state))
              .map(formatMember)
          : [],
      );
      const members = listGrantPathsTo(role, after.state);
      const given = members.filter((member) => !old.has(formatMember(member)));
      const states = [after.state, before.state];
      const all = [...given, ...given.flatMap((member) => listAllowedMembers(member, states))];
      const candidates: readonly Candidate[] = [
        ...all.map((member) => ({ member, subject: createPrincipalSubject(member, states), holds: "yes" }) as const),
        ...unblocked.flatMap((member) => listUnblocked(member, role, members, after)),
        ...places.flatMap((place) => listPlaced(place, role, members, after)),
      ];
      const gains = candidates.flatMap(({ member, subject, holds }) => {
        const enters = combineAll([holds, negate(isBlockedIn(after.state, subject))]);
        const had = hasPower(before, subject, power, powersBefore);
        return enters === "no" || had === "yes"
          ? []
          : [{ member, verdict: combineAll([enters, found.verdict, negate(had)]) }];
      });
      const gaining = [
        ...new Map(gains.toReversed().map((one) => [formatMember(one.member), one])).values(),
      ].toReversed();
      if (gaining.length === 0) return [];
      return [
        {
          role,
          power,
          ...(granted && { granted }),
          ...(pattern !== undefined && { pattern }),
          members: gaining.map(({ member }) => member),
          verdict: combineAny(gains.map(({ verdict }) => verdict)),
        },
      ];
    }),
  );
}

interface Candidate {
  readonly member: Member;
  readonly subject: Subject;
  /** Whether they have the role that is asked about. */
  readonly holds: Verdict;
}

/** Where principals come from, as messages name it, and one address there. */
interface Place {
  readonly member: Member;
  readonly host: NonNullable<Subject["host"]>;
}

const nowhere: Member = { field: "hosts", entries: [] };

/** Users by the names in blocks. */
function listBlockedUsers(...states: readonly AccessState[]): readonly Member[] {
  const blocks = states.flatMap((state) => [...state.blocks.values()]).filter(({ type }) => type === "name");
  return [...new Set(blocks.flatMap((block) => listTexts(block.value)))].map((name) => ({
    field: "users",
    entries: [name],
  }));
}

/** Addresses that blocks name, and one for all others, from which principals may come after a plan and not before. */
function listUnblockedPlaces(before: AccessState, after: AccessState): readonly Place[] {
  const named = listDistinct([before, after].flatMap(({ blocks }) => listNamed(blocks))).filter(
    ({ type }) => type !== "name",
  );
  const ranges = listNamedRanges(named);
  const { host: other } = findUnnamed(named);
  const all = [
    ...named.flatMap((one): readonly Place[] => {
      const host = createMemberSubject(placeNamed(one, ranges)?.member ?? nowhere).host;
      return host ? [{ member: { field: "hosts", entries: [one.value] }, host }] : [];
    }),
    ...(other ? [{ member: { field: "hosts", entries: ["*"] }, host: other } as const] : []),
  ];
  return all.filter(({ host }) => {
    const subject = { backendRoles: [], host };
    return isBlockedIn(before, subject) !== "no" && isBlockedIn(after, subject) !== "yes";
  });
}

/** Any principal at an address, and each member that gives the role there. */
function listPlaced(
  { member, host }: Place,
  role: string,
  members: readonly Member[],
  after: AccessModel,
): readonly Candidate[] {
  const anybody: Subject = { backendRoles: [], host };
  return [
    { member, subject: anybody, holds: getHeldVerdict(after, anybody, role) },
    ...members
      .filter(({ field }) => field !== "hosts")
      .map((one) => ({ member, subject: { ...createSubjectIn(after.state, one), host }, holds: "unknown" }) as const),
  ];
}

/** A user by itself, and with each other member that gives the role: a name, a backend role, an address. */
function listUnblocked(
  member: Member,
  role: string,
  members: readonly Member[],
  after: AccessModel,
): readonly Candidate[] {
  const subject = createSubjectIn(after.state, member);
  const others = members.filter(({ field }) => field !== "users" && field !== "itself").map(createMemberSubject);
  const isPart = member.entries.some((name) =>
    members.some(({ field, entries: [entry = ""] }) => field === "users" && overlaps(entry, name) !== "no"),
  );
  return [
    { member, subject, holds: combineAny([getHeldVerdict(after, subject, role), isPart ? "unknown" : "no"]) },
    ...others.map(({ backendRoles, host }): Candidate => {
      const both = { ...subject, backendRoles: [...subject.backendRoles, ...backendRoles], ...(host && { host }) };
      return { member, subject: both, holds: "unknown" };
    }),
  ];
}

function getHeldVerdict(model: AccessModel, subject: Subject, role: string): Verdict {
  return combineAny(
    model
      .holdings(subject)
      .filter((one) => one.role === role)
      .map(({ verdict }) => verdict),
  );
}

interface Found extends Pick<Escalation, "power" | "granted" | "pattern"> {
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
}

type Powers = (role: string) => readonly Found[];

function createPowerFinder(model: AccessModel, { roles, byPermission }: Administering): Powers {
  const known = new Map<string, ReturnType<Powers>>();
  return (role) => {
    const found = known.get(role);
    if (found) return found;
    const rules = model.rules(role);
    const isThere = rules?.isUnlisted ? "unknown" : "yes";
    const permission = byPermission
      ? findFirst(rules?.cluster ?? [], ({ pattern }) => isRestPermission(pattern))
      : none;
    const index = rules ? findSecurityIndexGrant(rules, model) : none;
    const powers: readonly Found[] = [
      ...(roles.includes(role) ? [{ power: "api", verdict: "yes" } as const] : []),
      ...permission.map(
        ({ one, verdict }) =>
          ({ power: "rest-permission", granted: one, verdict: combineAll([verdict, isThere]) }) as const,
      ),
      ...index.map(
        ({ one, verdict }) => ({ power: "security-index", ...one, verdict: combineAll([verdict, isThere]) }) as const,
      ),
    ];
    known.set(role, powers);
    return powers;
  };
}

/** The first that certainly is so, else the first of which it is unknown; none where there is none. */
function findFirst<T>(
  all: readonly T[],
  of: (one: T) => Verdict,
): readonly { readonly one: T; readonly verdict: Verdict }[] {
  const found = all.map((one) => ({ one, verdict: of(one) })).filter(({ verdict }) => verdict !== "no");
  const first = found.find(({ verdict }) => verdict === "yes") ?? found[0];
  return first ? [first] : [];
}

const none: readonly never[] = [];

/** Granting all cluster permissions does not include these: the product wants them named. */
export function isRestPermission(pattern: string): Verdict {
  return pattern === "*" ? "no" : overlaps(pattern, "restapi:admin/*");
}

function findSecurityIndexGrant({ index }: RoleRules, { state }: AccessModel) {
  const { securityIndex } = state.semantics;
  // Later builds of Search Guard put a dot before it.
  const names = [securityIndex, securityIndex.replace(/^\.?/, ".")];
  const covers = memoiseByKey((pattern: string) => coversOneOf(pattern, names, state.semantics));
  const cases = index.flatMap(({ patterns, actions }) =>
    patterns
      .filter((pattern) => covers(pattern) !== "no")
      .flatMap((pattern) => actions.map((granted) => ({ pattern, granted }))),
  );
  return findFirst(cases, ({ pattern, granted }) =>
    combineAll([
      covers(pattern),
      combineAny(securityIndexWrites.map((action) => matchesPattern(granted.pattern, action))),
    ]),
  );
}

/** Whether an index pattern covers one of some names; never what is about all indices. */
function coversOneOf(pattern: string, names: readonly string[], semantics: Semantics): Verdict {
  if (pattern === "_all" || pattern === "*") return "no";
  // What a user is called decides; where nothing else is written, that is no name of this index.
  const written = pattern.replace(/\$\{[^}]*\}/g, pattern.startsWith("/") ? ".*" : "*");
  const most = widenPattern(written) ?? written;
  if (!names.some((name) => mayContain(most, name)) || includes([most], "?*") === "yes") return "no";
  return written !== pattern
    ? "unknown"
    : combineAny(names.map((name) => coversIndex(pattern, { name }, semantics, noSubject)));
}

/** The pattern has no variables. */
const noSubject: Subject = { backendRoles: [] };

function hasPower(model: AccessModel, subject: Subject, power: Power, powers: Powers): Verdict {
  const held = model.holdings(subject).flatMap(({ role, verdict }) => {
    const own = powers(role).filter((one) => one.power === power);
    return own.map((one) => combineAll([verdict, one.verdict]));
  });
  return combineAll([combineAny(held), negate(isBlockedIn(model.state, subject))]);
}
