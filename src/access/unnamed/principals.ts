import { isShutOut } from "../blocked.ts";
import { textsOf } from "../groups.ts";
import { modelOf } from "../model.ts";
import { atomsOf } from "../patterns/atoms.ts";
import type { AccessState } from "../state.ts";
import type { Subject, Who } from "../subject.ts";
import { hostsFor } from "./hosts.ts";
import { isOpen, openState } from "./open.ts";

/** Principals with names that nobody has written down: one for each combination of what patterns can tell of them. */
export interface Unnamed {
  readonly subjects: readonly Subject[];
  /** There are more combinations than these. */
  readonly tooMany: boolean;
}

/** @param states open ones: see `openState` */
export function unnamedIn(states: readonly AccessState[]): Unnamed {
  const users = namesFor([...entriesIn(states, "users"), ...namesInBlocks(states), ...indexPatternsBeside(states)]);
  const roles = roleSetsFor(entriesIn(states, "backend_roles", "and_backend_roles"));
  const hosts = hostsIn(states);
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

/** Who has not logged in, from wherever a block or a mapping of hosts tells apart. */
export function anonymousIn(states: readonly AccessState[], user: string, backendRole: string): readonly Subject[] {
  return hostsIn(states).map((host) => ({ user: { name: user }, backendRoles: [{ name: backendRole }], host }));
}

/** The roles of who has not logged in, or that these may have. */
export function anonymousRoles(state: AccessState): readonly string[] {
  const { anonymous } = state.judging;
  const open = openState(state, anonymous);
  const model = modelOf(open);
  const subjects = anonymousIn([open], anonymous.user, anonymous.backendRole);
  return [...new Set(subjects.flatMap((subject) => model.holdings(subject).map(({ role }) => role)))].sort();
}

const mostSubjects = 5000;
const mostNames = 200;
const mostRoleSets = 200;

type Field = "users" | "backend_roles" | "and_backend_roles" | "hosts";

function entriesIn(states: readonly AccessState[], ...fields: readonly Field[]): readonly string[] {
  const all = states.flatMap(({ mappings }) =>
    [...mappings.values()].flatMap((mapping) => fields.flatMap((field) => textsOf(mapping, field))),
  );
  return [...new Set(all)];
}

function namesInBlocks(states: readonly AccessState[]): readonly string[] {
  return states.flatMap(({ blocks }) =>
    [...blocks.values()].flatMap((block) => (block.type === "name" ? textsOf(block, "value").filter(isOpen) : [])),
  );
}

/** A user's name may stand in the names of indices: which of the other patterns match it then matters, too. */
function indexPatternsBeside(states: readonly AccessState[]): readonly string[] {
  const texts = states.flatMap(({ roles, mappings }) =>
    [...mappings.keys()].flatMap((role) => {
      const elements = roles.get(role)?.index_permissions;
      return Array.isArray(elements) ? elements.flatMap((element) => textsOf(element, "index_patterns")) : [];
    }),
  );
  if (!texts.some((text) => text.includes("${user"))) return [];
  return texts.filter((text) => !text.includes("${") && isOpen(text));
}

/** One name for each set of patterns that matches some. Of those that nothing is known of, the model says so. */
function namesFor(patterns: readonly string[]): { readonly names: readonly Who[]; readonly tooMany: boolean } {
  const { atoms, tooMany } = atomsOf([...new Set(patterns)], "text", mostNames);
  return { names: atoms.map(({ example }) => ({ name: example })), tooMany };
}

/** Sets of backend roles: none, and one for each union of what single ones match. */
function roleSetsFor(patterns: readonly string[]) {
  const { atoms, tooMany } = atomsOf(patterns, "text", mostNames);
  const sets = new Map<string, { readonly met: readonly number[]; readonly roles: readonly Who[] }>();
  sets.set("none", { met: [], roles: [] });
  for (const { met, example } of atoms) {
    for (const one of [...sets.values()]) {
      const union = [...new Set([...one.met, ...met])].sort((a, b) => a - b);
      if (!sets.has(union.join())) sets.set(union.join(), { met: union, roles: [...one.roles, { name: example }] });
      if (sets.size > mostRoleSets) return { sets: [...sets.values()].map(({ roles }) => roles), tooMany: true };
    }
  }
  return { sets: [...sets.values()].map(({ roles }) => roles), tooMany };
}

/** One address for each way in which blocks and mappings tell addresses apart. */
function hostsIn(states: readonly AccessState[]): readonly Who[] {
  const networks = states.flatMap(({ blocks }) =>
    [...blocks.values()].flatMap(({ type, value }) =>
      type === "ip" || type === "net_mask" ? textsOf({ value: value ?? [] }, "value") : [],
    ),
  );
  const patterns = entriesIn(states, "hosts");
  const found = new Map<string, Who>();
  for (const { met, host } of hostsFor(patterns, [...new Set(networks)])) {
    const shut = states.map(({ blocks }) => {
      const byAddress = [...blocks.values()].filter(({ type }) => type !== "name");
      return isShutOut(byAddress, { backendRoles: [], host: { name: host } });
    });
    const key = [met, ...shut].join();
    if (!found.has(key)) found.set(key, { name: host });
  }
  return [...found.values()];
}
