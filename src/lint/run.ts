import type { LintCode } from "../diagnostics/catalogue.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/find-semantics.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Policies } from "../model/policy.ts";
import type { LintState } from "./rule.ts";
import { lintRules } from "./rules/index.ts";
import { createLintState } from "./state.ts";

interface Input {
  /** The families that a run is about. */
  readonly desired: DesiredState;
  /** All that the files declare. */
  readonly declared: DesiredState;
  /** What was read of the server; undefined offline. */
  readonly live: LiveState | undefined;
  readonly dialect: Dialect;
  readonly policies?: Policies | undefined;
  /** Rules that are not run. */
  readonly off: (code: LintCode) => boolean;
}

/** What is declared and does not do what it seems to, on this product and release. */
export function runLintRules({ desired, declared, live, dialect, policies, off }: Input): readonly Diagnostic[] {
  const state = createLintState(desired, declared, live, dialect, policies);
  return lintRules
    .filter(({ code, where }) => !off(code) && (where === undefined || where(state.semantics)))
    .flatMap(({ code, find }) =>
      find(state).map(({ at, severity, ...message }) => createDiagnostic(at, code, message, severity)),
    );
}

/**
 * Whether the files hold everything that decides about a lint rule: then a rule that no run reports does not apply.
 * Otherwise it is unknown: a name that is no group here may be a group of some server, which then grants what the
 * rule warns of.
 */
export function isDecided(code: LintCode, { desired, declared, dialect }: Omit<Input, "live" | "off">): boolean {
  if (code === "dotted-pattern") return dialect.documentTypes;
  // Rules about references are not in this list, and need only names: a bare server reports everything that is not
  // declared.
  const { where, goesBy } = lintRules.find((lintRule) => lintRule.code === code) ?? {};
  if (where !== undefined && !where(getSemantics(dialect))) return false;
  if (goesBy === "server") return false;
  // Who declares all three is taken to declare all that there is of them.
  if (goesBy === "others") return decisive.every((family) => declared.resources.has(family));
  return goesBy === undefined || areMeaningsKnown(createLintState(desired, declared, undefined, dialect));
}

const decisive = ["roles", "role_mappings", "action_groups"] as const;

function areMeaningsKnown({ granted, roles, comesTo }: LintState): boolean {
  const ofTenants = roles.flatMap(({ tenants }) => tenants.flatMap(({ actions }) => actions.map(({ value }) => value)));
  return [...granted.cluster, ...granted.indices, ...ofTenants].every((text) => comesTo(text).isSure);
}
