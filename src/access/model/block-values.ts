import { memoiseByObject } from "../../json/memoise.ts";
import { listTexts } from "../../json/value.ts";
import { includes } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { includesNetwork, parseAddress, parseAddressPattern, parseNetwork } from "../patterns/network.ts";
import type { AccessState, HeldEntries } from "./state.ts";
import { type Member, type Subject, toKnownUser } from "./subject.ts";
import { createSubjectIn } from "./users.ts";

// A block that names some of the users of a pattern divides them: `u*` behind an entry that lets in `u1` alone is u1, who
// is let in, and all others, who are not. Each is a principal of its own.

/** What the blocks of some states let in of a member that is a pattern, each a member of its own. */
export function listAllowedMembers(member: Member, states: readonly AccessState[]): readonly Member[] {
  return listValuesWithin(member, states, ({ isAllowed }) => isAllowed).map((value) => ({
    ...member,
    entries: [value],
  }));
}

/** The subject of a member of a mapping, other than what blocks name: that is a principal of its own. */
export function createPrincipalSubject(member: Member, states: readonly AccessState[]): Subject {
  const subject = createSubjectIn(states[0] ?? {}, member);
  const values = listValuesWithin(member, states, () => true);
  return values.length === 0 ? subject : { ...subject, otherThan: new Set(values) };
}

interface BlockValue {
  readonly field: "users" | "hosts";
  readonly value: string;
  readonly isAllowed: boolean;
}

const listBlockValues = memoiseByObject((blocks: HeldEntries): readonly BlockValue[] =>
  [...blocks.values()].flatMap(({ type, verdict, value }) =>
    listTexts(value).map(
      (text): BlockValue => ({
        field: type === "name" ? "users" : "hosts",
        value: text,
        isAllowed: verdict === "allow",
      }),
    ),
  ),
);

/** Values that match nothing but what the member matches. */
function listValuesWithin(
  { field, entries: [entry = ""] }: Member,
  states: readonly AccessState[],
  isMeant: (one: BlockValue) => boolean,
): readonly string[] {
  if ((field !== "users" && field !== "hosts") || "name" in toKnownUser(entry)) return [];
  const isWithin = field === "users" ? isNameWithin : isAddressWithin;
  const all = states.flatMap(({ blocks }) => listBlockValues(blocks));
  const found = all.filter(
    (one) => one.field === field && one.value !== entry && isMeant(one) && isWithin(one.value, entry),
  );
  return [...new Set(found.map(({ value }) => value))];
}

function isNameWithin(value: string, pattern: string): boolean {
  return ("name" in toKnownUser(value) ? matchesPattern(pattern, value) : includes([pattern], value)) === "yes";
}

function isAddressWithin(value: string, pattern: string): boolean {
  if (parseAddress(value)) return matchesPattern(pattern, value) === "yes";
  const [network, all] = [parseNetwork(value), parseAddressPattern(pattern)];
  return network !== undefined && (/^\*+$/.test(pattern) || (all !== undefined && includesNetwork(all, network)));
}
