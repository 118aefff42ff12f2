import type { Judging } from "../dialects/judging.ts";
import type { Fields } from "../json/value.ts";
import { type Expand, expander, type UnknownGroups, unknownGroupsIn } from "./groups.ts";
import { type Holding, type HoldingsOf, holdingsIn } from "./holders.ts";
import { type RoleRules, rulesOf } from "./roles.ts";
import type { AccessState, Held } from "./state.ts";
import type { Subject } from "./subject.ts";

/** A state, ready to be judged by: what is needed of it is worked out when it is first asked for. */
export interface AccessModel {
  readonly state: AccessState;
  readonly holdings: HoldingsOf;
  /** Undefined for a role that is not there: it grants nothing. */
  readonly rules: (role: string) => RoleRules | undefined;
}

export function modelOf(state: AccessState): AccessModel {
  const reader = readerOf(state);
  const known = new Map<string, RoleRules>();
  const holdingsOf = holdingsIn(state);
  const held = new WeakMap<Subject, readonly Holding[]>();
  return {
    state,
    holdings(subject) {
      const found = held.get(subject) ?? holdingsOf(subject);
      held.set(subject, found);
      return found;
    },
    rules(name) {
      const found = known.get(name);
      const fields = found ? undefined : state.roles.get(name);
      if (!fields) return found;
      const rules = rulesBy(reader, name, fields);
      known.set(name, rules);
      return rules;
    },
  };
}

/** Of a state those roles and mappings alone that have some names. */
export function narrowed({ state }: AccessModel, names: ReadonlySet<string>): AccessModel {
  const only = (held: Held): Held =>
    new Map(
      [...names].flatMap((name) => {
        const value = held.get(name);
        return value ? [[name, value]] : [];
      }),
    );
  return modelOf({ ...state, roles: only(state.roles), mappings: only(state.mappings) });
}

/** A model that differs from another one in the roles and mappings of some names alone; its state shows just these. */
export function overlaid(whole: AccessModel, part: AccessModel, names: ReadonlySet<string>): AccessModel {
  const held = new WeakMap<Subject, readonly Holding[]>();
  return {
    state: part.state,
    holdings(subject) {
      const found = held.get(subject) ?? [
        ...whole.holdings(subject).filter(({ role }) => !names.has(role)),
        ...part.holdings(subject).filter(({ role }) => names.has(role)),
      ];
      held.set(subject, found);
      return found;
    },
    rules: (name) => (names.has(name) ? part : whole).rules(name),
  };
}

/** Reads lists of permissions by the action groups of a state. */
interface PermissionReader {
  readonly judging: Judging;
  readonly expand: Expand;
  readonly unknownGroups: UnknownGroups;
}

const readers = new WeakMap<Held, PermissionReader>();

/** States that have their groups in common have this in common. */
function readerOf({ groups, judging }: AccessState): PermissionReader {
  const found = readers.get(groups);
  if (found?.judging === judging) return found;
  const reader = { judging, expand: expander(groups, judging), unknownGroups: unknownGroupsIn(groups) };
  readers.set(groups, reader);
  return reader;
}

const ruled = new WeakMap<PermissionReader, WeakMap<Fields, RoleRules>>();

/** The same for the same role of two states: by that, what two states have in common is told. */
function rulesBy(reader: PermissionReader, name: string, fields: Fields): RoleRules {
  const rules = ruled.get(reader) ?? new WeakMap<Fields, RoleRules>();
  ruled.set(reader, rules);
  const found = rules.get(fields);
  if (found?.name === name) return found;
  const made = rulesOf(name, fields, reader.expand, reader.unknownGroups);
  rules.set(fields, made);
  return made;
}
