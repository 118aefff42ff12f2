// What a plan breaks of the access tests names the changes of the plan that do it.
import { expect, test } from "vitest";
import { nowhere } from "../../../src/access/explain/grant-path.ts";
import { type AccessModel, createAccessModel } from "../../../src/access/model/access-model.ts";
import { buildServerAccess } from "../../../src/access/model/states.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { parseAccessTests } from "../../../src/normalise/access-tests.ts";
import { findBrokenTests } from "../../../src/questions/broken-tests.ts";
import { repositoryOf } from "../../support/nodes.ts";

const dialect = createDialect("search-guard", "7.x-43");

type Held = Partial<Record<ResourceFamily, Readonly<Record<string, Fields>>>>;

function createModel(held: Held): AccessModel {
  return createAccessModel(buildServerAccess((family) => new Map(Object.entries(held[family] ?? {})), dialect, {}));
}

const readsHr: Fields = { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["*"] }] };
const nothing: Fields = {};
const ofAna: Fields = { users: ["ana"] };
const ofBo: Fields = { users: ["ana", "bo"] };
const noBo: Fields = { type: "name", verdict: "disallow", value: ["bo"] };
const noCy: Fields = { type: "name", verdict: "disallow", value: ["cy"] };

test.each<[about: string, written: string, before: Held, after: Held, addresses: readonly string[], why: string]>([
  [
    "a block that goes, and not the mapping that stays",
    "{as: {user: bo}, action: search, index: hr-1, expect: denied}",
    { roles: { r: readsHr }, role_mappings: { r: ofBo }, blocks: { b: noBo } },
    { roles: { r: readsHr }, role_mappings: { r: ofBo } },
    ["blocks/b"],
    "It passes without the change of block b.",
  ],
  [
    "each change without which it passes, and none beside them",
    "{as: {user: bo}, action: search, index: hr-1, expect: denied}",
    { roles: { r: nothing }, role_mappings: { r: ofAna }, blocks: { b: noCy } },
    { roles: { r: readsHr }, role_mappings: { r: ofBo } },
    ["roles/r", "role_mappings/r"],
    "It passes without the change of role r or of role mapping r.",
  ],
  [
    "what takes a right away",
    "{as: {user: bo}, action: search, index: hr-1, expect: allowed}",
    { roles: { r: readsHr }, role_mappings: { r: ofBo } },
    { roles: { r: readsHr }, role_mappings: { r: ofAna }, blocks: { b: noCy } },
    ["role_mappings/r"],
    "It passes without the change of role mapping r.",
  ],
  [
    "the grant path, where no change alone does it",
    "{as: {user: bo}, action: search, index: hr-1, expect: denied}",
    { roles: { r: readsHr } },
    { roles: { r: readsHr, s: readsHr }, role_mappings: { r: ofBo, s: ofBo } },
    ["role_mappings/r", "roles/r"],
    "",
  ],
  [
    "the grant path, where it fails before the plan, too",
    "{as: {user: bo}, action: search, index: hr-1, expect: denied}",
    { roles: { r: readsHr }, role_mappings: { r: ofBo }, blocks: { b: noCy } },
    { roles: { r: readsHr }, role_mappings: { r: ofBo } },
    ["role_mappings/r", "roles/r"],
    "It fails on what the server holds now, too.",
  ],
])("%s", (_, written, before, after, addresses, why) => {
  const { tests } = parseAccessTests(repositoryOf({ "t.access-test.yaml": `[${written}]` }));
  const states = { before: createModel(before), after: createModel(after) };
  const broken = findBrokenTests({ tests, personas: new Map() }, states, dialect, nowhere);
  const [finding] = broken?.findings ?? [];
  expect(finding?.addresses).toEqual(addresses);
  expect(finding?.why?.match(/It (?:passes|fails).*$/)?.[0] ?? "").toEqual(why);
});
