import { searchGuardPrefix } from "../../dialects/search-guard.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { JsonFault, oldVoice, parseJson } from "../real/jackson.ts";
import { patchAsOld } from "../real/old-patch.ts";
import type {
  EngineAnswers,
  EngineFacts,
  IdentityFacts,
  PatchModel,
  ProductTexts,
  RealProduct,
  SegmentFacts,
} from "../real/product.ts";
import { createReply, type Reply } from "../reply.ts";

/** What the lines have in common. */
export const searchGuardCommon = {
  title: "Search Guard",
  rolesWord: "Search Guard Roles",
  adminOverrides: false,
  staleConnections: false,
  staticsHideAlone: false,
} as const satisfies Partial<RealProduct>;

export const kinds: Readonly<Record<ResourceFamily, string>> = {
  roles: "role",
  role_mappings: "rolesmapping",
  tenants: "tenant",
  action_groups: "actiongroup",
  blocks: "blocks",
};

export const prefixes: readonly string[] = [searchGuardPrefix];

export const segments: readonly (readonly [string, SegmentFacts])[] = [
  ["roles", { family: "roles" }],
  ["rolesmapping", { family: "role_mappings" }],
  ["actiongroups", { family: "action_groups" }],
];

export const statePair: readonly (readonly [string, EngineAnswers])[] = [
  ["/_cat/plugins", { kind: "plugins", methods: ["GET"] }],
  ["/_searchguard/health", { kind: "health", methods: ["GET", "POST"] }],
  ["/_searchguard/license", { kind: "open-license", methods: ["GET", "POST"] }],
  ["/_searchguard/authinfo", { kind: "authinfo", methods: ["GET", "POST"] }],
  [`${searchGuardPrefix}/permissionsinfo`, { kind: "permissions", methods: ["GET"] }],
];

export const identity: IdentityFacts = {
  backendWord: "backend_roles",
  keys: { roles: "sg_roles", tenants: "sg_tenants", attributes: "custom_attribute_names" },
  wrapsWhoami: true,
  reportsCluster: false,
  endpoints: {
    written: ["ACTIONGROUPS", "CACHE", "ROLESMAPPING", "INTERNALUSERS", "ROLES", "LICENSE", "TENANTS", "SGCONFIG"],
    others: ["SYSTEMINFO", "PERMISSIONSINFO", "AUTHTOKEN"],
  },
};

const notFound = (kind: string, name: string): Reply => createReply(404, `${kind} ${name} not found.`);
const readOnly = (name: string): string => `Resource '${name}' is read-only.`;

export const searchGuardTexts: ProductTexts = {
  notFound: (kind, name) => `${kind} ${name} not found.`,
  notFoundByGet: (_, name) => `Resource '${name}' not found.`,
  reserved: readOnly,
  static: readOnly,
  deleteLicense: "No null specified.",
  // A hidden entry is one that is not there; a PUT and a bulk patch forget to pretend.
  hidden: {
    PUT: (_, name) => createReply(403, `Resource '${name}' is not available.`),
    DELETE: notFound,
    PATCH: notFound,
    bulk: (_, name) => createReply(400, `Resource name '${name}' is reserved`),
  },
};

export const engineCommon = {
  tagline: "You Know, for Search",
} as const satisfies Partial<EngineFacts>;

/** Operations of all kinds are taken; an empty list is a write like any other. */
export function patchModel(empty: (detail: string) => Reply, apply: PatchModel["apply"] = patchAsOld): PatchModel {
  return {
    body: (text, contentType) => {
      if (!/^application\/json\b/i.test(contentType) && text !== "") {
        return { refusal: createReply(400, "PATCH accepts only application/json") };
      }
      try {
        return { tree: parseJson(text, { ...oldVoice, trailing: "ignored" }) };
      } catch (problem) {
        if (!(problem instanceof JsonFault)) throw problem;
        return { refusal: text.trim() === "" ? empty(problem.text) : refuseBadPatch(problem.text) };
      }
    },
    apply,
    bulk: "changed",
  };
}

export function refuseBadPatch(detail: string): Reply {
  return createReply(400, `Error in JSON patch: ${detail}`);
}
