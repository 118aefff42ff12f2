import { listTexts } from "../../json/value.ts";
import { isBlockedIn, isShutOut } from "../evaluate/blocked.ts";
import { createAccessModel } from "../model/access-model.ts";
import type { AccessState } from "../model/state.ts";
import { type KnownUser, type Subject, toKnownUser } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { partitionNames } from "../patterns/partition.ts";
import { pickHosts } from "./hosts.ts";
import { extractOpenState, isOpen } from "./open.ts";

/** Principals with names that are nowhere written: one for each combination of patterns that may match. */
export interface UnnamedPrincipal {
  readonly subjects: readonly Subject[];
  /** There are more combinations than these. */
  readonly tooMany: boolean;
}

/**
 * @param states open ones: see `extractOpenState`
 * @param letIn names that blocks let in and that no mapping spells out: where all others are shut out, these are left
 */
export function listUnnamed(states: readonly AccessState[], letIn: readonly string[]): UnnamedPrincipal {
  const patterns = [
    ...listEntriesIn(states, "users"),
    ...listNamesInBlocks(states),
    ...listIndexPatternsBeside(states),
  ];
  const unwritten = pickNames(patterns);
  const users = { ...unwritten, names: [...unwritten.names, ...pickOneOfEachSort(letIn, patterns)] };
  const roles = pickRoleSets(listEntriesIn(states, "backend_roles", "and_backend_roles"));
  const hosts = pickHostsIn(states);
  const count = users.names.length * roles.sets.length * hosts.length;
  const subjects: Subject[] = [];
  for (const user of users.names) {
    for (const backendRoles of roles.sets) {
      for (const host of hosts) {
        if (subjects.length < mostSubjects) subjects.push({ user, backendRoles, host });
      }
    }
  }
  return { subjects, tooMany: users.tooMany || roles.tooMany || count > mostSubjects };
}

/** The user without a login, from each address that a block or a mapping of hosts distinguishes. */
export function listAnonymous(states: readonly AccessState[], user: string, backendRole: string): readonly Subject[] {
  return pickHostsIn(states).map((host) => ({ user: { name: user }, backendRoles: [{ name: backendRole }], host }));
}

/** The roles of who has not logged in, or that these may have. */
export function listAnonymousRoles(state: AccessState): readonly string[] {
  const { anonymous } = state.semantics;
  const open = extractOpenState(state, anonymous);
  const model = createAccessModel(open);
  const subjects = listAnonymous([open], anonymous.user, anonymous.backendRole);
  return [...new Set(subjects.flatMap((subject) => model.holdings(subject).map(({ role }) => role)))].sort();
}

const mostSubjects = 5000;
const mostNames = 200;
const mostRoleSets = 200;

type Field = "users" | "backend_roles" | "and_backend_roles" | "hosts";

function listEntriesIn(states: readonly AccessState[], ...fields: readonly Field[]): readonly string[] {
  const all = states.flatMap(({ mappings }) =>
    [...mappings.values()].flatMap((mapping) => fields.flatMap((field) => listTexts(mapping[field]))),
  );
  return [...new Set(all)];
}

function listNamesInBlocks(states: readonly AccessState[]): readonly string[] {
  return states.flatMap(({ blocks }) =>
    [...blocks.values()].flatMap((block) => (block.type === "name" ? listTexts(block.value).filter(isOpen) : [])),
  );
}

/** Index patterns with `${user.name}` may match a user's name: other patterns that match that name matter, too. */
function listIndexPatternsBeside(states: readonly AccessState[]): readonly string[] {
  const texts = states.flatMap(({ roles, mappings }) =>
    [...mappings.keys()].flatMap((role) => {
      const elements = roles.get(role)?.index_permissions;
      return Array.isArray(elements) ? elements.flatMap((element) => listTexts(element.index_patterns)) : [];
    }),
  );
  if (!texts.some((text) => text.includes("${user"))) return [];
  return texts.filter((text) => !text.includes("${") && isOpen(text));
}

/** One name for each set of patterns that matches some. Of those that nothing is known of, the model says so. */
function pickNames(patterns: readonly string[]): { readonly names: readonly KnownUser[]; readonly tooMany: boolean } {
  const { cells, tooMany } = partitionNames([...new Set(patterns)], "text", mostNames);
  return { names: cells.map(({ example }) => ({ name: example })), tooMany };
}

/** One for each combination of patterns that match some. */
function pickOneOfEachSort(names: readonly string[], patterns: readonly string[]): readonly KnownUser[] {
  const sorts = new Map<string, KnownUser>();
  for (const name of names) {
    const sort = patterns.map((pattern) => matchesPattern(pattern, name)).join();
    if (!sorts.has(sort)) sorts.set(sort, { name });
  }
  return [...sorts.values()];
}

/** Names that blocks let in, in each of some states, and that no mapping spells out. */
export function listLetInNames(states: readonly AccessState[]): readonly string[] {
  const written = new Set(listEntriesIn(states, "users"));
  const allowed = states.flatMap(({ blocks }) =>
    [...blocks.values()].flatMap(({ type, verdict, value }) =>
      type === "name" && verdict === "allow" ? listTexts(value) : [],
    ),
  );
  return [...new Set(allowed)].filter((name) => {
    const user = toKnownUser(name);
    const isLetIn = (state: AccessState): boolean => isBlockedIn(state, { user, backendRoles: [] }) !== "yes";
    return "name" in user && !written.has(name) && states.every(isLetIn);
  });
}

/** Sets of backend roles: none, and one for each union of what single ones match. */
function pickRoleSets(patterns: readonly string[]) {
  const { cells, tooMany } = partitionNames(patterns, "text", mostNames);
  const sets = new Map<string, { readonly matched: readonly number[]; readonly roles: readonly KnownUser[] }>();
  sets.set("none", { matched: [], roles: [] });
  for (const { matched, example } of cells) {
    for (const one of [...sets.values()]) {
      const union = [...new Set([...one.matched, ...matched])].sort((a, b) => a - b);
      if (!sets.has(union.join())) sets.set(union.join(), { matched: union, roles: [...one.roles, { name: example }] });
      if (sets.size > mostRoleSets) return { sets: [...sets.values()].map(({ roles }) => roles), tooMany: true };
    }
  }
  return { sets: [...sets.values()].map(({ roles }) => roles), tooMany };
}

/** One address for each combination of blocks and mappings that match one. */
function pickHostsIn(states: readonly AccessState[]): readonly KnownUser[] {
  const networks = states.flatMap(({ blocks }) =>
    [...blocks.values()].flatMap(({ type, value }) => (type === "ip" || type === "net_mask" ? listTexts(value) : [])),
  );
  const patterns = listEntriesIn(states, "hosts");
  const found = new Map<string, KnownUser>();
  for (const { matched, host } of pickHosts(patterns, [...new Set(networks)])) {
    const shut = states.map(({ blocks }) => {
      const byAddress = [...blocks.values()].filter(({ type }) => type !== "name");
      return isShutOut(byAddress, { backendRoles: [], host: { name: host } });
    });
    const key = [matched, ...shut].join();
    if (!found.has(key)) found.set(key, { name: host });
  }
  return [...found.values()];
}
