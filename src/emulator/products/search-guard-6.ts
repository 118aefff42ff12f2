import type { ResourceFamily } from "../../model/names.ts";
import type { Content } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { RealProduct } from "../real/product.ts";
import { createSettingsModel } from "../real/settings-model.ts";
import { bodyRequired, createEngineFailure } from "../reply.ts";
import {
  engineCommon,
  identity,
  kinds,
  patchModel,
  prefixes,
  searchGuardCommon,
  searchGuardTexts,
  segments,
  statePair,
} from "./search-guard.ts";

const contents: Partial<Readonly<Record<ResourceFamily, Content>>> = {
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
};

/** Search Guard 6 as 6.5.4-24.0 was seen to answer: no tenants, no blocks, and a config that is only read. */
export const createSearchGuard6Product: RealProduct = {
  ...searchGuardCommon,
  engine: {
    ...engineCommon,
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
    documents: { methods: ["POST", "HEAD", "PUT", "GET", "DELETE"], noIndex: () => "no such index" },
    badEscape: (detail) => createEngineFailure(400, "illegal_argument_exception", detail),
    plusIsBlank: true,
  },
  routes: {
    prefixes,
    collection: ["PATCH", "GET"],
    item: ["PATCH", "GET", "PUT", "DELETE"],
    license: ["POST", "GET", "PUT", "DELETE"],
    config: [{ path: "sgconfig", methods: { writable: ["GET"], fixed: ["GET"] } }],
    segments: new Map([
      ...segments,
      // The singular of old, without PATCH.
      ["actiongroup", { family: "action_groups", collection: ["GET"], item: ["GET", "PUT", "DELETE"] }],
    ]),
    statePair: new Map(statePair),
  },
  identity: {
    ...identity,
    backendWord: "roles",
    endpoints: {
      written: identity.endpoints.written.filter((name) => name !== "TENANTS"),
      others: [...identity.endpoints.others, "CONFIGURATION"],
    },
  },
  kinds,
  internalUsers: { kind: "internalusers" },
  parserReports: false,
  texts: { ...searchGuardTexts, deleteLicense: "No null specified" },
  entries: createSettingsModel(contents),
  // The reader of a body does not expect an empty one.
  patch: patchModel((detail) => ({
    status: 500,
    text: `com.fasterxml.jackson.databind.JsonMappingException: ${detail}`,
  })),
  config: {
    key: "searchguard",
    voice: oldVoice,
    check: () => bodyRequired,
    stored: (value) => ({ tree: value }),
    shown: (tree) => tree,
    patchBase: (tree) => tree,
    misplaced: bodyRequired,
  },
  loads: () => true,
};
