import type { LintRule } from "../rule.ts";
import { aliasDropsRestriction } from "./aliases.ts";
import { plainFieldRule, twoMasks } from "./fields.ts";
import { builtinNamedGroup, patternNamedGroup, unusedActionGroup } from "./groups.ts";
import { clusterActionOnIndex, indexActionOnCluster } from "./levels.ts";
import { lookalikeName, mixedScripts } from "./names.ts";
import { allPattern, anchoredRegex, filteredAlias, matchesNothing } from "./patterns.ts";
import { cidrInHosts, joinedItems, starBackendRole, unknownUser, unquotedDn } from "./principals.ts";
import { mixedFieldRules, restrictionStays } from "./restrictions.ts";
import { tenantNotWritable } from "./tenants.ts";
import { unmappedRole } from "./unmapped.ts";
import { chosenName, variableInExpression, variableNotReplaced } from "./variables.ts";
import { restrictedWrites, writeWithoutBulk, writeWithoutMapping } from "./writes.ts";

/** Each with a verdict of a real server behind it: test/unit/lint/proofs.test.ts names them. */
export const lintRules: readonly LintRule[] = [
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
  variableInExpression,
  chosenName,
  cidrInHosts,
  starBackendRole,
  unquotedDn,
  joinedItems,
  unknownUser,
  tenantNotWritable,
  patternNamedGroup,
  builtinNamedGroup,
  unusedActionGroup,
  unmappedRole,
  mixedScripts,
  lookalikeName,
];
