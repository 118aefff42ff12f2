import { memoise } from "../../../json/memoise.ts";
import { listTexts } from "../../../json/value.ts";
import { type AccessModel, createAccessModel, narrowModel, overlayModel } from "../../model/access-model.ts";
import { createPrincipalSubject } from "../../model/block-values.ts";
import { needsOneRole } from "../../model/settings.ts";
import type { Member } from "../../model/subject.ts";
import { listWithCrossedUsers } from "../crossed-users.ts";
import { listNamed, listNamedRanges, listWithin, type Named, placeNamed } from "../named-by-blocks.ts";
import { findPairs, findPairsAmong, joinSubjects } from "../pairs.ts";
import { createGrantsFinder } from "../table/grants.ts";
import {
  findTouched,
  getMemberKeyText,
  getMostEvaluated,
  listChangedNames,
  listPrincipals,
  type TouchedPrincipal,
} from "../touched.ts";
import type { ConcernedSubject } from "./intermediate-check.ts";
import { findHarmedTogether } from "./together.ts";

/** More than these are too many to evaluate. */
const mostPrincipals = 10_000;
/** Of more than these, and where there are too many pairs, one of each sort of them is paired. */
const mostPaired = 300;
const mostCombined = 1_600;

export interface ConcernedSubjects {
  readonly concerned: readonly ConcernedSubject[];
  /** How many principals there are beyond those. */
  readonly others: number;
  /** Not all pairs are among them that an intermediate state may harm, though it harms neither of the two. */
  readonly tooManyPairs: boolean;
}

/** Whom the change from one state to another may concern: principals, personas, and pairs of principals. */
export function findConcerned(
  before: AccessModel,
  after: AccessModel,
  personas: readonly ConcernedSubject[] = [],
): ConcernedSubjects {
  const models = [before, after];
  const all = findTouched(before, after);
  const { roles: touched, everybody } = all;
  const ends = [narrowModel(before, touched), narrowModel(after, touched)] as const;
  const most = getMostEvaluated(models, mostPrincipals);
  const principals: readonly Principal[] = [...everybody, ...listCrossedUsers(ends, everybody)].slice(0, most);
  const crossed = crossModels(ends);
  const between = crossed.map((model) => overlayModel(before, model, touched));
  const restricted = findPairs(before, after);
  const intermediate = between.length > 0 ? findPairsAmong(all, [...models, ...between], restricted.firsts) : undefined;
  const sorts = memoise(() => sortsOf(principals, ends));
  const pairUpOwn = (own: readonly Principal[]) => findHarmedTogether(own, { ends, crossed });
  const together = findFewEnough([() => pairUpOwn(principals), () => pairUpOwn(sorts())], principals);
  const ofBlocks = membersOfBlocks(before, after).map((member) => ({
    member,
    subject: createPrincipalSubject(member, [before.state, after.state]),
  }));
  const letIn = sortsOf(listLetIn(before, after), ends);
  // Roles together permit more, or one of them less, than before: who holds untouched roles besides is concerned, too.
  const isSpanChanged = needsOneRole(before) !== needsOneRole(after);
  const besides = isSpanChanged ? sortsOf(listPrincipals(listMappedRoles(models), models), models) : [];
  const others = [...ofBlocks, ...letIn, ...besides];
  const withOthers = findFewEnough([() => combine(others, principals), () => combine(others, sorts())], principals);
  const pairs = [
    ...[...restricted.pairs, ...(intermediate?.pairs ?? [])].map((pair) => [pair.first, pair.second, pair] as const),
    ...withOthers.pairs,
    ...together.pairs,
  ];
  return {
    concerned: [
      ...personas,
      ...principals.map(({ member, subject }): ConcernedSubject => ({ who: { kind: "principal", member }, subject })),
      ...pairUp(pairs),
    ],
    others: Math.max(0, everybody.length - principals.length),
    tooManyPairs: restricted.tooMany || intermediate?.tooMany || together.tooMany || withOthers.tooMany,
  };
}

interface FoundPairs {
  readonly pairs: readonly (readonly [Principal, Principal])[];
  readonly tooMany: boolean;
}

/** Of all principals, which is exact even where a request is split between two of a sort; else of their sorts. */
function findFewEnough(
  [ofAll, ofSorts]: readonly [() => FoundPairs, () => FoundPairs],
  principals: readonly Principal[],
): FoundPairs {
  const found = principals.length > mostPaired ? undefined : ofAll();
  return found && !found.tooMany ? found : ofSorts();
}

/** Each of some with each of others, as far as they are not too many. */
function combine(some: readonly Principal[], others: readonly Principal[]): FoundPairs {
  const most = Math.ceil(mostCombined / Math.max(some.length, 1));
  const pairs = some
    .slice(0, mostCombined)
    .flatMap((one) => others.slice(0, most).map((other) => [one, other] as const));
  return { pairs, tooMany: some.length * others.length > mostCombined };
}

