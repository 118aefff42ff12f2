import { roleMappings } from "../../families/role-mappings.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { listTexts } from "../../json/value.ts";
import { type Condition, createFact, joinAll, toCondition, type Verdict } from "../verdict.ts";
import { getKeyRoleName } from "./api-keys.ts";
import { isGiven, type Mapping, meansAll } from "./mapped.ts";
import type { AccessState, ChangedUsers } from "./state.ts";
import { type KnownUser, listMembers, type Member, type Subject } from "./subject.ts";

/** A role that a subject has, or may have, and how it comes by it. */
export interface Holding {
  readonly role: string;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly member: Member;
  /** It may be held, may grant or may refuse by fields that gate-sync does not know: their canonical text. */
  readonly unknown?: { readonly by: "mapping" | "grant" | "refusal"; readonly fields: string };
  /** It grants nothing unless there is such a role, which is unknown: whether the subject has it otherwise. */
  readonly unlisted?: { readonly isGiven: Verdict };
  /** It refuses what the server fails over: because of what of the role, and on what condition. */
  readonly failing?: Failing & { readonly when: Condition };
  /** Host names are resolved: whether a host has the role depends on its name as well. */
  readonly resolvesHosts?: true;
}

/** A pattern that becomes an expression that Java refuses, or the first pattern of a query that is not held to one document. */
export interface Failing {
  readonly kind: "refused-expression" | "rewritten-query";
  readonly pattern: string;
}

/** Under what condition a subject has the role: the same for the same member of a mapping, whatever the role. */
export function getHoldingCondition(holding: Holding): Condition {
  const { unlisted, role, failing } = holding;
  if (failing) return failing.when;
  if (!unlisted) return getGivenCondition(holding);
  const isThere = createFact(JSON.stringify(["there", role]));
  return joinAll([getGivenCondition({ ...holding, verdict: unlisted.isGiven }), isThere]);
}

function getGivenCondition({ verdict, member: { field, entries }, resolvesHosts, unknown }: Holding): Condition {
  return toCondition(verdict, () =>
    JSON.stringify(["member", field, entries, resolvesHosts === true, unknown ?? null]),
  );
}

/** Finds the roles of a subject; mappings are sorted out once. */
export type HoldingsOf = (subject: Subject) => readonly Holding[];

interface Entry {
  readonly role: string;
  readonly member: Member;
}

/** A mapping with fields that gate-sync does not know, which may give its role to anybody. */
interface UnknownMapping {
  readonly role: string;
  readonly unknown: NonNullable<Holding["unknown"]>;
}

/** Members with one plain name are looked up by that name; all others are tried. */
interface Sorted {
  readonly byName: Readonly<Record<Plain, ReadonlyMap<string, readonly Entry[]>>>;
  /** The members of `byName`, for a subject whose names are not known. */
  readonly named: readonly (readonly Entry[])[];
  readonly unknown: readonly UnknownMapping[];
  /** The rest, of which some may give a role: by which of the fields a subject has a value. */
  readonly others: (has: Readonly<Record<Plain, boolean>>) => readonly Entry[];
}

type Plain = "users" | "backend_roles" | "hosts";

export function createHoldingsFinder(state: AccessState): HoldingsOf {
  const { mappings, semantics, settings, changedUsers } = state;
  const resolution = settings.mappingResolution ?? "MAPPING_ONLY";
  const mapping: Mapping = {
    starMatchesNone: semantics.starMatchesNoBackendRole ? "yes" : "no",
    resolvesHosts: settings.resolvesHosts ? "unknown" : "no",
  };
  return (known) => {
    if (known.apiKey !== undefined) {
      const member: Member = { field: "api_keys", entries: [known.apiKey] };
      return [{ role: getKeyRoleName(known.apiKey, state), verdict: "yes", member }];
    }
    const subject = changedUsers ? withChangedUser(known, changedUsers) : known;
    if (subject === undefined) return [];
    const found: Holding[] = [];
    const add = (role: string, verdict: Verdict, member: Member, unknown?: Holding["unknown"]): void => {
      if (verdict === "no") return;
      const isResolved = member.field === "hosts" && settings.resolvesHosts === true;
      found.push({
        role,
        verdict,
        member,
        ...(unknown && { unknown }),
        ...(isResolved && { resolvesHosts: true }),
      });
    };
    for (const role of subject.roles ?? []) add(role, "yes", { field: "itself", entries: [role] });
    if (resolution !== "MAPPING_ONLY") {
      for (const role of subject.backendRoles) {
        if ("name" in role) add(role.name, "yes", { field: "itself", entries: [role.name] });
      }
    }
    if (resolution !== "BACKENDROLES_ONLY") {
      const sorted = sortOut(mappings);
      for (const { role, member } of listCandidates(sorted, subject))
        add(role, isGiven(member, subject, mapping), member);
      for (const { role, unknown } of sorted.unknown)
        add(role, "unknown", { field: "itself", entries: [role] }, unknown);
    }
    return removeDoubted(found);
  };
}

