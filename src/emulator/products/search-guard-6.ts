import type { FamilyBodyRules, ProductModel } from "../product.ts";
import { createEngineFailure } from "../reply.ts";
import { searchGuardPatch } from "../values/patch-libraries.ts";
import { userKeys } from "./entry-classes.ts";
import { createReadOnlyConfig } from "./instance-config.ts";
import { explainMissingPassword, withPasswords } from "./internal-users.ts";
import {
  createPatchModel,
  identity,
  otherPaths,
  prefixes,
  searchGuardCommon,
  searchGuardTexts,
  segments,
} from "./search-guard.ts";
import { createSettingsEntries } from "./search-guard-6-entries.ts";

const bodyRules: FamilyBodyRules = {
  roles: {
    keys: { cluster: "Array", indices: "Object", tenants: "Object" },
    oneOf: ["cluster", "indices"],
    payload: true,
  },
  role_mappings: {
    keys: { backendroles: "Array", hosts: "Array", users: "Array" },
    oneOf: ["backendroles", "hosts", "users"],
    payload: true,
  },
  action_groups: { keys: { permissions: "Array" }, mandatory: "permissions", payload: true },
  internal_users: { keys: { hash: "String", roles: "Array", ...userKeys }, payload: true },
};

/** Search Guard 6 as 6.5.4-24.0 was seen to answer: no tenants, no blocks, and a config that is only read. */
export const searchGuard6: ProductModel = {
  ...searchGuardCommon,
  engine: {
    ...searchGuardCommon.engine,
    number: "6.5.4",
    build: {
      build_flavor: "oss",
      build_type: "zip",
      build_hash: "d2ef93d",
      build_date: "2018-12-17T21:17:40.758843Z",
      build_snapshot: false,
      lucene_version: "7.5.0",
      minimum_wire_compatibility_version: "5.6.0",
      minimum_index_compatibility_version: "5.0.0",
    },
    plugin: { component: "search-guard-6", version: "6.5.4-24.0" },
    documents: { methods: ["POST", "HEAD", "PUT", "GET", "DELETE"], noIndex: () => "no such index", ofIndex: ["POST"] },
    badEscape: (detail) => createEngineFailure(400, "illegal_argument_exception", detail),
    plusIsBlank: true,
  },
  routes: {
    prefixes,
    collection: ["PATCH", "GET"],
    item: ["PATCH", "GET", "PUT", "DELETE"],
    license: ["POST", "GET", "PUT", "DELETE"],
    config: [{ path: "sgconfig", methods: { writable: ["GET"], readOnly: ["GET"] } }],
    configEndpoint: "SGCONFIG",
    segments: new Map([
      ...segments,
      // The singular of old, without PATCH.
      ["actiongroup", { family: "action_groups", collection: ["GET"], item: ["GET", "PUT", "DELETE"] }],
    ]),
    otherPaths: new Map([
      ...otherPaths,
      ["/searchguard/sg/internalusers", { kind: "users-document", methods: ["GET"] }],
    ]),
  },
  identity: {
    ...identity,
    backendWord: "roles",
  },
  parserReports: false,
  texts: { ...searchGuardTexts, deleteLicense: "No null specified" },
  entries: withPasswords(createSettingsEntries(bodyRules), false),
  rules: (value, by, state) => explainMissingPassword(value, by, state, 500),
  // The reader of a body does not expect an empty one.
  patch: createPatchModel(
    (detail) => ({
      status: 500,
      text: `com.fasterxml.jackson.databind.JsonMappingException: ${detail}`,
    }),
    searchGuardPatch,
  ),
  config: createReadOnlyConfig("searchguard"),
};
