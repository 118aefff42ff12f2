import type { Semantics } from "../../dialects/semantics.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { Fields } from "../../json/value.ts";
import { listKeyRoles } from "./api-keys.ts";
import { createGroupExpander, createUnknownGroupFinder, type GroupExpander, type UnknownGroups } from "./groups.ts";
import { createHoldingsFinder, type HoldingsOf } from "./holders.ts";
import { parseRoleRules, type RoleRules } from "./roles.ts";
import type { AccessState, HeldEntries } from "./state.ts";
import type { Subject } from "./subject.ts";

/** A state, ready to be evaluated: what an evaluation needs of it is computed on first use. */
export interface AccessModel {
  readonly state: AccessState;
  readonly holdings: HoldingsOf;
  /** Undefined for a role that is certainly not there: it grants nothing. */
  readonly rules: (role: string) => RoleRules | undefined;
}

export function createAccessModel(state: AccessState): AccessModel {
  const known = new Map<string, RoleRules>();
  const keyRoles = listKeyRoles(state);
  return {
    state,
    holdings: memoiseByObject(createHoldingsFinder(state)),
    rules(name) {
      const found = known.get(name);
      if (found) return found;
      const listed = state.roles.get(name) ?? keyRoles.get(name);
      const fields = listed ?? state.unlisted?.get(name);
      if (!fields) return undefined;
      const read = readRules(getReader(state), name, fields);
      const rules = listed ? read : asUnlisted(read);
      known.set(name, rules);
      return rules;
    },
  };
}

/** A model of the roles and mappings with some names alone. */
export function narrowModel({ state }: AccessModel, names: ReadonlySet<string>): AccessModel {
  const only = (held: HeldEntries): HeldEntries =>
    new Map(
      [...names].flatMap((name) => {
        const value = held.get(name);
        return value ? [[name, value]] : [];
      }),
    );
  return createAccessModel({
    ...state,
    roles: only(state.roles),
    mappings: only(state.mappings),
    ...(state.unlisted && { unlisted: only(state.unlisted) }),
  });
}

/** A model that differs from another one in the roles and mappings of some names alone; its state shows just these. */
export function overlayModel(whole: AccessModel, part: AccessModel, names: ReadonlySet<string>): AccessModel {
  return {
    state: part.state,
    holdings: memoiseByObject((subject: Subject) => [
      ...whole.holdings(subject).filter(({ role }) => !names.has(role)),
      ...part.holdings(subject).filter(({ role }) => names.has(role)),
    ]),
    rules: (name) => (names.has(name) ? part : whole).rules(name),
  };
}

/** Reads lists of permissions by the action groups of a state. */
interface PermissionReader {
  readonly semantics: Semantics;
  readonly expand: GroupExpander;
  readonly unknownGroups: UnknownGroups;
}

const readers = new WeakMap<HeldEntries, PermissionReader>();

/** The same for states with the same action groups. */
function getReader({ groups, semantics }: AccessState): PermissionReader {
  const found = readers.get(groups);
  if (found?.semantics === semantics) return found;
  const reader = {
    semantics,
    expand: createGroupExpander(groups, semantics),
    unknownGroups: createUnknownGroupFinder(groups),
  };
  readers.set(groups, reader);
  return reader;
}

const asUnlisted = memoiseByObject((rules: RoleRules): RoleRules => ({ ...rules, isUnlisted: true }));

const rulesOf = memoiseByObject((_: PermissionReader) => new WeakMap<Fields, RoleRules>());

/** The same object for the same role of two states, so that comparing by identity shows what they share. */
function readRules(reader: PermissionReader, name: string, fields: Fields): RoleRules {
  const rules = rulesOf(reader);
  const found = rules.get(fields);
  if (found?.name === name) return found;
  const made = parseRoleRules(name, fields, reader.expand, reader.unknownGroups, reader.semantics);
  rules.set(fields, made);
  return made;
}
