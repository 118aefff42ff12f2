import { beanModel } from "../real/bean-model.ts";
import { type BindingFault, oldMapper } from "../real/binding.ts";
import { oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import { patchedByOld } from "../real/old-patch.ts";
import type { RealProduct, RouteFacts } from "../real/product.ts";
import { patchedByNew } from "../real/zjsonpatch.ts";
import { type Reply, said } from "../reply.ts";
import { entryBeans, entryContents, type Gains } from "./beans.ts";
import {
  around,
  badPatch,
  engineCommon,
  identity,
  kinds,
  patchModel,
  prefixes,
  searchGuardCommon,
  segments,
  texts,
} from "./search-guard.ts";
import { configModel, failed, home, metaModel } from "./search-guard-7-config.ts";
import { loads } from "./search-guard-poison.ts";

/** The build that was met: what Search Guard 7 is where no build is said. */
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
export function searchGuard7(build = recordedBuild): RealProduct {
  const [, number = ""] = engines.findLast(([since]) => since <= build) ?? [];
  const gains: Gains = { blocks: build >= 41, excludes: build >= 47, aliases: false, addresses: false };
  return {
    ...searchGuardCommon,
    engine: { ...elasticsearch7(number), plugin: { component: "search-guard-7", version: `${number}-${build}.0.0` } },
    routes: routes(build, gains),
    identity: {
      ...identity,
      endpoints: gains.blocks
        ? { ...identity.endpoints, written: [...identity.endpoints.written, "BLOCKS"] }
        : identity.endpoints,
    },
    kinds,
    internalUsers: { kind: "Resource", roles: "search_guard_roles" },
    parserTells: true,
    texts,
    entries: beanModel({
      beans: entryBeans(home, gains),
      contents: entryContents(false, gains),
      habits: oldHabits,
      parser: oldVoice,
      mapper: oldMapper,
      parserTells: true,
      adminKeys: {},
      mended: false,
      looksForMasks: "in what it can",
      failed: build >= 51 ? caught : failed,
      meta: metaModel(),
    }),
    patch: patchModel(badPatch, build >= 53 ? patchedByNew : patchedByOld),
    config: configModel(),
    loads,
  };
}

export function elasticsearch7(number: string) {
  return {
    ...engineCommon,
    number,
    // As the one release that was met has it.
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
    badEscape: (told: string, allowed: readonly string[]): Reply => ({
      status: 405,
      json: { error: `${told}, allowed: [${allowed.join(", ")}]`, status: 405 },
    }),
    plusIsBlank: false,
  };
}

function routes(build: number, { blocks }: Gains): RouteFacts {
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
    around: new Map(around),
  };
}

/** The last builds answer for themselves what the search engine answered before. */
export function caught(fault: BindingFault): Reply {
  const message = `Error while processing request: ${fault.text(oldMapper.nowhere)}`;
  return said(500, message, "INTERNAL_SERVER_ERROR");
}
