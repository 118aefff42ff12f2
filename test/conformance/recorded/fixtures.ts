import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { InitialState } from "../../../src/emulator/index.ts";
import { adminHeader, isObject, ourFamilies, type Probe, user } from "./probe.ts";
import type { Recorded } from "./recording.ts";

/** Where `test/conformance/real/record.mjs` writes. */
export const fixtureFolder = fileURLToPath(new URL("../fixtures/", import.meta.url));

const hiddenFixtures = JSON.parse(readFileSync(new URL("../real/fixtures.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

interface Line {
  readonly file: string;
  readonly product: "search-guard" | "opensearch";
  readonly release: string;
  /** In fixtures.json. */
  readonly fixtures: string;
  readonly readall: readonly string[];
  readonly logstash: readonly string[];
}

const lines: readonly Line[] = [
  {
    file: "search-guard-6.5.4-24.0.jsonl",
    product: "search-guard",
    release: "6",
    fixtures: "search-guard-6",
    readall: ["sg_own_index", "sg_readall"],
    logstash: ["sg_logstash", "sg_own_index"],
  },
  {
    file: "search-guard-7.5.1-38.0.0.jsonl",
    product: "search-guard",
    release: "7",
    fixtures: "search-guard-7",
    readall: ["SGS_OWN_INDEX", "SGS_READALL"],
    logstash: ["SGS_LOGSTASH", "SGS_OWN_INDEX"],
  },
  {
    file: "opensearch-2.19.1.jsonl",
    product: "opensearch",
    release: "2",
    fixtures: "opensearch",
    readall: ["own_index", "readall"],
    logstash: ["logstash", "own_index"],
  },
];

export const fixtureProbes: readonly Probe[] = lines.map(({ file, product, release, fixtures, readall, logstash }) => ({
  file,
  options: {
    product,
    release,
    adminHeader,
    allowConfigModification: release !== "6",
    users: [user("admin", "all", []), user("readall", "read", readall), user("logstash", "none", logstash)],
  },
  initial: (recorded) => shown(recorded, fixtures),
  scope: new RegExp(`/${ourFamilies}([/?]|$)`),
  fresh: new Map(),
  before: () => [],
  whole: ({ body }) => body,
}));

const places = {
  roles: ["roles", "roles"],
  role_mappings: ["rolesmapping", "roles_mapping"],
  action_groups: ["actiongroups", "action_groups"],
  tenants: ["tenants", "tenants"],
} as const;

/** What the section `seed` shows, and the hidden entries that it cannot show. */
function shown(recorded: readonly Recorded[], fixtures: string): InitialState {
  const seed = recorded.filter(({ section }) => section === "seed");
  const families = Object.entries(places).map(([family, [place, file]]) => {
    const answer = seed.find(({ path }) => path.endsWith(`/${place}`))?.response;
    const hidden = hiddenFixtures[fixtures]?.[file]?.suite_hidden;
    return [family, { ...(isObject(answer) ? answer : {}), ...(hidden !== undefined && { suite_hidden: hidden }) }];
  });
  const config = seed.find(({ path }) => path.endsWith("config"))?.response;
  const document = isObject(config) ? Object.values(config)[0] : { dynamic: {} };
  return { ...Object.fromEntries(families), config: document } as InitialState;
}
