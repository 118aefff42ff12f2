import { openSearchPrefix } from "../../dialects/opensearch.ts";
import { isOpenSearchBefore } from "../../dialects/release.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { answerUncaught, createBeanModel } from "../real/bean-model.ts";
import { newMapper } from "../real/binding.ts";
import { type ContentHabits, newestHabits, newHabits, shortTextHabits } from "../real/content.ts";
import { JsonFault, newVoice, parseJson } from "../real/jackson.ts";
import type { RealState } from "../real/kept.ts";
import type { PatchModel, ProductTexts, RealProduct } from "../real/product.ts";
import { patchAsNew } from "../real/zjsonpatch.ts";
import { createReply, type Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { createEntryBeans, createEntryContents } from "./beans.ts";
import { type ConfigDifferences, createOnBehalfOf, dashboardsSlots } from "./config-bean.ts";
import { createOpenSearchConfigModel, openSearchMeta, wrapException } from "./opensearch-config.ts";
import { createOpenSearchEngine, getEngineAnswers, openSearchIdentity, whoami } from "./opensearch-facts.ts";
import { kinds, refuseBadPatch } from "./search-guard.ts";

export const openSearchHome = "org.opensearch.security.securityconf.impl.v7";

export const openSearchConfig: ConfigDifferences = {
  transport: false,
  kibana: dashboardsSlots,
  dynamic: { on_behalf_of: createOnBehalfOf(openSearchHome) },
  backend: "org.opensearch.security.auth.internal.InternalAuthenticationBackend",
};

/** OpenSearch from 2.10 on; as 2.19.1 and 3.4.0 were seen to answer, and between them as their sources have it. */
export function createOpenSearchProduct(release: string): RealProduct {
  return {
    title: "OpenSearch Security",
    rolesWord: "Security roles",
    engine: createOpenSearchEngine(release),
    routes: {
      prefixes: openSearchPrefixes,
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
      statePair: new Map([
        ...getEngineAnswers("/_plugins/_security"),
        ...getEngineAnswers("/_opendistro/_security"),
        whoami,
      ]),
    },
    identity: openSearchIdentity,
    kinds,
    internalUsers: { kind: "user", roles: "opendistro_security_roles" },
    parserReports: false,
    texts,
    entries: createBeanModel({
      beans: createEntryBeans(openSearchHome),
      contents: createEntryContents(true),
      habits: habitsOf(release),
      parser: newVoice,
      mapper: newMapper,
      parserReports: false,
      adminKeys: { reserved: "Boolean", hidden: "Boolean" },
      fixed: true,
      looksForMasks: "in every element",
      failed: (fault, { writeKind }) =>
        writeKind === "PUT"
          ? answerUncaught(fault.type, fault.text(newMapper.nowhere))
          : wrapException(fault, newMapper.nowhere),
      meta: openSearchMeta,
    }),
    patch: isOpenSearchBefore(release, "2.16") ? patch : { ...patch, nothing: createReply(200, "No updates required") },
    config: createOpenSearchConfigModel(openSearchHome, openSearchConfig, true),
    rules: (family, name, value, state) =>
      createOpenSearchRules(family, name, value, state, !isOpenSearchBefore(release, "2.16")),
    loads: () => true,
    adminOverrides: true,
    staleConnections: true,
    staticsHideAlone: false,
  };
}

const openSearchPrefixes: readonly string[] = [openSearchPrefix, "/_opendistro/_security/api"];

/** How a release checks contents. */
function habitsOf(release: string): ContentHabits {
  if (isOpenSearchBefore(release, "3.0")) return newHabits;
  return release === "3.8" ? shortTextHabits : newestHabits;
}

const notFound = (kind: string, name: string): string => `${kind} '${name}' not found.`;
const unavailable = (_: string, name: string): Reply => createReply(404, `Resource '${name}' is not available.`);

const texts: ProductTexts = {
  notFound,
  notFoundByGet: notFound,
  reserved: (name) => `Resource '${name}' is reserved.`,
  static: (name) => `Resource '${name}' is static.`,
  deleteLicense: "",
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

const operations = ["replace", "add", "remove"];

/** Three operations only, and at least one of them. */
const patch: PatchModel = {
  body: (text) => {
    const wrong = { refusal: createReply(400, "Wrong request body") };
    if (text.trim() === "") return wrong;
    try {
      const tree = parseJson(text, newVoice);
      const ops = (Array.isArray(tree) ? tree : []).flatMap((step) =>
        step instanceof Map && step.has("op") ? [step.get("op") ?? null] : [],
      );
      if (ops.length === 0) return wrong;
      const strange = ops.find((op) => !operations.includes(String(op)));
      if (strange === undefined) return { tree };
      const detail = `Unsupported patch operation: ${strange}. Supported are: ${operations.join(",")}`;
      return { refusal: createReply(400, detail) };
    } catch (problem) {
      if (problem instanceof JsonFault) return { refusal: refuseBadPatch(problem.text) };
      throw problem;
    }
  },
  apply: patchAsNew,
  bulk: "named",
};

/** Which entries are protected, by their own flags and by other entries. */
export function createOpenSearchRules(
  family: ResourceFamily,
  name: string,
  value: Tree,
  state: RealState,
  checksType: boolean,
): Reply | undefined {
  const actions = listIn(value, "cluster_permissions").concat(listIn(value, "allowed_actions"));
  const adminRights = actions.some((action) => typeof action === "string" && action.startsWith("restapi:admin/"));
  if (adminRights) return createReply(403, "Access denied");
  if (family === "role_mappings") return requireMappedRole(name, state, notFound(kinds.roles, name));
  return family === "action_groups" ? groupRule(name, value, state.families.roles, checksType) : undefined;
}

/** A mapping needs a role of its name. */
export function requireMappedRole(name: string, { families }: RealState, detail: string): Reply | undefined {
  return families.roles.has(name) ? undefined : createReply(404, detail);
}

function groupRule(
  name: string,
  group: Tree,
  roles: ReadonlyMap<string, Tree>,
  checksType: boolean,
): Reply | undefined {
  if (roles.has(name)) {
    return createReply(400, `${name} is an existing role. A action group cannot be named with an existing role name.`);
  }
  if (listIn(group, "allowed_actions").includes(name)) {
    return createReply(400, `${name} cannot be an allowed_action of itself`);
  }
  const type = group instanceof Map ? group.get("type") : undefined;
  if (!checksType || typeof type !== "string" || /^(cluster|index)$/i.test(type)) return undefined;
  return createReply(400, `Invalid action group type: ${type}. Supported types are: cluster, index.`);
}

function listIn(tree: Tree, name: string): readonly Tree[] {
  const list = tree instanceof Map ? tree.get(name) : undefined;
  return Array.isArray(list) ? list : [];
}
