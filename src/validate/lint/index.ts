import type { LintCode } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { getSemantics } from "../../dialects/semantics.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import { aliasDropsRestriction } from "./aliases.ts";
import { plainFieldRule, twoMasks } from "./fields.ts";
import { builtinNamedGroup, patternNamedGroup, unusedActionGroup } from "./groups.ts";
import { clusterActionOnIndex, indexActionOnCluster } from "./levels.ts";
import { allPattern, anchoredRegex, filteredAlias, matchesNothing } from "./patterns.ts";
import { cidrInHosts, starBackendRole } from "./principals.ts";
import { mixedFieldRules, restrictionStays } from "./restrictions.ts";
import type { LintRule, LintState } from "./rule.ts";
import { createLintState } from "./state.ts";
import { tenantNotWritable } from "./tenants.ts";
import { unmappedRole } from "./unreached.ts";
import { chosenName, variableNotReplaced } from "./variables.ts";
import { restrictedWrites, writeWithoutBulk, writeWithoutMapping } from "./writes.ts";

/** Each with a verdict of a real server behind it: test/unit/validate/lint.test.ts names them. */
export const lintRuleList: readonly LintRule[] = [
  writeWithoutBulk,
  writeWithoutMapping,
  restrictedWrites,
  clusterActionOnIndex,
  indexActionOnCluster,
  mixedFieldRules,
  plainFieldRule,
  twoMasks,
  aliasDropsRestriction,
  restrictionStays,
  anchoredRegex,
  allPattern,
  filteredAlias,
  matchesNothing,
  variableNotReplaced,
  chosenName,
  cidrInHosts,
  starBackendRole,
  tenantNotWritable,
  patternNamedGroup,
  builtinNamedGroup,
  unusedActionGroup,
  unmappedRole,
];

interface Input {
  /** The families that a run is about. */
  readonly desired: DesiredState;
  /** All that the files declare. */
  readonly declared: DesiredState;
  /** What was read of the server; undefined offline. */
  readonly live: LiveState | undefined;
  readonly dialect: Dialect;
  /** Those that are not looked for. */
  readonly off: (code: LintCode) => boolean;
}

/** What is declared and does not do what it seems to, on this product and release. */
export function findLintRules({ desired, declared, live, dialect, off }: Input): readonly Diagnostic[] {
  const state = createLintState(desired, declared, live, dialect);
  return lintRuleList
    .filter(({ code, where }) => !off(code) && (where === undefined || where(state.semantics)))
    .flatMap(({ find }) => find(state));
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
  const { where, goesBy } = lintRuleList.find((lintRule) => lintRule.code === code) ?? {};
  if (where !== undefined && !where(getSemantics(dialect))) return false;
  // Who declares all three is taken to declare all that there is of them.
  if (goesBy === "others") return decisive.every((family) => declared.resources.has(family));
  return goesBy === undefined || areMeaningsKnown(createLintState(desired, declared, undefined, dialect));
}

const decisive = ["roles", "role_mappings", "action_groups"] as const;

function areMeaningsKnown({ granted, roles, comesTo }: LintState): boolean {
  const ofTenants = roles.flatMap(({ tenants }) => tenants.flatMap(({ actions }) => actions.map(({ value }) => value)));
  return [...granted.cluster, ...granted.indices, ...ofTenants].every((text) => comesTo(text).isSure);
}
