import type { ResourceFamily } from "../../model/names.ts";
import { beanModel, uncaught } from "../real/bean-model.ts";
import { patchBase, shownBean } from "../real/beans.ts";
import { BindingFault, bound, oldMapper } from "../real/binding.ts";
import { contentRefusal, oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { RealState } from "../real/kept.ts";
import type { ConfigModel, MetaModel, RealProduct, Stored, StoredBy } from "../real/product.ts";
import { inputOutput } from "../real/resource-patch.ts";
import { type Reply, said } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { configBean, entryBeans, entryContents, kibanaSlots } from "./beans.ts";
import {
  badPatch,
  engineCommon,
  kinds,
  patchModel,
  prefixes,
  searchGuardCommon,
  segments,
  texts,
} from "./search-guard.ts";

const classes = "com.floragunn.searchguard.sgconf.impl";
const home = `${classes}.v7`;

/** Search Guard 7 before 7.x-41: no blocks. As 7.5.1-38.0.0 was seen to answer. */
export const searchGuard7: RealProduct = {
  ...searchGuardCommon,
  engine: {
    ...engineCommon,
    number: "7.5.1",
    plugin: { component: "search-guard-7", version: "7.5.1-38.0.0" },
    documents: {
      methods: ["GET", "DELETE", "PUT", "HEAD", "POST"],
      noIndex: (index) => `no such index [${index}]`,
    },
    // Elasticsearch 7 takes what goes wrong while it reads a path for a wrong method.
    badEscape: (told, allowed) => ({
      status: 405,
      json: { error: `${told}, allowed: [${allowed.join(", ")}]`, status: 405 },
    }),
    plusIsBlank: false,
  },
  routes: {
    prefixes,
    collection: ["GET", "PATCH"],
    item: ["GET", "DELETE", "PUT", "PATCH"],
    license: ["DELETE", "GET", "PUT", "POST"],
    // The writing routes are not even registered unless the node setting allows them.
    config: ["sg_config", "sgconfig"].map((path) => ({
      path,
      methods: { writable: ["GET", "PATCH"], fixed: ["GET"] },
      named: { methods: ["PUT"], any: true, whenFixed: false },
    })),
    segments: new Map([...segments, ["tenants", { family: "tenants" }]]),
  },
  kinds,
  parserTells: true,
  texts,
  entries: beanModel({
    beans: entryBeans(home),
    contents: entryContents(false),
    habits: oldHabits,
    parser: oldVoice,
    mapper: oldMapper,
    parserTells: true,
    adminKeys: {},
    mended: false,
    looksForMasks: "in what it can",
    failed: (fault, by) => failed(fault, by),
    meta: metaModel(),
  }),
  patch: patchModel(badPatch),
  config: configModel(),
  loads,
};

/** A value that came by a patch is read out of the whole document, whose text the complaint quotes. */
function failed(fault: BindingFault, by: StoredBy): Reply {
  const place = by.way === "PUT" ? oldMapper.nowhere : quoted;
  const prefix = by.way === "PUT" ? [] : [`${classes}.SgDynamicConfiguration["${by.name}"]`];
  return uncaught(fault.type, fault.text(place, prefix));
}

const quoted = "[Source: (the whole document); line: 1, column: 1]";

function metaModel(): MetaModel {
  const known = ["type", "config_version"];
  const meta = {
    name: `${classes}.Meta`,
    known,
    slots: { type: { kind: "text" }, config_version: { kind: "number" } },
  } as const;
  return {
    name: "_sg_meta",
    value: (family) =>
      new Map<string, Tree>([
        ["type", family],
        ["config_version", 2],
      ]),
    put: () =>
      uncaught("exception", `com.fasterxml.jackson.core.JsonParseException: Duplicate field '_sg_meta'\n at ${quoted}`),
    changed: (family, value) => {
      const lost = inputOutput(`A version of 2 must have a _sg_meta key for ${family.toUpperCase()}`);
      if (value === undefined) return lost;
      try {
        bound(meta, value, oldMapper);
      } catch (problem) {
        if (problem instanceof BindingFault) return failed(problem, { way: "bulk", name: "_sg_meta" });
        throw problem;
      }
      return lost;
    },
  };
}

function configModel(): ConfigModel {
  const bean = configBean(home, {
    transport: true,
    kibana: kibanaSlots,
    dynamic: {},
    backend: "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend",
  });
  const storedConfig = (value: Tree, way: "PUT" | "PATCH"): Stored => {
    try {
      return { tree: bound(bean, value, oldMapper) };
    } catch (problem) {
      if (problem instanceof BindingFault) return { refusal: failed(problem, { way, name: "sg_config" }) };
      throw problem;
    }
  };
  return {
    key: "sg_config",
    voice: oldVoice,
    check: (value) => contentRefusal(value, { keys: { dynamic: "Object" }, payload: true }, oldHabits),
    stored: storedConfig,
    shown: (tree) => shownBean(bean, tree),
    patchBase: (tree) => patchBase(bean, tree, false),
    meta: metaModel(),
    otherName: said(400, "name must be sg_config"),
    misplaced: inputOutput("A version of 2 must have a single toplevel key named 'sg_config' for CONFIG"),
  };
}

/** The nodes choke on a null among index patterns, and on a role whose groups contain each other. */
function loads({ families }: RealState): boolean {
  const groups = families.action_groups;
  return [...families.roles.values()].every((role) => {
    const patterns = listIn(role, "index_permissions");
    if (patterns.some((element) => element === null || listIn(element, "index_patterns").includes(null))) return false;
    const elements = [...patterns, ...listIn(role, "tenant_permissions")];
    const actions = [role, ...elements].flatMap((holder) => [
      ...listIn(holder, "cluster_permissions"),
      ...listIn(holder, "allowed_actions"),
    ]);
    return actions.every((action) => !endsInRing(action, groups, new Set()));
  });
}

function endsInRing(name: Tree, groups: RealState["families"][ResourceFamily], path: ReadonlySet<Tree>): boolean {
  const group = typeof name === "string" ? groups.get(name) : undefined;
  if (group === undefined) return false;
  if (path.has(name)) return true;
  return listIn(group, "allowed_actions").some((action) => endsInRing(action, groups, new Set([...path, name])));
}

function listIn(tree: Tree, name: string): readonly Tree[] {
  const list = tree instanceof Map ? tree.get(name) : undefined;
  return Array.isArray(list) ? list : [];
}
