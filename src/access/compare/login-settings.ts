import { getValueAt, toPointer } from "../../json/pointer.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isEqual, isList, isObject, isText, toComparable, type Value } from "../../json/value.ts";
import { readEvaluationType } from "../model/settings.ts";

export type Path = readonly string[];

/** Settings by their paths in `dynamic`: `*` is one name, `**` all below, of which there is something. What is not listed is unknown. */
const known: Readonly<Record<string, "harmless" | "evaluated">> = {
  "authc.*.description": "harmless",
  "authc.*.http_authenticator.challenge": "harmless",
  "authc.*.http_authenticator.config.krb_debug": "harmless",
  "authz.*.description": "harmless",
  // Who may log in as whom: logins.ts.
  "authc.*.**": "evaluated",
  "authz.*.**": "evaluated",
  "auth_failure_listeners.*.**": "evaluated",
  "http.anonymous_auth_enabled": "evaluated",
  "http.xff.enabled": "evaluated",
  "http.xff.internalProxies": "evaluated",
  "http.xff.remoteIpHeader": "evaluated",
  "on_behalf_of.**": "evaluated",
  "auth_token_provider.**": "evaluated",
  "api_tokens.**": "evaluated",
  hosts_resolver_mode: "evaluated",
  transport_userrname_attribute: "evaluated",
  disable_rest_auth: "evaluated",
  disable_intertransport_auth: "evaluated",
  // Only shown to the dashboards, for their login page (2.19.4).
  "kibana.sign_in_options": "harmless",
  // How requests are evaluated: ../model/settings.ts.
  multi_rolespan_enabled: "evaluated",
  do_not_fail_on_forbidden: "evaluated",
  do_not_fail_on_forbidden_empty: "evaluated",
  privileges_evaluation_ignore_unauthorized_indices: "evaluated",
  "kibana.multitenancy_enabled": "evaluated",
  "kibana.index": "evaluated",
  "kibana.server_username": "evaluated",
};

const patterns = Object.entries(known).map(([pattern, meaning]) => ({ tokens: pattern.split("."), meaning }));

/** What is known of a setting: the first that matches counts. */
function classify(path: Path): "harmless" | "evaluated" | "unknown" {
  const matches = (tokens: Path): boolean =>
    (tokens.at(-1) === "**" ? tokens.length <= path.length : tokens.length === path.length) &&
    tokens.every((token, at) => token.startsWith("*") || token === path[at]);
  return patterns.find(({ tokens }) => matches(tokens))?.meaning ?? "unknown";
}

/** Whether a setting decides about no access, whatever it says. */
export function isHarmless(path: Path): boolean {
  return classify(path) === "harmless";
}

/** What is unknown below these has a line of its own among those about logins. */
export const loginSettings = [
  "authc",
  "authz",
  "http",
  "auth_failure_listeners",
  "on_behalf_of",
  "auth_token_provider",
  "api_tokens",
];

/** Settings that differ between two configs and of which nobody knows what they do to access, by their paths. */
export function listUnknownSettings(before: Fields, after: Fields): readonly Path[] {
  return listDifferingPaths(...readDynamics(before, after)).filter((path) => classify(path) === "unknown");
}

/** Servers take whatever is not `v4` for the other way to evaluate requests. */
function readDynamics(...configs: readonly [before: Fields, after: Fields]): readonly [Fields, Fields] {
  const [before, after] = configs.map(({ dynamic }) => ({
    ...(isObject(dynamic) && dynamic),
    privileges_evaluation_type: readEvaluationType({ dynamic: dynamic ?? {} }) === "v4",
  }));
  return [before ?? {}, after ?? {}];
}

/** Whether a config differs from another in something that may decide about access. */
export function mayDecideAccess(before: Fields, after: Fields): boolean {
  return listDifferingPaths(...readDynamics(before, after)).some((path) => !isHarmless(path));
}

/** The leaves in which two values differ; of one that is not there, those of the other. */
export function listDifferingPaths(was: Value | undefined, is: Value | undefined, path: Path = []): readonly Path[] {
  if (isEqual(was, is)) return [];
  const [before, after] = [was, is].map((one) => (isObject(one) ? one : one === undefined ? {} : undefined));
  if (!before || !after) return [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // Nothing, and an object without fields, mean the same.
  return names.flatMap((name) =>
    listDifferingPaths(getValueAt(before, [name]), getValueAt(after, [name]), [...path, name]),
  );
}

/** References that are all of a text, by their pointers in the config, as files declared them that were applied before. */
export type ReferencesThen = ReadonlyMap<string, string>;

/** Whether a secret is another one by the same reference, as when a key is rotated; an empty text is none. */
export function isRenewed(was: Value | undefined, is: Value | undefined, then: string | undefined): boolean {
  return (
    is instanceof Secret &&
    isText(was) &&
    [was, is].every((one) => toComparable(one) !== "") &&
    is.source !== undefined &&
    is.reference === then
  );
}

/** The secrets of a config as it is declared that are one reference, without text around it, by their pointers. */
export function collectReferences(value: Value | undefined, path: Path = []): readonly (readonly [string, Secret])[] {
  if (value instanceof Secret) return value.source === undefined ? [] : [[toPointer(path), value]];
  if (value === undefined || !(isObject(value) || isList(value))) return [];
  return Object.entries(value).flatMap(([name, item]) => collectReferences(item, [...path, name]));
}
