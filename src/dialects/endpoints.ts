import type { Family } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { getBuild, isOpenSearchBefore } from "./release.ts";

/** An endpoint of the administration API, as the node settings name it: `restapi.endpoints_disabled.ROLE.NAME`. */
export interface Endpoint {
  readonly name: string;
  readonly family?: Family;
  /** The requests that change something, below the prefix of the API. */
  readonly writes: readonly string[];
  /** No role is let in, whatever the settings say. */
  readonly certificateOnly?: true;
  /** Changes nothing, or the own password only: a login that only reads may keep it. */
  readonly isHarmless?: true;
  /** What a login that may write here can do. */
  readonly danger?: string;
}

interface Row extends Endpoint {
  readonly isIn?: (release: string) => boolean;
}

const administers = "make itself an administrator";

const entries = (segment: string): readonly string[] =>
  [`PUT ${segment}/x`, `PATCH ${segment}/x`, `DELETE ${segment}/x`, `PATCH ${segment}`] as const;

const from = (version: string) => (release: string) => !isOpenSearchBefore(release, version);

const until3 = (release: string) => isOpenSearchBefore(release, "3.0.0");

const openSearch: readonly Row[] = [
  { name: "ACCOUNT", writes: ["PUT account"], isHarmless: true },
  { name: "ACTIONGROUPS", family: "action_groups", writes: entries("actiongroups"), danger: administers },
  {
    name: "ALLOWLIST",
    family: "allowlist",
    writes: ["PUT allowlist", "PATCH allowlist"],
    certificateOnly: true,
    isIn: from("2.1.0"),
  },
  {
    name: "APITOKENS",
    writes: ["POST apitokens", "DELETE apitokens/x"],
    danger: "make API keys with all rights",
    isIn: from("3.7.0"),
  },
  { name: "AUDIT", family: "audit", writes: ["PUT audit/config", "PATCH audit"], danger: "switch off the audit log" },
  { name: "AUTHTOKEN", writes: ["POST authtoken"] },
  { name: "CACHE", writes: ["DELETE cache"] },
  {
    name: "CONFIG",
    family: "config",
    writes: ["PUT securityconfig/config", "PATCH securityconfig", "POST _upgrade_perform"],
    danger: administers,
  },
  {
    name: "INTERNALUSERS",
    family: "internal_users",
    writes: [...entries("internalusers"), "POST internalusers/x/authtoken"],
    danger: administers,
  },
  { name: "MIGRATE", writes: ["POST migrate"], isIn: until3 },
  { name: "NODESDN", family: "nodes_dn", writes: entries("nodesdn"), certificateOnly: true },
  { name: "PERMISSIONSINFO", writes: [], isHarmless: true },
  {
    name: "RATELIMITERS",
    writes: ["PUT authfailurelisteners/x", "DELETE authfailurelisteners/x"],
    danger: "lock everybody out",
    isIn: from("3.0.0"),
  },
  { name: "RESOURCE_SHARING", writes: ["POST resources/migrate"], isIn: from("3.2.0") },
  { name: "ROLES", family: "roles", writes: entries("roles"), danger: administers },
  { name: "ROLESMAPPING", family: "role_mappings", writes: entries("rolesmapping"), danger: administers },
  {
    name: "ROLLBACK_VERSION",
    writes: ["POST version/rollback"],
    danger: "bring back an earlier configuration",
    isIn: from("3.3.0"),
  },
  { name: "SSL", writes: ["PUT ssl/http/reloadcerts", "PUT ssl/transport/reloadcerts"], certificateOnly: true },
  { name: "SYSTEMINFO", writes: [], isHarmless: true },
  { name: "TENANTS", family: "tenants", writes: [...entries("tenants"), "PUT tenancy/config"] },
  { name: "VALIDATE", writes: [], isHarmless: true },
  { name: "VIEW_VERSION", writes: [], isIn: from("3.3.0") },
  {
    name: "WHITELIST",
    family: "whitelist",
    writes: ["PUT whitelist", "PATCH whitelist"],
    certificateOnly: true,
    isIn: until3,
  },
];

const searchGuard: readonly Row[] = [
  { name: "ACTIONGROUPS", family: "action_groups", writes: entries("actiongroups"), danger: administers },
  { name: "AUTHTOKEN", writes: ["POST authtoken"] },
  {
    name: "BLOCKS",
    family: "blocks",
    writes: entries("blocks"),
    danger: "lock everybody out",
    isIn: (release) => release !== "6" && (getBuild(release) ?? Number.POSITIVE_INFINITY) >= 41,
  },
  { name: "CACHE", writes: ["DELETE cache"] },
  { name: "CONFIGURATION", writes: [], isHarmless: true, isIn: (release) => release === "6" },
  { name: "INTERNALUSERS", family: "internal_users", writes: entries("internalusers"), danger: administers },
  { name: "LICENSE", family: "license", writes: ["PUT license", "POST license", "DELETE license"] },
  { name: "PERMISSIONSINFO", writes: [], isHarmless: true },
  { name: "ROLES", family: "roles", writes: entries("roles"), danger: administers },
  { name: "ROLESMAPPING", family: "role_mappings", writes: entries("rolesmapping"), danger: administers },
  { name: "SGCONFIG", family: "config", writes: ["PUT sg_config/sg_config", "PATCH sg_config"], danger: administers },
  { name: "SYSTEMINFO", writes: [], isHarmless: true },
  { name: "TENANTS", family: "tenants", writes: entries("tenants"), isIn: (release) => release !== "6" },
];

/** None of `gate`, whose documentation names none. Without a release: those of any. */
export function listEndpoints({
  product,
  release,
}: Pick<Dialect, "product"> & { readonly release?: string }): readonly Endpoint[] {
  const all = product === "gate" ? [] : product === "opensearch" ? openSearch : searchGuard;
  return all.filter(({ isIn }) => release === undefined || !isIn || isIn(release));
}

/** The name of a family where the server lists rights by endpoint; undefined where the product does not have it. */
export function getEndpoint(dialect: Dialect, family: Family): string | undefined {
  return listEndpoints(dialect).find((endpoint) => endpoint.family === family)?.name;
}

/** The node settings that leave a role nothing to write; without a release, those for any, which skips what it lacks. */
export function listHardeningLines(
  dialect: Parameters<typeof listEndpoints>[0] & Pick<Dialect, "config">,
  role: string,
) {
  const [prefix] = dialect.config.setting.split(".unsupported.");
  return listEndpoints(dialect)
    .filter(({ isHarmless }) => !isHarmless)
    .map(({ name }) => `${formatKey(`${prefix}.restapi.endpoints_disabled.${role}.${name}`)}: ${writing}`);
}

const writing = '["PUT", "POST", "DELETE", "PATCH"]';

/** As YAML has it: role names hold what they like. */
function formatKey(key: string): string {
  if (/^[\w.-]+$/.test(key)) return key;
  return JSON.stringify(key).replace(
    /[^ -~]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
}
