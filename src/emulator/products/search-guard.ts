import { searchGuardPrefix } from "../../dialects/search-guard.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { JsonFault, oldVoice, parseJson } from "../real/jackson.ts";
import { patchedByOld } from "../real/old-patch.ts";
import type { EngineFacts, PatchModel, RealProduct, SegmentFacts, Texts } from "../real/product.ts";
import { type Reply, said } from "../reply.ts";

/** What the lines 6 and 7 have in common. */
export const searchGuardCommon = {
  title: "Search Guard",
  rolesWord: "Search Guard Roles",
  adminOverrides: false,
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

const notFound = (kind: string, name: string): Reply => said(404, `${kind} ${name} not found.`);
const readOnly = (name: string): string => `Resource '${name}' is read-only.`;

export const texts: Texts = {
  notFound: (kind, name) => `${kind} ${name} not found.`,
  notFoundByGet: (_, name) => `Resource '${name}' not found.`,
  reserved: readOnly,
  static: readOnly,
  deleteLicense: "No null specified.",
  // A hidden entry is one that is not there; a PUT and a bulk patch forget to pretend.
  hidden: {
    PUT: (_, name) => said(403, `Resource '${name}' is not available.`),
    DELETE: notFound,
    PATCH: notFound,
    bulk: (_, name) => said(400, `Resource name '${name}' is reserved`),
  },
};

export const engineCommon = {
  tagline: "You Know, for Search",
} as const satisfies Partial<EngineFacts>;

/** Operations of all kinds are taken; an empty list is a write like any other. */
export function patchModel(empty: (told: string) => Reply): PatchModel {
  return {
    body: (text, contentType) => {
      if (!/^application\/json\b/i.test(contentType) && text !== "") {
        return { refusal: said(400, "PATCH accepts only application/json") };
      }
      try {
        return { tree: parseJson(text, { ...oldVoice, trailing: "ignored" }) };
      } catch (problem) {
        if (!(problem instanceof JsonFault)) throw problem;
        return { refusal: text.trim() === "" ? empty(problem.text) : badPatch(problem.text) };
      }
    },
    apply: patchedByOld,
    bulk: "changed",
  };
}

export function badPatch(told: string): Reply {
  return said(400, `Error in JSON patch: ${told}`);
}
