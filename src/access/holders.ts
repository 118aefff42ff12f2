import { isGiven, type Mapping } from "./mapped.ts";
import type { AccessState } from "./state.ts";
import { type Subject, type Way, waysOf } from "./subject.ts";
import type { Verdict } from "./verdict.ts";

/** A role that a subject has, or may have, and how it comes by it. */
export interface Holding {
  readonly role: string;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly way: Way;
}

/** Finds the roles of a subject; mappings are sorted out once. */
export type HoldingsOf = (subject: Subject) => readonly Holding[];

interface Entry {
  readonly role: string;
  readonly way: Way;
}

/** What gives a role by one plain name is looked up by that name; all other ways are tried. */
interface Sorted {
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  readonly others: readonly Entry[];
}

export function holdingsIn({ mappings, judging, settings }: AccessState): HoldingsOf {
  const resolution = settings.mappingResolution ?? "MAPPING_ONLY";
  const mapping: Mapping = {
    starMeetsNone: judging.starMeetsNoBackendRole ? "yes" : "no",
    resolvesHosts: settings.resolvesHosts ? "unknown" : "no",
  };
  let sorted: Sorted | undefined;
  return (subject) => {
    const found: Holding[] = [];
    const add = (role: string, verdict: Verdict, way: Way): void => {
      if (verdict !== "no") found.push({ role, verdict, way });
    };
    for (const role of subject.roles ?? []) add(role, "yes", { field: "itself", entries: [role] });
    if (resolution !== "MAPPING_ONLY") {
      for (const role of subject.backendRoles) {
        if ("name" in role) add(role.name, "yes", { field: "itself", entries: [role.name] });
      }
    }
    if (resolution !== "BACKENDROLES_ONLY") {
      sorted ??= sortedOut(mappings);
      for (const { role, way } of candidates(sorted, subject)) add(role, isGiven(way, subject, mapping), way);
    }
    return withoutDoubted(found);
  };
}

/** What is held for certain is not held perhaps, by another way: nothing depends on that. */
function withoutDoubted(found: readonly Holding[]): readonly Holding[] {
  const sure = new Set(found.flatMap(({ role, verdict }) => (verdict === "yes" ? [role] : [])));
  return sure.size === 0 ? found : found.filter(({ role, verdict }) => verdict === "yes" || !sure.has(role));
}

function sortedOut(mappings: AccessState["mappings"]): Sorted {
  const byName = new Map<string, Entry[]>();
  const others: Entry[] = [];
  for (const [role, fields] of mappings) {
    for (const way of waysOf(fields)) {
      const [entry = ""] = way.entries;
      // Of hosts only addresses: what looks like a name may be the name of any address.
      const isPlain = way.field === "hosts" ? /^[\d.]+$/.test(entry) : isNameOf(way, entry);
      if (!isPlain) others.push({ role, way });
      else {
        const key = `${way.field} ${entry}`;
        const same = byName.get(key);
        if (same) same.push({ role, way });
        else byName.set(key, [{ role, way }]);
      }
    }
  }
  return { byName, others };
}

function isNameOf({ field }: Way, entry: string): boolean {
  return (field === "users" || field === "backend_roles") && !/[*?/$]/.test(entry);
}

function candidates({ byName, others }: Sorted, { user, backendRoles, host }: Subject): readonly Entry[] {
  const named = (field: string, name: string): readonly Entry[] => byName.get(`${field} ${name}`) ?? [];
  const all = [
    ...(user ? [["users", user] as const] : []),
    ...backendRoles.map((role) => ["backend_roles", role] as const),
    ...(host && host !== "unknown" ? [["hosts", host] as const] : []),
  ];
  // What a regular expression meets may be one single name.
  if (host === "unknown" || all.some(([, who]) => "pattern" in who && who.pattern.startsWith("/")))
    return [...[...byName.values()].flat(), ...others];
  return [...all.flatMap(([field, who]) => ("name" in who ? named(field, who.name) : [])), ...others];
}
