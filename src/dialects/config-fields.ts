// Which fields of the config a product knows. It refuses the whole config where another one is in it.
import { type ConfigPlace, configPlaces } from "../families/config.ts";
import type { Dialect } from "./dialect.ts";
import { getBuild, isOpenSearchBefore } from "./release.ts";

/** What a server has in `dynamic`, by name. */
export type ConfigFields = Readonly<Record<string, ConfigPlace>>;

/**
 * The fields of `dynamic` that this release takes; undefined where it takes all: Search Guard 6 ignores what it does not
 * know, and the documented API names none.
 *
 * Measured on Search Guard 7.5.1-38 and OpenSearch 2.19.1 and 3.8.0, by asking for a field that none has; of other
 * releases read from the class ConfigV7 of their source.
 */
export function getConfigFields(dialect: Dialect): ConfigFields | undefined {
  const { product, release, config } = dialect;
  const isKnown = product === "opensearch" || product === "search-guard";
  if (!isKnown || config.readOnly !== undefined || config.texts || release.startsWith("6")) return undefined;
  return keepTaken(configPlaces, [], dialect);
}

function keepTaken(fields: ConfigFields, path: readonly string[], dialect: Dialect): ConfigFields {
  const taken = Object.entries(fields).flatMap(([name, place]): [string, ConfigPlace][] => {
    const below = [...path, name];
    const limit = limits[below.join(".")];
    return limit && !limit(dialect) ? [] : [[name, keepTakenBelow(place, below, dialect)]];
  });
  return Object.fromEntries(taken);
}

function keepTakenBelow(place: ConfigPlace, path: readonly string[], dialect: Dialect): ConfigPlace {
  if (place.kind === "object") return { ...place, fields: keepTaken(place.fields, path, dialect) };
  return place.kind === "named" ? { ...place, each: keepTakenBelow(place.each, [...path, "*"], dialect) } : place;
}

type Limit = (dialect: Dialect) => boolean;

const never: Limit = () => false;
const openSearch: Limit = ({ product }) => product === "opensearch";
const openSearchFrom =
  (version: string): Limit =>
  ({ product, release }) =>
    product === "opensearch" && !isOpenSearchBefore(release, version);
/** Of a line alone whatever 7.x has may be there. */
const searchGuardFrom =
  (build: number): Limit =>
  ({ product, release }) =>
    product === "search-guard" && (getBuild(release) ?? build) >= build;
/** Between 38 and 53 builds gained the later ones; of one it is known which. */
const laterSearchGuard = searchGuardFrom(39);

/** Which server has a field, by its path, where not each one has it; `*` is a name that users chose. */
const limits: Readonly<Record<string, Limit>> = {
  // `gate` says dashboard.
  dashboard: never,
  "kibana.opendistro_role": openSearch,
  "kibana.private_tenant_enabled": openSearchFrom("2.7.0"),
  "kibana.default_tenant": openSearchFrom("2.7.0"),
  "kibana.sign_in_options": openSearchFrom("2.14.0"),
  "kibana.preferred_tenants": openSearchFrom("3.7.0"),
  "kibana.rbac_enabled": laterSearchGuard,
  "kibana.do_not_fail_on_forbidden": never,
  "http.xff.proxiesHeader": never,
  "http.xff.trustedProxies": never,
  "authc.*.enabled": never,
  "authc.*.skip_users": laterSearchGuard,
  "authc.*.enabled_only_for_ips": searchGuardFrom(47),
  "authz.*.enabled": never,
  "authz.*.skipped_users": laterSearchGuard,
  "auth_failure_listeners.*.ignore_hosts": openSearchFrom("2.17.0"),
  on_behalf_of: openSearchFrom("2.12.0"),
  privileges_evaluation_type: openSearchFrom("3.7.0"),
  privileges_evaluation_ignore_unauthorized_indices: openSearchFrom("3.7.0"),
  api_tokens: openSearchFrom("3.7.0"),
  auth_token_provider: laterSearchGuard,
  field_anonymization_salt2: laterSearchGuard,
  support_aliases_in_index_privileges: laterSearchGuard,
};

/** Whether some release has a field of this name: what none has is an unknown field, whatever the product. */
export function isKnownSomewhere(field: string): boolean {
  return hasField(configPlaces, field);
}

/** In `dynamic` and in its `kibana`: what servers had until 2022 and most files of that time still say. */
const former = ["auth_token_provider", "field_anonymization_salt2", "rbac_enabled"];

/** Whether a field was one of a config until 2022, and this release has it no more: it is left out of what is sent. */
export function isFormer(dialect: Dialect, field: string): boolean {
  const known = former.includes(field) ? getConfigFields(dialect) : undefined;
  return known !== undefined && !hasField(known, field);
}

function hasField(fields: ConfigFields, field: string): boolean {
  return Object.hasOwn(fields, field) || Object.values(fields).some((place) => hasBelow(place, field));
}

function hasBelow(place: ConfigPlace, field: string): boolean {
  if (place.kind === "named") return hasBelow(place.each, field);
  return place.kind === "object" && hasField(place.fields, field);
}

/** Whether domains of the config serve transport clients, too, unless they say no: OpenSearch has none since 2.0, by its source. */
export function hasTransportLogins({ product, release }: Dialect): boolean {
  return product !== "opensearch" || isOpenSearchBefore(release, "2.0.0");
}
