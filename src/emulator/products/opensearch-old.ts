import { openSearchBefore } from "../../dialects/release.ts";
import { beanModel, uncaught } from "../real/bean-model.ts";
import { newMapper } from "../real/binding.ts";
import { type ContentHabits, newHabits, oldHabits } from "../real/content.ts";
import { newVoice } from "../real/jackson.ts";
import type { RealProduct, Texts } from "../real/product.ts";
import { type Reply, said } from "../reply.ts";
import { entryBeans, entryContents } from "./beans.ts";
import { kibanaSlots } from "./config-bean.ts";
import { mappedRoleRule, openSearchConfig, openSearchHome, openSearchProduct, rules } from "./opensearch.ts";
import { configModel, openSearchMeta } from "./opensearch-config.ts";
import { aroundBelow } from "./opensearch-facts.ts";
import { badPatch, patchModel, texts as searchGuardTexts } from "./search-guard.ts";
import { elasticsearch7 } from "./search-guard-7.ts";

const unavailable = (_: string, name: string): Reply => said(404, `Resource '${name}' is not available.`);

/** As in Search Guard, from which it came, but for hidden entries. */
const texts: Texts = {
  ...searchGuardTexts,
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

/** The checks of Search Guard, and of null in lists those of later releases. */
const habits: ContentHabits = { ...oldHabits, badElement: newHabits.badElement };

/**
 * OpenSearch before 2.10: Search Guard's patches and texts with OpenSearch's rules. Known from source and from the
 * servers' own tests only.
 */
export function openSearchOld(release: string): RealProduct {
  const later = openSearchProduct(release);
  const mended = !openSearchBefore(release, "1.3");
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
    entries: entries(openSearchHome, openSearchBefore(release, "1.1") ? oldHabits : habits, mended),
    patch: patchModel(badPatch),
    config: { ...configModel(openSearchHome, openSearchConfig, mended), otherName: said(400, "name must be config") },
    // A mapping is checked when it is put, not when it is patched.
    rules: (family, name, value, state, way) =>
      family === "role_mappings"
        ? way === "PUT"
          ? mappedRoleRule(name, state, `Role '${name}' is not available for role-mapping.`)
          : undefined
        : rules(family, name, value, state, false),
    // Seen on a later one only.
    staleConnections: false,
  };
}

function entries(home: string, habits: ContentHabits, mended: boolean): RealProduct["entries"] {
  return beanModel({
    beans: entryBeans(home),
    contents: entryContents(true),
    habits,
    parser: newVoice,
    mapper: newMapper,
    parserTells: false,
    // It takes the flag in words too, and `hidden` not at all.
    adminKeys: { reserved: "Any" },
    mended,
    looksForMasks: "in what it can",
    failed: (fault) => uncaught(fault.type, fault.text(newMapper.nowhere)),
    meta: openSearchMeta,
  });
}

const openDistroRoot = "/_opendistro/_security";
const openDistroHome = "com.amazon.opendistroforelasticsearch.security.securityconf.impl.v7";
const first = openSearchOld("1");

/** Open Distro for Elasticsearch, of which OpenSearch is made; from source and the server's own tests. */
export const openDistro: RealProduct = {
  ...first,
  title: "Open Distro Security",
  rolesWord: "Open Distro Security Roles",
  engine: {
    ...elasticsearch7("7.10.2"),
    plugin: { component: "opendistro_security", version: "1.13.1.0" },
  },
  routes: {
    ...first.routes,
    prefixes: [`${openDistroRoot}/api`],
    around: new Map(aroundBelow(openDistroRoot)),
  },
  entries: entries(openDistroHome, habits, false),
  config: {
    ...configModel(
      openDistroHome,
      {
        transport: true,
        kibana: { ...kibanaSlots, opendistro_role: { kind: "text" } },
        dynamic: {},
        backend: "com.amazon.opendistroforelasticsearch.security.auth.internal.InternalAuthenticationBackend",
      },
      false,
    ),
    otherName: said(400, "name must be config"),
  },
};
