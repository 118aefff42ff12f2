import { isOpenSearchBefore } from "../../dialects/release.ts";
import { answerUncaught, createBeanModel } from "../real/bean-model.ts";
import { newMapper } from "../real/binding.ts";
import { type ContentHabits, newHabits, oldHabits } from "../real/content.ts";
import { newVoice } from "../real/jackson.ts";
import type { ProductTexts, RealProduct } from "../real/product.ts";
import { createReply, type Reply } from "../reply.ts";
import { createEntryBeans, createEntryContents } from "./beans.ts";
import { kibanaSlots } from "./config-bean.ts";
import {
  createOpenSearchProduct,
  createOpenSearchRules,
  openSearchConfig,
  openSearchHome,
  requireMappedRole,
} from "./opensearch.ts";
import { createOpenSearchConfigModel, openSearchMeta } from "./opensearch-config.ts";
import { getEngineAnswers } from "./opensearch-facts.ts";
import { patchModel, refuseBadPatch, searchGuardTexts } from "./search-guard.ts";
import { createElasticsearch7 } from "./search-guard-7.ts";

const unavailable = (_: string, name: string): Reply => createReply(404, `Resource '${name}' is not available.`);

/** As in Search Guard, from which it came, but for hidden entries. */
const texts: ProductTexts = {
  ...searchGuardTexts,
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

/** The checks of Search Guard, and of null in lists those of later releases. */
const habits: ContentHabits = { ...oldHabits, badElement: newHabits.badElement };

/**
 * OpenSearch before 2.10: Search Guard's patches and texts with OpenSearch's rules. Known from source and from the
 * servers' own tests only.
 */
export function createOldOpenSearch(release: string): RealProduct {
  const later = createOpenSearchProduct(release);
  const fixed = !isOpenSearchBefore(release, "1.3");
  return {
    ...later,
    routes: {
      ...later.routes,
      segments: new Map([
        ...later.routes.segments,
        ["actiongroup", { family: "action_groups", collection: ["GET"], item: ["GET", "PUT", "DELETE"] }],
      ]),
      // The writing routes are not even registered unless the node setting allows them.
      config: [
        {
          path: "securityconfig",
          methods: { writable: ["PATCH", "GET"], fixed: ["GET"] },
          named: { methods: ["PUT"], any: true, whenFixed: false },
        },
      ],
    },
    texts,
    entries: entries(openSearchHome, isOpenSearchBefore(release, "1.1") ? oldHabits : habits, fixed),
    patch: patchModel(refuseBadPatch),
    config: {
      ...createOpenSearchConfigModel(openSearchHome, openSearchConfig, fixed),
      otherName: createReply(400, "name must be config"),
    },
    // A mapping is checked when it is put, not when it is patched.
    rules: (family, name, value, state, writeKind) =>
      family === "role_mappings"
        ? writeKind === "PUT"
          ? requireMappedRole(name, state, `Role '${name}' is not available for role-mapping.`)
          : undefined
        : createOpenSearchRules(family, name, value, state, false),
    // Seen on a later one only.
    staleConnections: false,
  };
}

function entries(home: string, habits: ContentHabits, fixed: boolean): RealProduct["entries"] {
  return createBeanModel({
    beans: createEntryBeans(home),
    contents: createEntryContents(true),
    habits,
    parser: newVoice,
    mapper: newMapper,
    parserReports: false,
    // It takes the flag in words too, and `hidden` not at all.
    adminKeys: { reserved: "Any" },
    fixed,
    looksForMasks: "in what it can",
    failed: (fault) => answerUncaught(fault.type, fault.text(newMapper.nowhere)),
    meta: openSearchMeta,
  });
}

const openDistroRoot = "/_opendistro/_security";
const openDistroHome = "com.amazon.opendistroforelasticsearch.security.securityconf.impl.v7";
const first = createOldOpenSearch("1");

/** Open Distro for Elasticsearch, of which OpenSearch is made; from source and the server's own tests. */
export const openDistro: RealProduct = {
  ...first,
  title: "Open Distro Security",
  rolesWord: "Open Distro Security Roles",
  engine: {
    ...createElasticsearch7("7.10.2"),
    plugin: { component: "opendistro_security", version: "1.13.1.0" },
  },
  routes: {
    ...first.routes,
    prefixes: [`${openDistroRoot}/api`],
    statePair: new Map(getEngineAnswers(openDistroRoot)),
  },
  entries: entries(openDistroHome, habits, false),
  config: {
    ...createOpenSearchConfigModel(
      openDistroHome,
      {
        transport: true,
        kibana: { ...kibanaSlots, opendistro_role: { kind: "text" } },
        dynamic: {},
        backend: "com.amazon.opendistroforelasticsearch.security.auth.internal.InternalAuthenticationBackend",
      },
      false,
    ),
    otherName: createReply(400, "name must be config"),
  },
};
