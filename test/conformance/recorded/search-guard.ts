import type { InitialState } from "../../../src/emulator/index.ts";
import { adminHeader, clusterName, isObject, ourFamilies, type Probe, user } from "./probe.ts";
import type { Recorded } from "./recording.ts";

type Roles = Readonly<Record<"admin" | "readall" | "logstash", readonly string[]>>;

/** What the node settings were while it was recorded. */
function readOnly(release: string): Readonly<Record<string, readonly string[]>> {
  const names = ["ACTIONGROUPS", "CACHE", "INTERNALUSERS", "ROLES", "ROLESMAPPING", "SGCONFIG"];
  const all = release === "6" ? names : [...names, "TENANTS"];
  return Object.fromEntries(all.map((name) => [name, ["POST", "PUT", "DELETE", "PATCH"]]));
}

/** A recording of one line of Search Guard. */
function searchGuard(file: string, release: string, roles: Roles, hidden: InitialState): Probe {
  return {
    file,
    options: {
      product: "search-guard",
      release,
      adminHeader,
      clusterName,
      allowConfigModification: true,
      users: [
        user("admin", "all", roles.admin),
        { ...user("readall", "all", roles.readall), disabled: { ...readOnly(release), LICENSE: ["*"] } },
        user("logstash", "none", roles.logstash),
      ],
    },
    initial: (lines) => seeded(lines, hidden),
    scope: new RegExp(
      `^/($|_cat/plugins|_searchguard/(authinfo|license|health|whoami|api/(${ourFamilies}|permissionsinfo|nope)([/?]|$)))`,
    ),
    fresh: new Map([
      ["list", {}],
      ["poison", {}],
    ]),
    before: () => [],
    whole: ({ body }) => (body !== undefined && notes.has(body) ? JSON.stringify({ users: notes.get(body) }) : body),
  };
}

/** Bodies too long to keep. */
const notes: ReadonlyMap<string, readonly string[]> = new Map([
  ['{"users":["u" x 3000000]}', ["u".repeat(3_000_000)]],
  ['{"users":[20000 names]}', Array.from({ length: 20_000 }, (_, index) => `user-${index}`)],
]);

const places = {
  roles: "roles",
  rolesmapping: "role_mappings",
  actiongroups: "action_groups",
  tenants: "tenants",
} as const;

/** The section `seed` shows all but what is hidden, which the start script put there. */
function seeded(lines: readonly Recorded[], hidden: InitialState): InitialState {
  const seed = lines.filter(({ section }) => section === "seed");
  const families = Object.entries(places).map(([place, family]) => {
    const shown = seed.find(({ path }) => path.endsWith(`/${place}`))?.response;
    return [family, { ...(isObject(shown) ? shown : {}), ...hidden[family] }];
  });
  const config = seed.find(({ path }) => path.endsWith("config"))?.response;
  const document = isObject(config) ? Object.values(config)[0] : { dynamic: {} };
  return { ...Object.fromEntries(families), config: document } as InitialState;
}

export const searchGuardProbes: readonly Probe[] = [
  searchGuard(
    "sg-7.5.1.jsonl",
    "7",
    {
      admin: ["SGS_ALL_ACCESS", "SGS_OWN_INDEX"],
      readall: ["SGS_OWN_INDEX", "SGS_READALL"],
      logstash: ["SGS_LOGSTASH", "SGS_OWN_INDEX"],
    },
    {
      roles: { real_hidden: { hidden: true, cluster_permissions: ["SGS_CLUSTER_MONITOR"] } },
      role_mappings: { real_hidden: { hidden: true, users: ["alice"] } },
      action_groups: { real_hidden: { hidden: true, allowed_actions: ["SGS_READ"] } },
      tenants: { real_hidden: { hidden: true, description: "hidden" } },
    },
  ),
  searchGuard(
    "sg-6.5.4.jsonl",
    "6",
    {
      admin: ["sg_all_access", "sg_own_index"],
      readall: ["sg_own_index", "sg_readall"],
      logstash: ["sg_logstash", "sg_own_index"],
    },
    {
      roles: { real_hidden: { hidden: true, cluster: ["CLUSTER_MONITOR"] } },
      role_mappings: { real_hidden: { hidden: true, users: ["alice"] } },
      action_groups: { real_hidden: { hidden: true, permissions: ["READ"] } },
    },
  ),
];
