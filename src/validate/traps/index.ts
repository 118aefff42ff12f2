import type { TrapCode } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { judgingOf } from "../../dialects/judging.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import { patternNamedGroup, shippedNamedGroup, unusedActionGroup } from "./groups.ts";
import { clusterActionOnIndex, indexActionOnCluster } from "./levels.ts";
import { allPattern, anchoredRegex, filteredAlias, meetsNothing } from "./patterns.ts";
import { cidrInHosts, starBackendRole } from "./principals.ts";
import { mixedFieldRules, restrictionStays } from "./restrictions.ts";
import { trapState } from "./state.ts";
import { tenantNotWritable } from "./tenants.ts";
import type { Trap } from "./trap.ts";
import { unmappedRole } from "./unreached.ts";
import { chosenName, variableNotReplaced } from "./variables.ts";
import { restrictedWrites, writeWithoutBulk, writeWithoutMapping } from "./writes.ts";

/** Each with a verdict of a real server behind it: test/unit/validate/traps.test.ts names them. */
export const trapList: readonly Trap[] = [
  writeWithoutBulk,
  writeWithoutMapping,
  restrictedWrites,
  clusterActionOnIndex,
  indexActionOnCluster,
  mixedFieldRules,
  restrictionStays,
  anchoredRegex,
  allPattern,
  filteredAlias,
  meetsNothing,
  variableNotReplaced,
  chosenName,
  cidrInHosts,
  starBackendRole,
  tenantNotWritable,
  patternNamedGroup,
  shippedNamedGroup,
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
  readonly off: (code: TrapCode) => boolean;
}

/** What is declared and does not do what it seems to, on this product and release. */
export function findTraps({ desired, declared, live, dialect, off }: Input): readonly Diagnostic[] {
  const state = trapState(desired, declared, live, dialect);
  return trapList
    .filter(({ code, where }) => !off(code) && (where === undefined || where(state.judging)))
    .flatMap(({ find }) => find(state));
}

/** Those of other rooms: they look at what else is declared, too. */
const references: readonly TrapCode[] = ["unknown-role", "unknown-action-group", "unknown-tenant"];

/** Whether it depends on more than the entry itself. */
export function isTogether(code: TrapCode): boolean {
  return references.includes(code) || trapList.some((trap) => trap.code === code && trap.together);
}

/** Whether it can be met on a product at all. */
export function isSaidOf(code: TrapCode, dialect: Dialect): boolean {
  if (code === "dotted-pattern") return dialect.documentTypes;
  const where = trapList.find((trap) => trap.code === code)?.where;
  return where === undefined || where(judgingOf(dialect));
}

/** Whether all that it depends on is declared, so that it need not be left to a run with a server. */
export function isSaidOffline(code: TrapCode, { resources }: DesiredState): boolean {
  return (
    !isTogether(code) || (["roles", "role_mappings", "action_groups"] as const).every((family) => resources.has(family))
  );
}
