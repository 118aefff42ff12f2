import { expander } from "./groups.ts";
import { type Holding, type HoldingsOf, holdingsIn } from "./holders.ts";
import { type RoleRules, rulesOf } from "./roles.ts";
import type { AccessState } from "./state.ts";
import type { Subject } from "./subject.ts";

/** A state, ready to be judged by: what is needed of it is worked out when it is first asked for. */
export interface AccessModel {
  readonly state: AccessState;
  readonly holdings: HoldingsOf;
  /** Undefined for a role that is not there: it grants nothing. */
  readonly rules: (role: string) => RoleRules | undefined;
}

export function modelOf(state: AccessState): AccessModel {
  const expand = expander(state.groups, state.judging);
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
      const rules = rulesOf(name, fields, expand);
      known.set(name, rules);
      return rules;
    },
  };
}