/** Each two as one subject, once, whichever comes first; but for those that cannot be one person. */
function pairUp(
  twos: readonly (readonly [Principal, Principal, known?: Pick<Principal, "subject">])[],
): readonly ConcernedSubject[] {
  const pairs = new Map<string, ConcernedSubject>();
  for (const [one, other, known] of twos) {
    const members = [one.member, other.member] as const;
    const [first = "", second = ""] = members.map(getMemberKeyText).sort();
    const key = `${first} ${second}`;
    if (first === second || pairs.has(key)) continue;
    // The same object as in the access diff: what is known of it serves both.
    const subject = known?.subject ?? joinSubjects(one.subject, other.subject);
    if (subject) pairs.set(key, { who: { kind: "pair", members }, subject });
  }
  return [...pairs.values()];
}

function listMappedRoles(models: readonly AccessModel[]): ReadonlySet<string> {
  return new Set(models.flatMap(({ state }) => [...state.mappings.keys()]));
}

type Principal = Pick<TouchedPrincipal, "member" | "subject">;

/** One of each sort of principals to whom the plan does the same. */
function sortsOf(principals: readonly Principal[], ends: readonly AccessModel[]): readonly Principal[] {
  const grantsOf = createGrantsFinder();
  const sorts = new Map<string, Principal>();
  for (const principal of principals) {
    const grants = ends.map((end) => grantsOf(end, principal.subject).key);
    const key = JSON.stringify([principal.member.field, ...grants]);
    if (!sorts.has(key)) sorts.set(key, principal);
  }
  return [...sorts.values()];
}

/** Those that are let in shut out everybody else. The address is one of those kept for examples. */
const unnamed = { users: "anybody else", hosts: "203.0.113.99" } as const;

/** Internal users who have a role neither before nor after, but with what the other side says of them. */
function listCrossedUsers(
  ends: readonly [AccessModel, AccessModel],
  others: readonly TouchedPrincipal[],
): readonly Principal[] {
  const known = new Set(others.map(({ key }) => key));
  const states = ends.map(({ state }) => state);
  const models = listWithCrossedUsers(ends);
  return [...(ends[0].state.changedUsers?.names ?? [])].flatMap((name): readonly Principal[] => {
    const member: Member = { field: "users", entries: [name] };
    if (known.has(getMemberKeyText(member))) return [];
    const subject = createPrincipalSubject(member, states);
    return models.some((model) => model.holdings(subject).length > 0) ? [{ member, subject }] : [];
  });
}

/** A role of one side together with the restrictions of the other side: only an intermediate state has this. */
function crossModels([{ state: was }, { state: will }]: readonly [AccessModel, AccessModel]): readonly AccessModel[] {
  const [roles, mappings] = [listChangedNames(was.roles, will.roles), listChangedNames(was.mappings, will.mappings)];
  if (roles.length === 0 || mappings.length === 0) return [];
  return [
    createAccessModel({ ...was, mappings: will.mappings }),
    createAccessModel({ ...will, mappings: was.mappings }),
  ];
}

/** Whom a block that comes, goes or changes is about. */
function membersOfBlocks(before: AccessModel, after: AccessModel): readonly Member[] {
  const names = listChangedNames(before.state.blocks, after.state.blocks);
  const ranges =
    names.length === 0 ? [] : listNamedRanges([before, after].flatMap(({ state }) => listNamed(state.blocks)));
  return names.flatMap((name) =>
    [before, after].flatMap(({ state }): readonly Member[] => {
      const block = state.blocks.get(name);
      if (!block) return [];
      const { type } = block;
      if (type !== "name" && type !== "ip" && type !== "net_mask") return [];
      const named = listTexts(block.value).flatMap((value) => listPlaced({ type, value }, ranges));
      const field = type === "name" ? "users" : "hosts";
      return block.verdict === "allow" ? [...named, { field, entries: [unnamed[field]] }] : named;
    }),
  );
}

/** Who is named, and of a network each of the parts into which others divide it. */
function listPlaced(named: Named, ranges: ReturnType<typeof listNamedRanges>): readonly Member[] {
  const parts = [named, ...listWithin(named, ranges)];
  return parts.flatMap((part) => placeNamed(part, ranges)?.member ?? []);
}

/** Users whom blocks let in by name: of a principal that has no name it is unknown whether it is one of these. */
function listLetIn({ state: before }: AccessModel, { state: after }: AccessModel): readonly Principal[] {
  const blocks = [before, after].flatMap((state) => [...state.blocks.values()]);
  const names = blocks.flatMap(({ type, verdict, value }) =>
    type === "name" && verdict === "allow" ? listTexts(value) : [],
  );
  return [...new Set(names)].map((name) => {
    const member: Member = { field: "users", entries: [name] };
    return { member, subject: createPrincipalSubject(member, [before, after]) };
  });
}
