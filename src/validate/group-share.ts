import { includes } from "../access/patterns/includes.ts";
import { listBuiltinNames } from "../dialects/builtin/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { matchesName } from "../families/scope.ts";
import { collectReached } from "../json/graph.ts";
import { memoiseByKey } from "../json/memoise.ts";
import { listTexts } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";
import type { FindShare, TeamShare } from "../model/share.ts";
import { createBareServer } from "./builtin.ts";

/** Which actions and action groups a team may use. */
export interface GroupShare {
  /** On its own indices, and in its own tenants: any action, and groups that no other team can change. */
  readonly mayInclude: (share: TeamShare, text: string) => boolean;
  /** What of this, on the cluster, would have to be in the share: of a group that a team can change, what it includes. */
  readonly listBeyondOnCluster: (share: TeamShare, text: string) => readonly string[];
}

export function createGroupShare(declared: DesiredState, dialect: Dialect, find: FindShare): GroupShare {
  const own = declared.resources.get("action_groups");
  const builtin = createBareServer(dialect).resources.get("action_groups");
  const builtinNames = new Set(listBuiltinNames("action_groups").concat([...(builtin?.keys() ?? [])]));
  const isOfTeam = (name: string): boolean => {
    const origin = own?.get(name)?.origin;
    return (
      origin !== undefined &&
      [origin, ...(origin.overriddenAt ?? []), origin.generatedFor].some((one) => one && find(one.file))
    );
  };
  /** Undefined for what is no group that is known. */
  const contentOf = (name: string): readonly string[] | undefined => {
    const value = own?.get(name)?.value ?? builtin?.get(name)?.value;
    return value === undefined ? undefined : listTexts(value.allowed_actions);
  };
  /** It is a team's, or holds a group that is. */
  const canTeamChange = memoiseByKey((name: string) =>
    [...collectReached([name], (one) => contentOf(one) ?? [])].some(isOfTeam),
  );
  /** All actions of a group that no team can change. */
  const expand = (name: string, seen: ReadonlySet<string>): readonly string[] => {
    const content = isOfTeam(name) || seen.has(name) ? undefined : contentOf(name);
    if (!content) return isGroupName(name) ? [] : [name];
    return content.flatMap((one) => expand(one, new Set([...seen, name])));
  };
  const listPatterns = ({ clusterPermissions }: TeamShare) =>
    clusterPermissions.flatMap((one) => expand(one, new Set()));
  const listBeyond = (share: TeamShare, text: string, seen: ReadonlySet<string>): readonly string[] => {
    if (share.clusterPermissions.includes(text) && !canTeamChange(text)) return [];
    if (seen.has(text)) return [];
    const content = contentOf(text);
    // A name with the sign of a pattern may count as one beside what its group holds.
    const isCovered = () => !isGroupName(text) && includes(listPatterns(share), text) === "yes";
    if (!content) return isCovered() ? [] : [text];
    const beyond = content.flatMap((one) => listBeyond(share, one, new Set([...seen, text])));
    if (beyond.length === 0) return isGroupName(text) || isCovered() ? [] : [text];
    return canTeamChange(text) ? beyond : [text];
  };
  return {
    mayInclude: (share, text) =>
      !isGroupName(text) ||
      share.actionGroups.includes(text) ||
      share.names.some((pattern) => matchesName(pattern, text)) ||
      (builtinNames.has(text) && !isOfTeam(text)),
    listBeyondOnCluster: (share, text) => [...new Set(listBeyond(share, text, new Set()))],
  };
}

/** Actions have a colon, and patterns of them a sign. */
function isGroupName(text: string): boolean {
  return !/[:*?/]/.test(text);
}
