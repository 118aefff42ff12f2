import { openSearchPrefix } from "../../dialects/opensearch.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { beanModel, uncaught } from "../real/bean-model.ts";
import { patchBase, shownBean } from "../real/beans.ts";
import { BindingFault, bound, newMapper } from "../real/binding.ts";
import { type ContentHabits, contentRefusal, newestHabits, newHabits } from "../real/content.ts";
import { JsonFault, newVoice, parseJson } from "../real/jackson.ts";
import type { RealState } from "../real/kept.ts";
import type { ConfigModel, MetaModel, PatchModel, RealProduct, Stored, Texts } from "../real/product.ts";
import { patchedByNew } from "../real/zjsonpatch.ts";
import { engineFailure, type Reply, said } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { configBean, dashboardsSlots, entryBeans, entryContents, onBehalfOf } from "./beans.ts";
import { badPatch, kinds } from "./search-guard.ts";

const home = "org.opensearch.security.securityconf.impl.v7";

/** OpenSearch from 2.10 on; as 2.19.1 and 3.4.0 were seen to answer. */
export function openSearchProduct(release: string): RealProduct {
  const { number, habits } = releases[release] ?? second;
  return {
    title: "OpenSearch Security",
    rolesWord: "Security roles",
    engine: {
      distribution: "opensearch",
      tagline: "The OpenSearch Project: https://opensearch.org/",
      number,
      plugin: { component: "opensearch-security", version: `${number}.0` },
      // It answers nothing at all.
      badEscape: (told) => engineFailure(400, "illegal_argument_exception", told),
      plusIsBlank: false,
    },
    routes: {
      prefixes: [openSearchPrefix, "/_opendistro/_security/api"],
      collection: ["PATCH", "GET"],
      item: ["PUT", "PATCH", "GET", "DELETE"],
      config: [
        {
          path: "securityconfig",
          methods: { writable: ["PATCH", "GET"], fixed: ["PATCH", "GET"] },
          named: { methods: ["PUT"], any: false, whenFixed: true },
        },
      ],
      segments: new Map([
        ["roles", { family: "roles" }],
        ["rolesmapping", { family: "role_mappings" }],
        ["tenants", { family: "tenants" }],
        ["actiongroups", { family: "action_groups" }],
      ]),
    },
    kinds,
    parserTells: false,
    texts,
    entries: beanModel({
      beans: entryBeans(home),
      contents: entryContents(true),
      habits,
      parser: newVoice,
      mapper: newMapper,
      parserTells: false,
      adminKeys: { reserved: "Boolean", hidden: "Boolean" },
      mended: true,
      looksForMasks: "in every element",
      failed: (fault, { way }) =>
        way === "PUT" ? uncaught(fault.type, fault.text(newMapper.nowhere)) : wrapped(fault, newMapper.nowhere),
      meta: openSearchMeta,
    }),
    patch,
    config: configModel(),
    rules,
    loads: () => true,
    adminOverrides: true,
  };
}

const second = { number: "2.19.1", habits: newHabits };

/** What a release shows as its number, and how it checks contents. */
const releases: Readonly<Record<string, { readonly number: string; readonly habits: ContentHabits }>> = {
  "2": second,
  "3": { number: "3.4.0", habits: newestHabits },
};

const notFound = (kind: string, name: string): string => `${kind} '${name}' not found.`;
const unavailable = (_: string, name: string): Reply => said(404, `Resource '${name}' is not available.`);

