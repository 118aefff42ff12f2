import { createBeanModel } from "../real/bean-model.ts";
import { type BindingFault, oldMapper } from "../real/binding.ts";
import { oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import { patchAsOld } from "../real/old-patch.ts";
import type { RealProduct, RouteFacts } from "../real/product.ts";
import { patchAsNew } from "../real/zjsonpatch.ts";
import { createReply, type Reply } from "../reply.ts";
import { type AddedProperties, createEntryBeans, createEntryContents } from "./beans.ts";
import {
  engineCommon,
  identity,
  kinds,
  patchModel,
  prefixes,
  refuseBadPatch,
  searchGuardCommon,
  searchGuardTexts,
  segments,
  statePair,
} from "./search-guard.ts";
import { createMetaModel, createSearchGuardConfigModel, failConfigRead, home } from "./search-guard-7-config.ts";
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
export function createSearchGuard7Product(build = recordedBuild): RealProduct {
  const [, number = ""] = engines.findLast(([since]) => since <= build) ?? [];
  const added: AddedProperties = { blocks: build >= 41, excludes: build >= 47, aliases: false, addresses: false };
  return {
    ...searchGuardCommon,
    engine: {
      ...createElasticsearch7(number),
      plugin: { component: "search-guard-7", version: `${number}-${build}.0.0` },
    },
    routes: routes(build, added),
    identity: {
      ...identity,
      endpoints: added.blocks
        ? { ...identity.endpoints, written: [...identity.endpoints.written, "BLOCKS"] }
        : identity.endpoints,
    },
    kinds,
    internalUsers: { kind: "Resource", roles: "search_guard_roles" },
    parserReports: true,
    texts: searchGuardTexts,
    entries: createBeanModel({
      beans: createEntryBeans(home, added),
      contents: createEntryContents(false, added),
      habits: oldHabits,
      parser: oldVoice,
      mapper: oldMapper,
      parserReports: true,
      adminKeys: {},
      fixed: false,
      looksForMasks: "in what it can",
      failed: build >= 51 ? catchException : failConfigRead,
      meta: createMetaModel(),
    }),
    patch: patchModel(refuseBadPatch, build >= 53 ? patchAsNew : patchAsOld),
    config: createSearchGuardConfigModel(),
    loads: canLoadEntries,
  };
}

export function createElasticsearch7(number: string) {
  return {
    ...engineCommon,
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
    },
    // Elasticsearch 7 takes what goes wrong while it reads a path for a wrong method.
    badEscape: (detail: string, allowed: readonly string[]): Reply => ({
      status: 405,
      json: { error: `${detail}, allowed: [${allowed.join(", ")}]`, status: 405 },
    }),
    plusIsBlank: false,
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
      methods: { writable: ["GET", "PATCH", ...unnamed], fixed: ["GET"] },
      named: { methods: ["PUT"], any: true, whenFixed: false },
    })),
    segments: new Map([
      ...segments,
      ["tenants", { family: "tenants" }],
      ...(blocks ? [["blocks", { family: "blocks" }] as const] : []),
    ]),
    statePair: new Map(statePair),
  };
}

/** The last builds answer for themselves what the search engine answered before. */
export function catchException(fault: BindingFault): Reply {
  const message = `Error while processing request: ${fault.text(oldMapper.nowhere)}`;
  return createReply(500, message, "INTERNAL_SERVER_ERROR");
}
