import { createDialect } from "../../dialects/index.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Alias, Behaviour } from "./behaviour.ts";

/** The engine that each release ran on; `GET /` shows it unless another one is stated. */
const engines: Readonly<Record<string, string>> = {
  "6.x-24": "6.5.4",
  "6.x-25": "6.8.1",
  "7.x-37.0.0": "7.3.2",
  "7.x-38.0.0": "7.5.1",
  "7.x-40.0.0": "7.5.2",
  "7.x-42.0.0": "7.7.1",
  "7.x-43.0.0": "7.8.1",
  FLX: "7.17.9",
};

/** What the documentation states explicitly is here with its section; the rest is as Search Guard 7. */
export function createGateBehaviour(release: string, stated: string | undefined): Behaviour {
  const engine = stated ?? engines[release] ?? "7.8.1";
  const dialect = createDialect("gate", release, engine);
  const six = release.startsWith("6.");
  return {
    dialect,
    engine,
    title: "Gate",
    aliases: six ? deprecatedInSix : new Map(),
    kinds: {
      roles: "role",
      role_mappings: "rolesmapping",
      tenants: "tenant",
      action_groups: "actiongroup",
      blocks: "blocks",
    },
    // Section 4.3: mappings and roles say `OK` whether created or updated.
    statesCreated: new Set<ResourceFamily>(["tenants", "action_groups", "blocks"]),
    // Section 2.8: kind, name and outcome.
    written: (kind, name, outcome) => `${kind} ${name} ${outcome}.`,
    // Sections 2, 2.4 and 2.5.
    single: {
      roles: "by-name",
      role_mappings: "by-name",
      tenants: "by-name",
      action_groups: six ? "bare-list" : "list-only",
      blocks: "wrapped",
    },
    // Sections 2.2 and 2.3 list the flags for these two only.
    showsFlags: new Set<ResourceFamily>(["roles", "tenants"]),
    fillsLists: new Set<ResourceFamily>(["roles", "role_mappings", "action_groups"]),
  };
}

/** Section 4.3: the singular is deprecated in 6 and gone in 7. Real servers never knew PATCH there. */
const deprecatedInSix: ReadonlyMap<string, Alias> = new Map([
  ["actiongroup", { family: "action_groups", methods: ["GET", "PUT", "DELETE"] }],
]);
