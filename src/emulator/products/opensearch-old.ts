import { isOpenSearchBefore } from "../../dialects/release.ts";
import type { ConfigModel, EntryModel, ProductModel, ProductTexts } from "../product.ts";
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import { openSearchMapper } from "../values/binding.ts";
import { type BodyChecks, openSearchChecks, searchGuardChecks } from "../values/body-rules.ts";
import { searchGuardPatch } from "../values/patch-libraries.ts";
import { kibanaProperties } from "./config-class.ts";
import { createInstanceEntries, readFlags } from "./instance-entries.ts";
import { explainRefusedUser, withPasswords } from "./internal-users.ts";
import {
  createOpenSearchBodyRules,
  createOpenSearchClasses,
  createOpenSearchProduct,
  refuseProtected,
  requireMappedRole,
} from "./opensearch.ts";
import {
  createConfigDifferences,
  createOpenSearchConfig,
  openSearchHome,
  openSearchMeta,
} from "./opensearch-config.ts";
import { refuseDocument } from "./opensearch-documents.ts";
import { listOtherRoutes } from "./opensearch-facts.ts";
import { createPatchModel, refuseBadPatch, searchGuardTexts } from "./search-guard.ts";
import { createElasticsearch7 } from "./search-guard-7.ts";

const unavailable = (_: string, name: string): Reply => createReply(404, `Resource '${name}' is not available.`);

/** As in Search Guard, from which it came, but for hidden entries. */
const texts: ProductTexts = {
  ...searchGuardTexts,
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

/** The checks of Search Guard, and of null in lists those of later releases. */
const checks: BodyChecks = { ...searchGuardChecks, badElement: openSearchChecks.badElement };

/**
 * OpenSearch before 2.10: Search Guard's patches and texts with OpenSearch's rules. Known from source and from the
 * servers' own tests only.
 */
export function createOldOpenSearch(release: string): ProductModel {
  const later = createOpenSearchProduct(release);
  const keepsFalse = !isOpenSearchBefore(release, "1.3");
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
          methods: { writable: ["PATCH", "GET"], readOnly: ["GET"] },
          named: { methods: ["PUT"], any: true, whenReadOnly: false },
        },
      ],
    },
    texts,
    entries: entries(openSearchHome, isOpenSearchBefore(release, "1.1") ? searchGuardChecks : checks, keepsFalse),
    patch: createPatchModel(refuseBadPatch, searchGuardPatch),
    config: withCheckedName(createOpenSearchConfig(openSearchHome, createConfigDifferences(release), keepsFalse)),
    // A mapping is checked when it is put, not when it is patched.
    rules: (value, by, state) => {
      const ofUser = explainRefusedUser(value, by, state, (role) => readFlags(role).hidden);
      if (by.family !== "role_mappings") return ofUser ?? refuseProtected(value, by, state, false);
      if (by.writeKind !== "PUT") return undefined;
      return requireMappedRole(by.name, state, `Role '${by.name}' is not available for role-mapping.`);
    },
    // Seen on a later one only.
    staleConnections: false,
  };
}

function entries(home: string, checks: BodyChecks, keepsFalse: boolean): EntryModel {
  const classes = createOpenSearchClasses(home, "1");
  const found = createInstanceEntries({
    classes,
    bodyRules: createOpenSearchBodyRules(classes),
    checks,
    mapper: openSearchMapper,
    // It takes the flag in words too, and `hidden` not at all.
    adminKeys: { reserved: "Any" },
    keepsFalse,
    looksForMasks: "in what it can",
    storesNull: true,
    failed: (fault, { family }) =>
      refuseDocument(family) ?? createEngineFailure(500, fault.type, fault.text(openSearchMapper.nowhere)),
    meta: openSearchMeta,
  });
  return withPasswords(found, true);
}

const openDistroRoot = "/_opendistro/_security";
const openDistroHome = "com.amazon.opendistroforelasticsearch.security.securityconf.impl.v7";
const first = createOldOpenSearch("1");

/** Open Distro for Elasticsearch, of which OpenSearch is made; from source and the server's own tests. */
export const openDistro: ProductModel = {
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
    otherPaths: new Map(listOtherRoutes(openDistroRoot)),
  },
  entries: entries(openDistroHome, checks, false),
  config: withCheckedName(
    createOpenSearchConfig(
      openDistroHome,
      {
        transport: true,
        kibana: { ...kibanaProperties, opendistro_role: { kind: "text" } },
        dynamic: {},
        backend: "com.amazon.opendistroforelasticsearch.security.auth.internal.InternalAuthenticationBackend",
      },
      false,
    ),
  ),
};

function withCheckedName(config: ConfigModel): ConfigModel {
  const otherName = createReply(400, "name must be config");
  return { ...config, ...(config.writes && { writes: { ...config.writes, otherName } }) };
}
