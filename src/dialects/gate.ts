import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOfFlx, fieldsWithExclusions } from "./fields.ts";
import { withoutBrackets } from "./pointer-names.ts";
import { isBefore } from "./version.ts";

export const gateReleases = [
  "6.x-24",
  "6.x-25",
  "7.x-37.0.0",
  "7.x-38.0.0",
  "7.x-40.0.0",
  "7.x-42.0.0",
  "7.x-43.0.0",
  "FLX",
] as const;

export const gatePrefix = "/_gate/api";

/** Before the engine knew the method PATCH, the documentation allows it for the other families only. */
const patchNeedsEngine: ReadonlySet<ResourceFamily> = new Set(["role_mappings", "action_groups"]);

/** The API as its documentation has it, wherever that is explicit. */
export function createGateDialect(release: string, engine: string | undefined): Dialect {
  const six = release.startsWith("6.");
  const oldEngine = engine !== undefined && isBefore(engine, "6.4.0");
  return {
    product: "gate",
    release,
    prefix: gatePrefix,
    collections: {
      action_groups: "actiongroups",
      tenants: "tenants",
      roles: "roles",
      role_mappings: "rolesmapping",
      blocks: "blocks",
    },
    config: {
      path: "gate_config",
      putPath: "gate_config",
      putRouteReports: false,
      key: "gate_config",
      wrapped: true,
      dashboard: "dashboard",
      texts: false,
      // Documented, but real servers of the same descent change more by it than it says.
      patch: false,
      setting: "gate.unsupported.restapi.allow_gateconfig_modification",
    },
    // With the slash at the end, as documented.
    license: { path: "license/", key: "gate_license" },
    actionGroup: { list: six ? "permissions" : "allowed_actions", bare: six, whole: false, needsType: false },
    blockValue: "string",
    words: {},
    documentTypes: false,
    // The documentation is silent; what Search Guard 7 calls them.
    tenantAccess: { RW: "SGS_KIBANA_ALL_WRITE", RO: "SGS_KIBANA_ALL_READ" },
    patch: new Set(resourceFamilies.filter((family) => !(oldEngine && patchNeedsEngine.has(family)))),
    honoursTest: true,
    testsFields: true,
    losesWrites: false,
    omitsEmpty: false,
    fields: release === "FLX" ? fieldsOfFlx : fieldsWithExclusions,
    dottedNames: true,
    refusesSpaces: false,
    checksRoles: false,
    // As on Search Guard 7, where the documentation is silent.
    cyclesHarm: true,
    mappingLists: ["backend_roles", "hosts", "users"],
    pointerReaches: withoutBrackets,
  };
}
