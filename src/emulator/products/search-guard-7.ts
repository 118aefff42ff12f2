import type { ProductModel, RouteFacts } from "../product.ts";
import { createReply, type Reply } from "../reply.ts";
import { type BindingFault, searchGuardMapper } from "../values/binding.ts";
import { searchGuardChecks } from "../values/body-rules.ts";
import { openSearchPatch, searchGuardPatch } from "../values/patch-libraries.ts";
import { type AddedProperties, createBodyRules, createEntryClasses } from "./entry-classes.ts";
import { createInstanceEntries } from "./instance-entries.ts";
import { explainMissingPassword, withPasswords } from "./internal-users.ts";
import {
  createPatchModel,
  identity,
  otherPaths,
  prefixes,
  refuseBadPatch,
  searchGuardCommon,
  searchGuardTexts,
  segments,
} from "./search-guard.ts";
import { createMetaModel, createSearchGuardConfig, failConfigRead, home } from "./search-guard-7-config.ts";
import { canLoadEntries } from "./search-guard-unloadable.ts";

/** The recorded build: what Search Guard 7 means where no build is stated. */
export const recordedBuild = 38;

/** Builds on what they ran; those between two of them run on the earlier one's. */
const engines: readonly (readonly [number, string])[] = [
  [0, "7.5.1"],
  [40, "7.5.2"],
  [42, "7.7.1"],
  [43, "7.8.1"],
  [47, "7.10.2"],
  [53, "7.17.9"],
];

/** Search Guard 7 of one build: 38 as it was seen to answer, the others as their sources have it. */
export function createSearchGuard7Product(build = recordedBuild): ProductModel {
  const [, number = ""] = engines.findLast(([since]) => since <= build) ?? [];
  const added: AddedProperties = { blocks: build >= 41, excludes: build >= 47, aliases: false, addresses: false };
  const classes = createEntryClasses(home, "search_guard_roles", added);
  return {
    ...searchGuardCommon,
    engine: {
      ...createElasticsearch7(number),
      plugin: { component: "search-guard-7", version: `${number}-${build}.0.0` },
    },
    routes: routes(build, added),
    identity,
    parserReports: true,
    texts: searchGuardTexts,
    entries: withPasswords(
      createInstanceEntries({
        classes,
        bodyRules: createBodyRules(classes, false),
        checks: searchGuardChecks,
        mapper: searchGuardMapper,
        adminKeys: {},
        keepsFalse: false,
        looksForMasks: "in what it can",
        storesNull: true,
        failed: build >= 51 ? catchException : failConfigRead,
        meta: createMetaModel(),
      }),
      false,
    ),
    rules: (value, by, state) => explainMissingPassword(value, by, state, 500),
    patch: createPatchModel(refuseBadPatch, build >= 53 ? openSearchPatch : searchGuardPatch),
    config: createSearchGuardConfig(build),
    loads: canLoadEntries,
  };
}

export function createElasticsearch7(number: string) {
  return {
    ...searchGuardCommon.engine,
    number,
    // As recorded from one release.
    build: {
      build_flavor: "oss",
      build_type: "zip",
      build_hash: "3ae9ac9a93c95bd0cdc054951cf95d88e1e18d96",
      build_date: "2019-12-16T22:57:37.835892Z",
      build_snapshot: false,
      lucene_version: "8.3.0",
      minimum_wire_compatibility_version: "6.8.0",
      minimum_index_compatibility_version: "6.0.0-beta1",
    },
    documents: {
      methods: ["GET", "DELETE", "PUT", "HEAD", "POST"],
      noIndex: (index: string) => `no such index [${index}]`,
      ofIndex: ["POST"],
    },
    // Elasticsearch 7 takes what goes wrong while it reads a path for a wrong method.
    badEscape: (detail: string, allowed: readonly string[]): Reply => ({
      status: 405,
      json: { error: `${detail}, allowed: [${allowed.join(", ")}]`, status: 405 },
    }),
  };
}

function routes(build: number, { blocks }: AddedProperties): RouteFacts {
  const unnamed = build >= 51 ? ["PUT"] : [];
  return {
    prefixes,
    collection: ["GET", "PATCH"],
    item: ["GET", "DELETE", "PUT", "PATCH"],
    license: ["DELETE", "GET", "PUT", "POST"],
    // The writing routes are not even registered unless the node setting allows them.
    config: ["sg_config", "sgconfig"].map((path) => ({
      path,
      methods: { writable: ["GET", "PATCH", ...unnamed], readOnly: ["GET"] },
      named: { methods: ["PUT"], any: true, whenReadOnly: false },
    })),
    configEndpoint: "SGCONFIG",
    segments: new Map([
      ...segments,
      ["tenants", { family: "tenants" }],
      ...(blocks ? [["blocks", { family: "blocks" }] as const] : []),
    ]),
    otherPaths: new Map([
      ...otherPaths,
      ["/searchguard/_doc/internalusers", { kind: "users-document", methods: ["GET"] }],
    ]),
  };
}

/** The last builds answer for themselves what the search engine answered before. */
export function catchException(fault: BindingFault): Reply {
  const message = `Error while processing request: ${fault.text(searchGuardMapper.nowhere)}`;
  return createReply(500, message, "INTERNAL_SERVER_ERROR");
}
