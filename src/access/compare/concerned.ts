import { listTexts } from "../../json/value.ts";
import { needsOneRole } from "../evaluate/request.ts";
import { type AccessModel, createAccessModel, narrowModel, overlayModel } from "../model/access-model.ts";
import { createPrincipalSubject } from "../model/block-values.ts";
import type { Member } from "../model/subject.ts";
import type { ConcernedSubject } from "./between.ts";
import { createGrantsFinder } from "./grants.ts";
import { findPairs, findPairsAmong, joinSubjects } from "./pairs.ts";
import {
  findTouched,
  getMemberKeyText,
  getMostEvaluated,
  listChangedNames,
  listPrincipals,
  type TouchedPrincipal,
} from "./touched.ts";

/** More than these are too many to evaluate. */
const mostPrincipals = 10_000;
const mostSorts = 40;

export interface ConcernedSubjects {
  readonly concerned: readonly ConcernedSubject[];
  /** How many principals there are beyond those. */
  readonly others: number;
  /** Not everybody who is two principals at once is among them. */
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
  const principals = everybody.slice(0, getMostEvaluated(models, mostPrincipals));
  const between = crossed(before, after, touched);
  const restricted = findPairs(before, after);
  const intermediate = between.length > 0 ? findPairsAmong(all, [...models, ...between], restricted.firsts) : undefined;
  const ends = [narrowModel(before, touched), narrowModel(after, touched)];
  const sorts = sortsOf(principals, ends);
  const own = sorts.slice(0, mostSorts);
  // One may lose what the other gains: who is both has it before and after, but perhaps not in an intermediate state.
  const ofBlocks = membersOfBlocks(before, after).map((member) => ({
    member,
    subject: createPrincipalSubject(member, [before.state, after.state]),
  }));
  const letIn = sortsOf(listLetIn(before, after), ends);
  // Roles together permit more, or one of them less, than before: who holds untouched roles besides is concerned, too.
  const isSpanChanged = needsOneRole(before) !== needsOneRole(after);
  const besides = isSpanChanged ? sortsOf(listPrincipals(listMappedRoles(models), models), models) : [];
  const both = [
    ...[...ofBlocks, ...[letIn, besides].flatMap((some) => some.slice(0, mostSorts))].flatMap((one) =>
      own.map((other) => [one, other] as const),
    ),
    ...own.flatMap((one, at) => own.slice(at + 1).map((other) => [one, other] as const)),
  ];
  const pairs = [...restricted.pairs, ...(intermediate?.pairs ?? [])].map(
    ({ first, second }) => [first, second] as const,
  );
  return {
    concerned: [
      ...personas,
      ...principals.map(({ member, subject }): ConcernedSubject => ({ who: { kind: "principal", member }, subject })),
      ...pairUp([...pairs, ...both]),
    ],
    others: everybody.length - principals.length,
    tooManyPairs:
      restricted.tooMany || intermediate?.tooMany || [sorts, letIn, besides].some(({ length }) => length > mostSorts),
  };
}

/** Each two as one subject, once, whichever comes first; but for those that cannot be one person. */
function pairUp(twos: readonly (readonly [Principal, Principal])[]): readonly ConcernedSubject[] {
  const pairs = new Map<string, ConcernedSubject>();
  for (const [one, other] of twos) {
    const members = [one.member, other.member] as const;
    const [first = "", second = ""] = members.map(getMemberKeyText).sort();
    const key = `${first} ${second}`;
    const subject = first === second || pairs.has(key) ? undefined : joinSubjects(one.subject, other.subject);
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

/** A role of one side together with the restrictions of the other side: only an intermediate state has this. */
function crossed(before: AccessModel, after: AccessModel, touched: ReadonlySet<string>): readonly AccessModel[] {
  const [old, wanted] = [before.state, after.state];
  if (
    listChangedNames(old.roles, wanted.roles).length === 0 ||
    listChangedNames(old.mappings, wanted.mappings).length === 0
  )
    return [];
  const [was, will] = [narrowModel(before, touched).state, narrowModel(after, touched).state];
  return [
    overlayModel(before, createAccessModel({ ...was, mappings: will.mappings }), touched),
    overlayModel(before, createAccessModel({ ...will, mappings: was.mappings }), touched),
  ];
}

/** Whom a block that comes, goes or changes is about. */
function membersOfBlocks(before: AccessModel, after: AccessModel): readonly Member[] {
  const names = listChangedNames(before.state.blocks, after.state.blocks);
  return names.flatMap((name) =>
    [before, after].flatMap(({ state }): readonly Member[] => {
      const block = state.blocks.get(name);
      if (!block) return [];
      const field = block.type === "name" ? "users" : "hosts";
      const named = listTexts(block.value).map((value) => value.split("/", 1)[0] ?? "");
      const all = block.verdict === "allow" ? [...named, unnamed[field]] : named;
      return all.map((value): Member => ({ field, entries: [value] }));
    }),
  );
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
