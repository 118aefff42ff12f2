// What the lines of Search Guard have in common, and what others inherited from them.
import { searchGuardPrefix } from "../../dialects/search-guard.ts";
import type { JsonObject } from "../../json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { IdentityFacts, OtherRoute, PatchModel, ProductTexts, SegmentFacts } from "../product.ts";
import { createReply, type Reply } from "../reply.ts";
import { sortAsJava } from "../values/java-order.ts";
import { readJson, searchGuardParser } from "../values/json-parser.ts";
import { applyPatch, type PatchLibrary } from "../values/patch.ts";

/** What messages call an entry; where nothing else is known, as its family. */
export const kinds: Readonly<Record<ResourceFamily, string>> = {
  ...(Object.fromEntries(resourceFamilies.map((family) => [family, family])) as Record<ResourceFamily, string>),
  roles: "role",
  role_mappings: "rolesmapping",
  tenants: "tenant",
  action_groups: "actiongroup",
  internal_users: "user",
};

export const prefixes: readonly string[] = [searchGuardPrefix];

export const internalUsersSegment: readonly [string, SegmentFacts] = ["internalusers", { family: "internal_users" }];

export const segments: readonly (readonly [string, SegmentFacts])[] = [
  ["roles", { family: "roles" }],
  ["rolesmapping", { family: "role_mappings" }],
  ["actiongroups", { family: "action_groups" }],
  internalUsersSegment,
];

export const otherPaths: readonly (readonly [string, OtherRoute])[] = [
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
};

const notFound = (kind: string, name: string): Reply => createReply(404, `${kind} ${name} not found.`);
const readOnly = (name: string): string => `Resource '${name}' is read-only.`;

export const searchGuardTexts: ProductTexts = {
  notFound: (kind, name) => `${kind} ${name} not found.`,
  notFoundByGet: (_, name) => `Resource '${name}' not found.`,
  reserved: readOnly,
  static: readOnly,
  deleteLicense: "No null specified.",
  written: (outcome, _, name) => createReply(outcome === "created" ? 201 : 200, `'${name}' ${outcome}.`),
  // A hidden entry is one that is not there; a PUT and a bulk patch forget to pretend.
  hidden: {
    PUT: (_, name) => createReply(403, `Resource '${name}' is not available.`),
    DELETE: notFound,
    PATCH: notFound,
    bulk: (_, name) => createReply(400, `Resource name '${name}' is reserved`),
  },
};

export const searchGuardCommon = {
  title: "Search Guard",
  rolesWord: "Search Guard Roles",
  engine: { tagline: "You Know, for Search", plusIsBlank: false },
  kinds,
  parser: searchGuardParser,
  license: { key: "sg_license", absent: describeTrial },
  loads: () => true,
  sort: sortAsJava,
  hasBuiltins: true,
  adminOverrides: false,
  staleConnections: false,
  staticsHideAlone: false,
} as const;

const trialDays = 60;

/** Without a license it has a trial of sixty days. */
function describeTrial(engine: string, now: Date): JsonObject {
  const until = new Date(now.getTime() + trialDays * 24 * 60 * 60 * 1000);
  return {
    uid: "00000000-0000-0000-0000-000000000000",
    type: "TRIAL",
    features: ["COMPLIANCE"],
    issue_date: dateOf(now),
    expiry_date: dateOf(until),
    issued_to: "The world",
    issuer: "floragunn GmbH",
    start_date: dateOf(now),
    major_version: Number(engine.split(".")[0]),
    cluster_name: "*",
    msgs: [],
    expiry_in_days: trialDays,
    is_expired: false,
    is_valid: true,
    action: "",
    prod_usage: "Yes, one cluster with all commercial features and unlimited nodes per cluster.",
    license_required: true,
    allowed_node_count_per_cluster: "unlimited",
  };
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Operations of all kinds are taken; an empty list is a write like any other. */
export function createPatchModel(empty: (detail: string) => Reply, library: PatchLibrary): PatchModel {
  return {
    body: (text, contentType) => {
      if (!/^application\/json\b/i.test(contentType) && text !== "") {
        return { refusal: createReply(400, "PATCH accepts only application/json") };
      }
      const read = readJson(text, { ...searchGuardParser, trailing: "ignored" });
      if ("tree" in read) return read;
      return { refusal: text.trim() === "" ? empty(read.fault.text) : refuseBadPatch(read.fault.text) };
    },
    apply: (document, patch) => applyPatch(document, patch, library),
    bulk: "changed",
  };
}

export function refuseBadPatch(detail: string): Reply {
  return createReply(400, `Error in JSON patch: ${detail}`);
}
