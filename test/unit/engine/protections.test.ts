// Every key of gate-sync.yaml and of state files is a row of the table of protections, or is none for a reason.
import { expect, test } from "vitest";
import { protections } from "../../../src/engine/protection/table.ts";
import { readSchema } from "../../support/schemas.ts";

/** What protects nothing by itself, and why. */
const reasons: Readonly<Record<string, string>> = {
  targets_from: "the targets that it lists are compared by name",
  default_target: "says which target a run is about, which the plan shows",
  defaults: "compared by what targets end up with",
  url: "the plan shows it; allowed_hosts limits it",
  product: "the plan shows it, and what follows from it",
  release: "the plan shows it, and what follows from it",
  auth: "the login of the run, which the plan shows",
  "tls.cert": "the login of the run, which the plan shows",
  "tls.key": "the login of the run",
  "tls.pkcs12": "the login of the run, which the plan shows",
  "tls.passphrase": "the login of the run",
  headers: "sent with the login of the run",
  timeouts: "how long is waited",
  max_body_size: "how requests are split",
  state: "what the files hold is compared: tests, personas, waivers, modes, reserved entries",
  vars: "compared by what they come to",
  vars_files: "compared by what they come to",
  overrides: "compared by what entries come to",
  generate: "compared by what entries come to",
  access_tests: "compared by what they imply, beside the table",
  config: "the plan shows its change",
  license: "the plan shows its change",
  roles: "the plan shows their change; reserved is a row",
  role_mappings: "the plan shows their change; reserved is a row",
  tenants: "the plan shows their change; reserved is a row",
  action_groups: "the plan shows their change; reserved is a row",
  internal_users: "the plan shows their change; reserved is a row",
  blocks: "the plan shows their change; reserved is a row",
  nodes_dn: "the plan shows their change; reserved is a row",
  audit: "the plan shows its change; reserved is a row",
  whitelist: "the plan shows its change; reserved is a row",
  allowlist: "the plan shows its change; reserved is a row",
};

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const config = readSchema("gate-sync") as Schema;
const target = config.$defs?.target?.properties ?? {};
const below = (name: string) => Object.keys(config.$defs?.[name]?.properties ?? {});
const keysOf = ({ properties = {} }: Schema) => Object.keys(properties);

const limits = ["deletions", "changes"].flatMap((limit) =>
  keysOf(config.$defs?.policy?.properties?.[limit] ?? {}).map((unit) => `${limit}.${unit}`),
);
const ofPolicies = below("policy").filter((key) => key !== "deletions" && key !== "changes");

const all = [
  ...keysOf(config),
  ...Object.keys(target).filter((key) => key !== "tls" && key !== "families"),
  ...below("tls").map((key) => `tls.${key}`),
  ...[...ofPolicies, ...limits].map((key) => `families.*.${key}`),
  ...keysOf(readSchema("state") as Schema),
];

test.each(all)("%s is a row, or protects nothing", (key) => {
  const rows = new Set(protections.map((one) => one.key));
  expect([rows.has(key), Object.hasOwn(reasons, key)].filter(Boolean)).toHaveLength(1);
});

test("there is no reason for a key that is none", () => {
  expect(Object.keys(reasons).filter((key) => !all.includes(key))).toEqual([]);
});
