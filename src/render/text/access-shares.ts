import type { PermissionExplanation, ShareExplanation } from "../../access/explain/explanation.ts";
import type { ChainStep, Places } from "../../access/explain/grant-path.ts";
import { formatName, joinNames } from "../escape.ts";
import { padSpaces, wrapIndented, wrapParts } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatDoubt, formatMiss, formatStep } from "../views/access-reasons.ts";
import { formatLimitLines } from "./access-limits.ts";
import { paint } from "./ansi.ts";

export const verdictWords = { yes: "yes", no: "no", partly: "partly", unknown: "unknown" } as const;
/** After what is not granted, or may not be. */
const refusals = { yes: "", no: ": not granted", unknown: ": unknown" } as const;
export const verdictTones = { yes: "added", no: "removed", partly: "changed", unknown: "changed" } as const;

/** The indices of one share: `hr-public-* (such as hr-public-2026)`. */
export function formatIndices({ by, example, one }: NonNullable<ShareExplanation["indices"]>): string {
  if (one) return example === "*" ? "all indices" : formatName(example);
  const what = by.length === 0 ? "all others" : by.map((patterns) => patterns.map(formatName).join(" and ")).join(", ");
  return `${what} (such as ${formatName(example)})`;
}

const byQuery =
  "The server fails over such a request where a query of DLS is invalid, looks up terms or uses now, or FLS hides _version or _seq_no";

/** Each permission with its chain or with why it is not held, then what is seen. */
export function formatShareLines(
  share: ShareExplanation,
  places: Places,
  indent: number,
  style: Style,
): readonly string[] {
  const { permissions, limits, unsure, failsAsRestricted, failsByQuery, takesOneRole, answersAll } = share;
  const say = (text: string) => wrapIndented(text, indent, style.width, 2);
  return [
    ...chainGroups(permissions).flatMap((group) => permissionLines(group, places, indent, style)),
    ...(takesOneRole ? say("Each of these is granted, but one role has to grant all of them, and none does.") : []),
    ...(answersAll
      ? say(
          "Warning: nothing grants this. With do_not_fail_on_forbidden_empty, OpenSearch answers this request about every index in the cluster, a fault of the server. Set do_not_fail_on_forbidden_empty: false to close it.",
        )
      : []),
    ...(failsAsRestricted === "yes" ? say("Updates fail wherever DLS, FLS or masking applies, as it does here.") : []),
    ...(failsAsRestricted === "unknown" ? say("It fails if DLS, FLS or masking applies, which is unknown.") : []),
    ...(failsByQuery === "yes" ? say(`${byQuery}, as it does here.`) : []),
    ...(failsByQuery === "unknown" ? say(`${byQuery}: whether it does here is unknown.`) : []),
    ...(limits ? formatLimitLines(limits, indent, style) : []),
    ...unsure.flatMap((doubt) => say(`may be restricted: ${formatDoubt(doubt)}`)),
  ];
}

/** Groups permissions with the same grant path; and those without one, with the same reasons. */
function chainGroups(permissions: readonly PermissionExplanation[]): readonly (readonly PermissionExplanation[])[] {
  const groups = new Map<string, PermissionExplanation[]>();
  for (const permission of permissions) {
    const { verdict, level, chain, misses, doubts } = permission;
    const key = JSON.stringify([verdict, level, chain?.map(({ kind, name, on }) => [kind, name, on]), misses, doubts]);
    const same = groups.get(key);
    if (same) same.push(permission);
    else groups.set(key, [permission]);
  }
  return [...groups.values()];
}

function permissionLines(
  group: readonly PermissionExplanation[],
  places: Places,
  indent: number,
  style: Style,
): readonly string[] {
  const [first] = group;
  if (!first) return [];
  const { verdict, level, chain, own, otherMembers, misses, doubts } = first;
  const what = `${joinNames(group.map(({ action }) => action))}${level === "cluster" ? " (cluster permission)" : ""}`;
  const say = (text: string) => wrapIndented(text, indent + 2, style.width, 2);
  const more =
    otherMembers > 0
      ? ` (and by ${otherMembers === 1 ? "one other grant path" : `${otherMembers} other grant paths`})`
      : "";
  return [
    ...wrapIndented(`${what}${refusals[verdict]}`, indent, style.width, 2).map((line) => paint(line, "strong", style)),
    ...(chain ? formatChainLines(chain, more, indent + 2, style) : []),
    ...(own ? say("a user's own tenant") : []),
    ...misses.flatMap((miss) => say(formatMiss(miss, places))),
    ...doubts.flatMap((doubt) => say(formatDoubt(doubt))),
  ];
}

/** `mapping hr_reader (mappings.yml:8) > role hr_reader on hr-* (roles/hr.yml:12) > READ`. */
export function formatChainLines(
  chain: readonly ChainStep[],
  more: string,
  indent: number,
  style: Style,
): readonly string[] {
  const last = chain.length - 1;
  const steps = chain.map((step, at) => `${formatStep(step)}${at === last ? more : " >"}`);
  return wrapParts(steps, style.width - indent, 2).map((line) => padSpaces(indent) + line);
}
