import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import { optInFamilies } from "../model/policy.ts";

/** Why what is declared of opt-in families is not compared, where it is not; of internal users it is said elsewhere. */
export function listUncompared(desired: DesiredState, live: LiveState, dialect: Dialect): readonly string[] {
  return optInFamilies.flatMap((family) => {
    const declared = desired.resources.get(family);
    // A warning says it where another family takes its place.
    if (family === "whitelist" && !dialect.collections.whitelist && dialect.collections.allowlist) return [];
    if (family === "internal_users" || !declared?.size || live.resources.has(family)) return [];
    const several = getNoun(family, 2);
    return dialect.collections[family] === undefined
      ? [`${dialect.product} ${dialect.release} has no ${several}: what the files declare of them is not used.`]
      : [`The ${several} in the files are not compared: ${explainUnread(family, dialect)}.`];
  });
}

function explainUnread(family: ResourceFamily, { certificateOnly }: Dialect): string {
  const needs = certificateOnly?.get(family);
  if (needs === undefined) return "the server does not show its own";
  const setting = needs.setting === undefined ? "" : `, and only where its nodes have ${needs.setting}: true`;
  return `the server shows its own to the admin certificate alone${setting}`;
}