/** With what the user has in this state; undefined where there is no such user, so that nobody can log in as it. */
function withChangedUser(subject: Subject, { names, held }: ChangedUsers): Subject | undefined {
  const { user } = subject;
  if (!user || !("name" in user) || !names.has(user.name)) return subject;
  const own = held.get(user.name);
  if (!own) return undefined;
  return {
    ...subject,
    backendRoles: [...subject.backendRoles, ...listTexts(own.backend_roles).map((name): KnownUser => ({ name }))],
    roles: [...new Set([...(subject.roles ?? []), ...listTexts(own.roles)])],
  };
}

/** A role that is held for certain by one member does not depend on another. */
function removeDoubted(found: readonly Holding[]): readonly Holding[] {
  if (found.every(({ verdict }) => verdict === "yes")) return found;
  const sure = new Set(found.flatMap(({ role, verdict }) => (verdict === "yes" ? [role] : [])));
  return sure.size === 0 ? found : found.filter(({ role, verdict }) => verdict === "yes" || !sure.has(role));
}

/** Kept: states that differ in something else have the same mappings. */
const sortOut = memoiseByObject((mappings: AccessState["mappings"]): Sorted => {
  const byName = {
    users: new Map<string, Entry[]>(),
    backend_roles: new Map<string, Entry[]>(),
    hosts: new Map<string, Entry[]>(),
  };
  const named: Entry[][] = [];
  const others: Entry[] = [];
  const unknown: UnknownMapping[] = [];
  for (const [role, fields] of mappings) {
    const text = getUnknownText(fields, roleMappings.fields);
    if (text !== undefined) unknown.push({ role, unknown: { by: "mapping", fields: text } });
    for (const member of listMembers(fields)) {
      const { field, entries } = member;
      const [name = ""] = entries;
      if (!isSingle(field) || !isName(field, name)) others.push({ role, member });
      else {
        const same = byName[field].get(name);
        if (same) same.push({ role, member });
        else {
          const first = [{ role, member }];
          byName[field].set(name, first);
          named.push(first);
        }
      }
    }
  }
  return { byName, named, unknown, others: createOthersFinder(others) };
});

function isSingle(field: Member["field"]): field is Plain {
  return field === "users" || field === "backend_roles" || field === "hosts";
}

/** Of hosts only addresses: what looks like a name may be the name of any address. */
function isName(field: Plain, entry: string): boolean {
  return field === "hosts" ? /^[\d.]+$/.test(entry) : !/[*?/$]/.test(entry);
}

/** By a field of which a subject has no value, only a member that matches everybody gives it a role. */
function createOthersFinder(all: readonly Entry[]): Sorted["others"] {
  const known = new Map<string, readonly Entry[]>();
  return (has) => {
    const key = [has.users, has.backend_roles, has.hosts].join();
    const found =
      known.get(key) ??
      all.filter(({ member: { field, entries } }) => {
        if (!isSingle(field) || has[field]) return true;
        return entries.some((entry) => meansAll(entry) !== "no");
      });
    known.set(key, found);
    return found;
  };
}

function listCandidates({ byName, named, others }: Sorted, { user, backendRoles, host }: Subject): readonly Entry[] {
  const of = (field: Plain, who: KnownUser): readonly Entry[] =>
    "name" in who ? (byName[field].get(who.name) ?? []) : none;
  const all = [
    ...(user ? [["users", user] as const] : []),
    ...backendRoles.map((role) => ["backend_roles", role] as const),
    ...(host && host !== "unknown" ? [["hosts", host] as const] : []),
  ];
  const tried = others({ users: !!user, backend_roles: backendRoles.length > 0, hosts: host !== undefined });
  // A regular expression may match only one name.
  if (host === "unknown" || all.some(([, who]) => "pattern" in who && who.pattern.startsWith("/")))
    return [...named.flat(), ...tried];
  return [...all.flatMap(([field, who]) => of(field, who)), ...tried];
}

const none: readonly Entry[] = [];
