import type { Holding } from "../../access/model/holders.ts";
import { meansAll } from "../../access/model/mapped.ts";
import { listPermissionNames } from "../../access/model/roles.ts";
import { formatMemberBy, type Member } from "../../access/model/subject.ts";
import { findUnnamedGained, type UnnamedGain, type UnnamedGained } from "../../access/unnamed/gains.ts";
import { isOpen } from "../../access/unnamed/open.ts";
import { getNoun } from "../../families/index.ts";
import { collectReached } from "../../json/graph.ts";
import { listTexts } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { createAddress, type ResourceFamily } from "../../model/names.ts";
import { type CauseEnds, findCauses } from "./causes.ts";
import { formatGained } from "./gained-words.ts";
import type { Guard, GuardFinding, GuardInput } from "./guard.ts";
import { findOpenNodes } from "./open-nodes.ts";

/** By what the plan does, whatever it says: what holds before is compared with what holds after it. */
export const wildcard: Guard = {
  rule: "wildcard",
  refuses:
    "A plan by which users whose names no mapping spells out gain access or see more, as by a mapping of `*`, or by which any certificate is taken for a node's, as by `CN=*` in nodes_dn.",
  why: "It reaches users that no one has thought of: by users or hosts such as `*`, `??*` or 0* to 9*, by what their roles gain, or by a restriction or block that is removed. Users without a login count if anonymous login is on. team-* names a team and does not count.",
  fix: "Name users or backend roles in the mapping. Or restrict what its role grants. In nodes_dn, write what the nodes' certificates share.",
  byDefault: "always; where it is unknown, too",
  setBy: "nothing",
  waivedFor: "address",
  evaluate(evaluated) {
    return [...findOpenNodes(evaluated.pending), ...findUnnamed(evaluated)];
  },
};

function findUnnamed({ access, pending }: GuardInput): readonly GuardFinding[] {
  if (!access) return [];
  if ("unread" in access) return unreadFinding(pending, access.unread);
  const ends = { before: access.before.state, after: access.after.state };
  const found = findUnnamedGained(ends.before, ends.after);
  if (!isAny(found)) return [];
  const changes = concerned(pending, found, ends);
  const addresses = findCauses(changes, ends, (before, after) => isAny(findUnnamedGained(before, after)));
  return [{ ...wordsOf(found), addresses }];
}

function isAny({ gains, tooMany }: UnnamedGained): boolean {
  return gains.length > 0 || tooMany;
}

const granting: readonly Change["family"][] = ["roles", "role_mappings", "action_groups", "blocks"];

function unreadFinding(pending: readonly Change[], unread: readonly ResourceFamily[]): readonly GuardFinding[] {
  const changes = pending.filter(({ family }) => granting.includes(family));
  if (changes.length === 0) return [];
  const families = unread.map((family) => getNoun(family, 2)).join(" and ");
  return [
    {
      what: `Unknown whether everybody gains access: ${families} cannot be read.`,
      why: "One of these may be mapped by `*`. Let the login of this run read them.",
      addresses: changes.map(({ family, name }) => createAddress(family, name)),
    },
  ];
}

/** Changes that have to do with what those principals hold who gain. */
function concerned(pending: readonly Change[], { gains, tooMany }: UnnamedGained, ends: CauseEnds): readonly Change[] {
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
function groupsOf(roles: ReadonlySet<string>, { before, after }: CauseEnds): ReadonlySet<string> {
  const states = [before, after];
  const named = states.flatMap((state) =>
    [...roles].flatMap((role) => listPermissionNames(state.roles.get(role) ?? {})),
  );
  return collectReached(named, (name) => states.flatMap(({ groups }) => listTexts(groups.get(name)?.allowed_actions)));
}

function wordsOf({ gains, tooMany }: UnnamedGained): Pick<GuardFinding, "what" | "why"> {
  const words = [...new Set(gains.flatMap(formatGained))];
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
  const entries = openEntries(gains).map((member) => formatMemberBy(member, JSON.stringify));
  const shown = [...new Set(entries)].slice(0, mostShown).join(", ");
  if (shown !== "") return `Mapped by ${shown}: this matches names that are not listed anywhere.`;
  return gains.some(({ holdings }) => holdings.some(isByUnknownFields))
    ? "The mapping has fields that gate-sync does not know: whom they admit is unknown."
    : "The role is mapped to those who have not logged in.";
}

/** Of who has not logged in not the name that it is mapped by. */
function openEntries(gains: readonly UnnamedGain[]): readonly Member[] {
  return gains.flatMap(({ isAnonymous, holdings }) =>
    holdings.flatMap((holding) => {
      const { member } = holding;
      return isByUnknownFields(holding) || (isAnonymous && !member.entries.some(isOpen)) ? [] : [member];
    }),
  );
}

function isByUnknownFields({ unknown }: Holding): boolean {
  return unknown?.by === "mapping";
}
