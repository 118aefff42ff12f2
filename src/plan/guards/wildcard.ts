import { permissionTexts } from "../../access/compare/touched.ts";
import { textsOf } from "../../access/groups.ts";
import { meansAll } from "../../access/mapped.ts";
import { nounOfWay, type Way } from "../../access/subject.ts";
import { type UnnamedGain, type UnnamedGains, unnamedGains } from "../../access/unnamed/gains.ts";
import { isOpen } from "../../access/unnamed/open.ts";
import { nounOf } from "../../families/index.ts";
import type { Change } from "../../model/change.ts";
import { addressOf, type ResourceFamily } from "../../model/names.ts";
import { causesOf, type Ends } from "./causes.ts";
import { gainedWords } from "./gained-words.ts";
import type { Finding, Guard } from "./guard.ts";

/** By what the plan does, whatever it says: what holds before is compared with what holds after it. */
export const wildcard: Guard = {
  rule: "wildcard",
  refuses: "A plan by which users whose names no mapping spells out gain access or see more, as by a mapping of `*`.",
  byDefault: "always; where it is unknown, too",
  setBy: "nothing",
  judge({ access, pending }) {
    if (!access) return [];
    if ("unread" in access) return unreadFinding(pending, access.unread);
    const ends = { before: access.before.state, after: access.after.state };
    const found = unnamedGains(ends.before, ends.after);
    if (!isAny(found)) return [];
    const changes = concerned(pending, found, ends);
    const addresses = causesOf(changes, ends, (before, after) => isAny(unnamedGains(before, after)));
    return [{ rule: "wildcard", ...wordsOf(found), addresses }];
  },
};

function isAny({ gains, tooMany }: UnnamedGains): boolean {
  return gains.length > 0 || tooMany;
}

const granting: readonly Change["family"][] = ["roles", "role_mappings", "action_groups", "blocks"];

function unreadFinding(pending: readonly Change[], unread: readonly ResourceFamily[]): readonly Finding[] {
  const changes = pending.filter(({ family }) => granting.includes(family));
  if (changes.length === 0) return [];
  const families = unread.map((family) => nounOf(family, 2)).join(" and ");
  return [
    {
      rule: "wildcard",
      what: `Unknown whether everybody gains access: ${families} cannot be read.`,
      why: "One of these may be mapped by `*`. Let the login of this run read them.",
      addresses: changes.map(({ family, name }) => addressOf(family, name)),
    },
  ];
}

/** Changes that have to do with what is held by those who gain. */
function concerned(pending: readonly Change[], { gains, tooMany }: UnnamedGains, ends: Ends): readonly Change[] {
  const roles = new Set(gains.flatMap(({ holdings }) => holdings.map(({ role }) => role)));
  const groups = groupsOf(roles, ends);
  const found = pending.filter(({ family, name }) => {
    if (family === "roles" || family === "role_mappings") return roles.has(name);
    if (family === "action_groups") return groups.has(name);
    return family !== "license";
  });
  return tooMany || found.length === 0 ? pending.filter(({ family }) => family !== "license") : found;
}

/** The groups that roles use, in any depth, before or after. */
function groupsOf(roles: ReadonlySet<string>, { before, after }: Ends): ReadonlySet<string> {
  const states = [before, after];
  const found = new Set(
    states.flatMap((state) => [...roles].flatMap((role) => permissionTexts(state.roles.get(role) ?? {}))),
  );
  for (const name of found)
    for (const { groups } of states)
      for (const text of textsOf(groups.get(name) ?? {}, "allowed_actions")) found.add(text);
  return found;
}

function wordsOf({ gains, tooMany }: UnnamedGains): Pick<Finding, "what" | "why"> {
  const words = [...new Set(gains.flatMap(gainedWords))];
  if (words.length === 0 && tooMany) {
    return {
      what: "Unknown whether everybody gains access: there are too many patterns to compare.",
      why: "Mappings, roles or blocks have too many patterns that overlap.",
    };
  }
  const shown = words.slice(0, mostShown);
  const more = words.length - shown.length;
  return {
    what: `${whoOf(gains)} would gain access: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    why: whyOf(gains),
  };
}

const mostShown = 5;

function whoOf(gains: readonly UnnamedGain[]): string {
  if (gains.every(({ isAnonymous }) => isAnonymous)) return "Users who are not logged in";
  return openEntries(gains).some(({ entries }) => entries.every((entry) => meansAll(entry) !== "no"))
    ? "Everybody"
    : "Users whose names no mapping spells out";
}

function whyOf(gains: readonly UnnamedGain[]): string {
  const entries = openEntries(gains).map(
    ({ field, entries: all }) => `${nounOfWay[field]} ${all.map((entry) => JSON.stringify(entry)).join(" and ")}`,
  );
  const shown = [...new Set(entries)].slice(0, mostShown).join(", ");
  return shown === ""
    ? "The role is mapped to those who have not logged in."
    : `Mapped by ${shown}: this matches names that nobody has written down.`;
}

function openEntries(gains: readonly UnnamedGain[]): readonly Way[] {
  return gains.flatMap(({ holdings }) => holdings.map(({ way }) => way)).filter(({ entries }) => entries.some(isOpen));
}
