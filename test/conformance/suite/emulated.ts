import { readFileSync } from "node:fs";
import {
  type EmulatorOptions,
  type EmulatorUser,
  type InitialState,
  startEmulator,
} from "../../../src/emulator/index.ts";
import { type Facts, openStage, type Stage } from "./stage.ts";

const adminHeader = "x-admin-certificate";

/** The emulator as the server of the scripts is set up: the same fixtures, users and node settings. */
export async function emulatedStage(facts: Facts): Promise<Stage> {
  const { name, product, configWritable } = facts;
  const emulator = await startEmulator({
    product,
    release: name.slice(-1),
    adminHeader,
    allowConfigModification: configWritable,
    users: users(name),
    state: initial(name),
  } satisfies EmulatorOptions);
  return openStage(facts, { url: emulator.url, adminHeader }, emulator.close);
}

function users(name: Facts["name"]): readonly EmulatorUser[] {
  const roles: Readonly<Record<Facts["name"], readonly (readonly string[])[]>> = {
    "search-guard-6": [
      ["sg_own_index", "sg_readall"],
      ["sg_logstash", "sg_own_index"],
    ],
    "search-guard-7": [
      ["SGS_OWN_INDEX", "SGS_READALL"],
      ["SGS_LOGSTASH", "SGS_OWN_INDEX"],
    ],
    "opensearch-2": [
      ["own_index", "readall"],
      ["logstash", "own_index"],
    ],
    "opensearch-3": [
      ["own_index", "readall"],
      ["logstash", "own_index"],
    ],
  };
  const [read = [], none = []] = roles[name];
  const user = (login: string, rights: EmulatorUser["rights"], own: readonly string[]) =>
    ({ name: login, password: login, rights, roles: own, backendRoles: [login] }) as const;
  return [user("admin", "all", []), user("readall", "read", read), user("logstash", "none", none)];
}

const files = {
  roles: "roles",
  role_mappings: "roles_mapping",
  action_groups: "action_groups",
  tenants: "tenants",
} as const;

/** The fixtures, and a config with a domain that is switched off. */
function initial(name: Facts["name"]): InitialState {
  const all = JSON.parse(readFileSync(new URL("../real/fixtures.json", import.meta.url), "utf8"));
  const own = all[name.startsWith("opensearch") ? "opensearch" : name];
  const families = Object.entries(files).map(([family, file]) => [family, { ...own[file] }]);
  const state = Object.fromEntries(families);
  if (name === "search-guard-6") return { ...state, config: config6 };
  return { ...state, config: config7 };
}

const config6 = { dynamic: { http: { anonymous_auth_enabled: "false" }, authc: {} } };

function domain(enabled: boolean, order: number, type: string, config: Readonly<Record<string, string>>) {
  return {
    http_enabled: enabled,
    transport_enabled: enabled,
    order,
    http_authenticator: { type, challenge: enabled, config },
    authentication_backend: { type: "intern", config: {} },
  };
}

const config7 = {
  dynamic: {
    authc: {
      basic_internal_auth_domain: domain(true, 4, "basic", {}),
      jwt_auth_domain: domain(false, 0, "jwt", { signing_key: "base64 encoded HMAC key" }),
    },
  },
};
