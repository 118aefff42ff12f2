import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { AccessSettings, AccessState } from "./state.ts";

/** The settings of a config, live or declared, that decide how requests are evaluated. */
export function readAccessSettings(config: Fields): AccessSettings {
  const dynamic = isObject(config.dynamic) ? config.dynamic : {};
  const isOn = (field: string): boolean => isTrue(dynamic[field]);
  return {
    ...(dynamic.multi_rolespan_enabled !== undefined && { spansRoles: isOn("multi_rolespan_enabled") }),
    // Where requests are not evaluated so, it decides nothing.
    ...(readEvaluationType(config) === "v4" &&
      dynamic.privileges_evaluation_ignore_unauthorized_indices !== undefined && {
        ignoresUnauthorized: isOn("privileges_evaluation_ignore_unauthorized_indices"),
      }),
    reducesRequests: isOn("do_not_fail_on_forbidden"),
    reducesToNothing: isOn("do_not_fail_on_forbidden_empty"),
    dashboards: readDashboardsSettings(isObject(dynamic.kibana) ? dynamic.kibana : {}),
    answersApiKeys: isTrue(isObject(dynamic.api_tokens) ? dynamic.api_tokens.enabled : undefined),
    anonymous: isTrue(isObject(dynamic.http) ? dynamic.http.anonymous_auth_enabled : undefined),
    resolvesHosts: String(dynamic.hosts_resolver_mode) === "ip-hostname-lookup",
  };
}

/** Whether index patterns are compared with aliases, too: later builds of Search Guard 7 have a setting for it. */
export function coversAliases({ dynamic }: Fields): boolean {
  return !isObject(dynamic) || String(dynamic.support_aliases_in_index_privileges) !== "false";
}

/** Whether one role must hold all that a request takes on its indices. */
export function needsOneRole({ state: { semantics, settings } }: { readonly state: AccessState }): boolean {
  return semantics.roleSpan !== "ignored" && !(settings.spansRoles ?? semantics.roleSpan);
}

/** Whether upper or lower case, all the same to servers. */
export function readEvaluationType({ dynamic }: Fields): string {
  return isObject(dynamic) ? String(dynamic.privileges_evaluation_type).toLowerCase() : "";
}

/** With the servers' defaults. */
export function readDashboardsSettings({
  multitenancy_enabled = true,
  index,
  server_username,
}: Fields): NonNullable<AccessSettings["dashboards"]> {
  if (!isTrue(multitenancy_enabled)) return false;
  return { index: readTextOr(index, ".kibana"), server: readTextOr(server_username, "kibanaserver") };
}

function readTextOr(value: Value | undefined, other: string): string {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return isScalar || (typeof value === "string" && value !== "") ? String(value) : other;
}

/** Search Guard 6 writes it as a text. */
function isTrue(value: Value | undefined): boolean {
  return value === true || value === "true";
}
