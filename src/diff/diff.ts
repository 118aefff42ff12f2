import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { resourceFamilies } from "../model/names.ts";
import type { Policies } from "../model/policy.ts";
import { diffConfig } from "./config.ts";
import { diffLicense } from "./license.ts";
import { diffResources } from "./resources.ts";

/**
 * The one decider: what becomes of every declared and every live resource of the declared families. Text, JSON and
 * request bodies all derive from its edits.
 */
export function diff(desired: DesiredState, live: LiveState, policies: Policies): readonly Change[] {
  const resources = resourceFamilies.flatMap((family) => {
    const [declared, found] = [desired.resources.get(family), live.resources.get(family)];
    return declared && found ? diffResources(family, declared, found, policies[family]) : [];
  });
  const config = desired.config && live.config ? [diffConfig(desired.config, live.config, policies.config)] : [];
  const license =
    desired.license && live.license ? [diffLicense(desired.license, live.license, live.config, policies.license)] : [];
  return [...resources, ...config, ...license];
}
