// One request of one user before and after a plan was applied, compared with the plan's access diff.

import type { User } from "./fixtures.ts";
import { type Aliases, differencesAbout, isOpen, limitsIn, type ReportedDifference } from "./reported.ts";
import { expectedOf, masked, type Seen } from "./seen.ts";

/** What a request led to: refused, or allowed; of a search, with what is seen. */
export interface Effect {
  readonly allowed: boolean;
  readonly seen?: Seen;
}

export interface StatePair {
  readonly user: User;
  /** At the level of the cluster, and on the index. */
  readonly actions: { readonly cluster: readonly string[]; readonly index: readonly string[] };
  readonly index?: string;
  /** Those of the server; absent: there are none. */
  readonly aliases?: Aliases;
  readonly before: Effect;
  readonly after: Effect;
  /** The server takes names in FLS for patterns as of indices. */
  readonly fieldPatterns?: boolean;
}

/** A line for each action that the diff of one principal names more than once on this index. */
export function findRepeated(statePair: StatePair, differences: readonly ReportedDifference[]): readonly string[] {
  return differencesOfEach(statePair, differences)
    .filter((some) => some.length > 1)
    .map((some) => `several differences of one action, the diff: ${some.map(({ kind }) => kind)}`);
}

function differencesOfEach(
  { actions, index, aliases }: StatePair,
  differences: readonly ReportedDifference[],
): readonly (readonly ReportedDifference[])[] {
  return [
    ...actions.cluster.map((action) => certainFirst(differencesAbout(differences, action, undefined))),
    ...actions.index.map((action) => certainFirst(differencesAbout(differences, action, index, aliases))),
  ];
}

/**
 * Lines for what differs from a diff that is exact for this user. A difference that is certain for an internal user wins
 * over one that is unknown for other holders of the same member. Of a user by name and by backend role both may gain alike.
 */
export function findContradictions(
  statePair: StatePair,
  differences: readonly ReportedDifference[],
): readonly string[] {
  const { before, after } = statePair;
  const of = differencesOfEach(statePair, differences);
  const all = of.flat();
  const states = (...kinds: readonly ReportedDifference["kind"][]) => all.find(({ kind }) => kinds.includes(kind));
  const wrong: string[] = [];
  const add = (isWrong: unknown, text: string) => {
    if (isWrong) wrong.push(`${text}, the diff: ${all.map(({ kind }) => kind)}`);
  };
  const [was, is] = [before.allowed, after.allowed];
  add(
    of.some((some) => new Set(some.map(({ kind }) => kind)).size > 1),
    "differences of several kinds about one action",
  );
  const isReported = (reported: ReportedDifference | undefined) => reported !== undefined && !isOpen(reported);
  add(was && isReported(states("gained")), "allowed before");
  add(is && isReported(states("lost")), "allowed after");
  add(was && !is && !states("lost", "may-lose", "may-change"), "lost");
  add(!was && is && !states("gained", "may-gain", "may-change"), "gained");
  if (of.length === 1) {
    add(!is && states("gained"), "refused after");
    add(!was && states("lost"), "refused before");
    add(!(was && is) && states("widened", "narrowed", "changed"), "refused");
  }
  const [one] = all;
  if (one && isOpen(one)) return wrong;
  wrong.push(...seenAs("before", statePair, one?.before, one), ...seenAs("after", statePair, one?.after, one));
  if (!before.seen || !after.seen) return wrong;
  const [isLess, isMore] = [isPart(after.seen, before.seen), isPart(before.seen, after.seen)];
  const isSame = isLess && isMore;
  add(!one && !isSame, `other documents or fields: ${JSON.stringify(before.seen)}, then ${JSON.stringify(after.seen)}`);
  add(one?.kind === "widened" && !isMore, "less is seen");
  add(one?.kind === "narrowed" && !isLess, "more is seen");
  return wrong;
}

function certainFirst(found: readonly ReportedDifference[]): readonly ReportedDifference[] {
  const certain = found.filter(({ kind }) => !kind.startsWith("may-"));
  return certain.length > 0 ? certain : found;
}

function seenAs(
  when: "before" | "after",
  { user, fieldPatterns, [when]: { seen } }: StatePair,
  limits: ReportedDifference["before"],
  one: ReportedDifference | undefined,
): readonly string[] {
  if (!seen || !one) return [];
  const known = limitsIn(limits, fieldPatterns);
  if (!known) return [];
  // What a query finds by a field that FLS names with `?` or an expression is not worked out.
  const { only = [], not } = known.fields;
  if (known.documents && [...only, ...not].some((name) => /[?/]/.test(name))) return [];
  const expected = expectedOf(known, user);
  if (isPart(seen, expected) && isPart(expected, seen)) return [];
  return [`${when} ${JSON.stringify(seen)} is seen, the diff: ${one.kind} ${JSON.stringify(limits)}`];
}

/** Whether no document and no field is seen that is not seen in the other. */
function isPart(seen: Seen, other: Seen): boolean {
  return Object.entries(seen).every(([id, document]) => {
    const its = other[id];
    if (!its) return false;
    return Object.entries(document).every(
      ([field, value]) => field in its && (its[field] === value || value === masked),
    );
  });
}

/** Lines for what changes for a user where no difference of its principals explains it. */
export function findUnexplained(statePair: StatePair, differences: readonly ReportedDifference[]): readonly string[] {
  const { actions, index, aliases, before, after } = statePair;
  const all = [
    ...actions.cluster.flatMap((action) => differencesAbout(differences, action, undefined)),
    ...actions.index.flatMap((action) => differencesAbout(differences, action, index, aliases)),
  ];
  const states = (...kinds: readonly ReportedDifference["kind"][]) => all.some(({ kind }) => kinds.includes(kind));
  const explained = `the diff of the principals has ${all.map(({ kind }) => kind).join() || "nothing"}`;
  if (before.allowed !== after.allowed) {
    const isReported = after.allowed
      ? states("gained", "may-gain", "may-change")
      : states("lost", "may-lose", "may-change");
    return isReported ? [] : [`${after.allowed ? "gained" : "lost"}, and ${explained}`];
  }
  if (!before.seen || !after.seen) return [];
  const [isLess, isMore] = [isPart(after.seen, before.seen), isPart(before.seen, after.seen)];
  if (isLess && isMore) return [];
  const isReported =
    states("changed", "may-gain", "may-lose", "may-change") ||
    (isMore && states("widened", "gained")) ||
    (isLess && states("narrowed", "lost")) ||
    (states("widened", "gained") && states("narrowed", "lost"));
  return isReported ? [] : [`${isMore ? "more" : isLess ? "less" : "other things"} seen, and ${explained}`];
}
