import { openSearchPrefix } from "../../dialects/opensearch.ts";
import { beanModel, uncaught } from "../real/bean-model.ts";
import { newMapper } from "../real/binding.ts";
import { type ContentHabits, newHabits, oldHabits } from "../real/content.ts";
import { newVoice } from "../real/jackson.ts";
import type { RealProduct, Texts } from "../real/product.ts";
import { type Reply, said } from "../reply.ts";
import { entryBeans, entryContents } from "./beans.ts";
import { mappedRoleRule, openSearchMeta, openSearchProduct } from "./opensearch.ts";
import { badPatch, patchModel, texts as searchGuardTexts } from "./search-guard.ts";

const home = "org.opensearch.security.securityconf.impl.v7";
const unavailable = (_: string, name: string): Reply => said(404, `Resource '${name}' is not available.`);

/** As in Search Guard, from which it came, but for hidden entries. */
const texts: Texts = {
  ...searchGuardTexts,
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

/** The checks of Search Guard, and of null in lists those of later releases. */
const habits: ContentHabits = { ...oldHabits, badElement: newHabits.badElement };

const second = openSearchProduct("2");

/**
 * OpenSearch before 2.10 and Open Distro: Search Guard's patches and texts with OpenSearch's rules. Known from source and
 * from the servers' own tests only.
 */
export const openSearchOld: RealProduct = {
  ...second,
  engine: { ...second.engine, number: "1.3.20", plugin: { component: "opensearch-security", version: "1.3.20.0" } },
  routes: {
    ...second.routes,
    prefixes: [openSearchPrefix, "/_opendistro/_security/api"],
    segments: new Map([
      ...second.routes.segments,
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
  entries: beanModel({
    beans: entryBeans(home),
    contents: entryContents(true),
    habits,
    parser: newVoice,
    mapper: newMapper,
    parserTells: false,
    // It takes the flag in words too, and `hidden` not at all.
    adminKeys: { reserved: "Any" },
    mended: true,
    looksForMasks: "in what it can",
    failed: (fault) => uncaught(fault.type, fault.text(newMapper.nowhere)),
    meta: openSearchMeta,
  }),
  patch: patchModel(badPatch),
  config: { ...second.config, otherName: said(400, "name must be config") },
  // A mapping is checked when it is put, not when it is patched.
  rules: (family, name, value, state, way) =>
    family === "role_mappings"
      ? way === "PUT"
        ? mappedRoleRule(name, state, `Role '${name}' is not available for role-mapping.`)
        : undefined
      : second.rules?.(family, name, value, state, way),
};