const texts: Texts = {
  notFound,
  notFoundByGet: notFound,
  reserved: (name) => `Resource '${name}' is reserved.`,
  static: (name) => `Resource '${name}' is static.`,
  deleteLicense: "",
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

/** The exception of the mapper inside the one that the server throws. */
function wrapped(fault: BindingFault, place: string, prefix: readonly string[] = []): Reply {
  const inner = fault.text(place, prefix);
  const name = fault.type.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  const cause = {
    type: "unchecked_i_o_exception",
    reason: `com.fasterxml.jackson.databind.exc.${name}: ${inner}`,
  };
  const error = { root_cause: [cause], ...cause, caused_by: { type: fault.type, reason: inner } };
  return { status: 500, json: { error, status: 500 } };
}

const operations = ["replace", "add", "remove"];

/** Three operations only, and at least one of them; what would change nothing is not written. */
const patch: PatchModel = {
  body: (text) => {
    const wrong = { refusal: said(400, "Wrong request body") };
    if (text.trim() === "") return wrong;
    try {
      const tree = parseJson(text, newVoice);
      const ops = (Array.isArray(tree) ? tree : []).flatMap((step) =>
        step instanceof Map && step.has("op") ? [step.get("op") ?? null] : [],
      );
      if (ops.length === 0) return wrong;
      const strange = ops.find((op) => !operations.includes(String(op)));
      if (strange === undefined) return { tree };
      const told = `Unsupported patch operation: ${strange}. Supported are: ${operations.join(",")}`;
      return { refusal: said(400, told) };
    } catch (problem) {
      if (problem instanceof JsonFault) return { refusal: badPatch(problem.text) };
      throw problem;
    }
  },
  apply: patchedByNew,
  nothing: said(200, "No updates required"),
  bulk: "named",
};

/** The header of a stored document. */
export const openSearchMeta: MetaModel = {
  name: "_meta",
  value: (family) =>
    new Map<string, Tree>([
      ["type", family],
      ["config_version", 2],
    ]),
  put: () => {
    const reason = `Duplicate field '_meta'\n at ${newVoice.where("", 1)}`;
    const cause = { type: "exception", reason: `com.fasterxml.jackson.core.JsonParseException: ${reason}` };
    const error = { root_cause: [cause], ...cause, caused_by: { type: "json_parse_exception", reason } };
    return { status: 500, json: { error, status: 500 } };
  },
  changed: (family) => {
    const reason = `A version of 2 must have a _meta key for ${family.toUpperCase()}`;
    const cause = { type: "unchecked_i_o_exception", reason: `java.io.IOException: ${reason}` };
    const error = { root_cause: [cause], ...cause, caused_by: { type: "i_o_exception", reason } };
    return { status: 500, json: { error, status: 500 } };
  },
};

function configModel(): ConfigModel {
  const bean = configBean(home, {
    transport: false,
    kibana: dashboardsSlots,
    dynamic: { on_behalf_of: onBehalfOf(home) },
    backend: "org.opensearch.security.auth.internal.InternalAuthenticationBackend",
  });
  const stored = (value: Tree, way: "PUT" | "PATCH"): Stored => {
    try {
      return { tree: bound(bean, value, newMapper) };
    } catch (problem) {
      if (!(problem instanceof BindingFault)) throw problem;
      const document = ['org.opensearch.security.securityconf.impl.SecurityDynamicConfiguration["config"]'];
      return {
        refusal:
          way === "PUT"
            ? uncaught(problem.type, problem.text(newMapper.nowhere))
            : wrapped(problem, newVoice.where("", 1), document),
      };
    }
  };
  return {
    key: "config",
    voice: newVoice,
    check: (value) => contentRefusal(value, { keys: { dynamic: "Object" }, payload: true }, newHabits),
    stored,
    shown: (tree) => shownBean(bean, tree),
    patchBase: (tree) => patchBase(bean, tree, true),
    meta: openSearchMeta,
    denied: said(403, "Access denied"),
    misplaced: engineFailure(
      500,
      "i_o_exception",
      "A version of 2 must have a single toplevel key named 'config' for CONFIG",
    ),
  };
}

/** What nobody may write, by what it says and by what else is there. */
function rules(family: ResourceFamily, name: string, value: Tree, state: RealState): Reply | undefined {
  const actions = listIn(value, "cluster_permissions").concat(listIn(value, "allowed_actions"));
  const adminRights = actions.some((action) => typeof action === "string" && action.startsWith("restapi:admin/"));
  if (adminRights) return said(403, "Access denied");
  if (family === "role_mappings") return mappedRoleRule(name, state, notFound(kinds.roles, name));
  return family === "action_groups" ? groupRule(name, value, state.families.roles) : undefined;
}

/** A mapping needs a role of its name. */
export function mappedRoleRule(name: string, { families }: RealState, told: string): Reply | undefined {
  return families.roles.has(name) ? undefined : said(404, told);
}

function groupRule(name: string, group: Tree, roles: ReadonlyMap<string, Tree>): Reply | undefined {
  if (roles.has(name)) {
    return said(400, `${name} is an existing role. A action group cannot be named with an existing role name.`);
  }
  if (listIn(group, "allowed_actions").includes(name)) {
    return said(400, `${name} cannot be an allowed_action of itself`);
  }
  const type = group instanceof Map ? group.get("type") : undefined;
  if (typeof type !== "string" || /^(cluster|index)$/i.test(type)) return undefined;
  return said(400, `Invalid action group type: ${type}. Supported types are: cluster, index.`);
}

function listIn(tree: Tree, name: string): readonly Tree[] {
  const list = tree instanceof Map ? tree.get(name) : undefined;
  return Array.isArray(list) ? list : [];
}
