import { namesLost, openSearchPrefix } from "../../dialects/opensearch.ts";
import { isOpenSearchBefore } from "../../dialects/release.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type {
  EntryModel,
  FamilyBodyRules,
  OtherRoute,
  PatchModel,
  ProductModel,
  ProductTexts,
  WriteSource,
} from "../product.ts";
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import type { ServerState } from "../state.ts";
import { openSearchMapper } from "../values/binding.ts";
import { type BodyChecks, openSearch3Checks, openSearch38Checks, openSearchChecks } from "../values/body-rules.ts";
import { openSearchParser, readJson } from "../values/json-parser.ts";
import { applyPatch } from "../values/patch.ts";
import { openSearchPatch } from "../values/patch-libraries.ts";
import { getList, getMember, type Tree } from "../values/tree.ts";
import { createBodyRules, createEntryClasses } from "./entry-classes.ts";
import { createInstanceEntries, type EntryClasses, readFlags } from "./instance-entries.ts";
import { explainRefusedUser, withPasswords } from "./internal-users.ts";
import {
  canLoadLimits,
  createConfigDifferences,
  createOpenSearchConfig,
  openSearchHome,
  openSearchMeta,
  wrapException,
} from "./opensearch-config.ts";
import {
  createDocumentClasses,
  documentBodyRules,
  firstDocuments,
  listDocumentSegments,
  refuseDocument,
  refuseUnlisted,
  shownBesideDocuments,
} from "./opensearch-documents.ts";
import { createOpenSearchEngine, listOtherRoutes, openSearchIdentity, whoami } from "./opensearch-facts.ts";
import { internalUsersSegment, kinds, refuseBadPatch, searchGuardCommon, searchGuardTexts } from "./search-guard.ts";

const openSearchUserRoles = "opendistro_security_roles";

/** OpenSearch from 2.10 on; as 2.19.1 and 3.4.0 were seen to answer, and between them as their sources have it. */
export function createOpenSearchProduct(release: string): ProductModel {
  const classes = createOpenSearchClasses(openSearchHome, release);
  const engine = createOpenSearchEngine(release);
  return {
    ...searchGuardCommon,
    title: "OpenSearch Security",
    rolesWord: "Security roles",
    engine,
    routes: {
      prefixes: openSearchPrefixes,
      collection: ["PATCH", "GET"],
      item: ["PUT", "PATCH", "GET", "DELETE"],
      config: [
        {
          path: "securityconfig",
          methods: { writable: ["PATCH", "GET"], readOnly: ["PATCH", "GET"] },
          named: { methods: ["PUT"], any: false, whenReadOnly: true },
        },
      ],
      segments: new Map([
        ["roles", { family: "roles" }],
        ["rolesmapping", { family: "role_mappings" }],
        ["tenants", { family: "tenants" }],
        ["actiongroups", { family: "action_groups" }],
        internalUsersSegment,
        ...listDocumentSegments({
          whitelist: isOpenSearchBefore(release, "3.0.0"),
          allowlist: !isOpenSearchBefore(release, "2.1.0"),
        }),
      ]),
      configEndpoint: "CONFIG",
      otherPaths: new Map([
        ...listOtherRoutes("/_plugins/_security"),
        ...listOtherRoutes("/_opendistro/_security"),
        ...(isOpenSearchBefore(engine.number, "3.7.0") ? [] : openSearchPrefixes.map(listApiKeys)),
        whoami,
      ]),
    },
    identity: openSearchIdentity,
    kinds: { ...kinds, nodes_dn: "nodesdn" },
    parser: openSearchParser,
    parserReports: false,
    texts,
    entries: losingNames(
      withPasswords(
        createInstanceEntries({
          classes,
          bodyRules: createOpenSearchBodyRules(classes),
          checks: checksOf(release),
          mapper: openSearchMapper,
          adminKeys: { reserved: "Boolean", hidden: "Boolean" },
          keepsFalse: true,
          looksForMasks: "in every element",
          storesNull: true,
          failed: (fault, { family, writeKind }) =>
            refuseDocument(family) ??
            (writeKind === "PUT"
              ? createEngineFailure(500, fault.type, fault.text(openSearchMapper.nowhere))
              : wrapException(fault, openSearchMapper.nowhere)),
          meta: openSearchMeta,
        }),
        true,
      ),
      isOpenSearchBefore(engine.number, "3.7.0") ? new Set() : namesLost,
    ),
    patch: isOpenSearchBefore(release, "2.16") ? patch : { ...patch, nothing: createReply(200, "No updates required") },
    config: createOpenSearchConfig(openSearchHome, createConfigDifferences(release), true),
    rules: (value, by, state) =>
      (release === "3" || isOpenSearchBefore(release, "3.8.0") ? undefined : refuseLongName(by)) ??
      explainRefusedUser(value, by, state, (role) => readFlags(role).hidden) ??
      refuseProtected(value, by, state, !isOpenSearchBefore(release, "2.16")),
    loads: ({ config }) => canLoadLimits(config),
    adminOverrides: true,
    firstDocuments,
    shownBeside: shownBesideDocuments,
    refusesUnlisted: refuseUnlisted,
    staleConnections: true,
  };
}

function refuseLongName({ family, name }: WriteSource): Reply | undefined {
  return name.length <= 256 ? undefined : createReply(400, `${kinds[family]} name exceeds maximum length of 256.`);
}

/** Entries of these names are answered as any others, and never kept. */
function losingNames(model: EntryModel, names: ReadonlySet<string>): EntryModel {
  return {
    ...model,
    load: (family, value, name) => (names.has(name) ? undefined : model.load(family, value, name)),
    write: (entries, name, tree) => ({ entries: names.has(name) ? entries : new Map(entries).set(name, tree) }),
  };
}

export function createOpenSearchClasses(home: string, release: string): EntryClasses {
  return {
    ...createEntryClasses(home, openSearchUserRoles),
    ...createDocumentClasses(home.replace(".securityconf.impl.v7", ""), release),
  };
}

export function createOpenSearchBodyRules(classes: EntryClasses): FamilyBodyRules {
  const rules = createBodyRules(classes, true);
  const ofDocuments = Object.entries(documentBodyRules).map(([family, own]) => [
    family,
    { ...rules[family as ResourceFamily], ...own },
  ]);
  return { ...rules, ...Object.fromEntries(ofDocuments) };
}

/** A POST would make one, and answer its secret. */
const listApiKeys = (prefix: string): readonly [string, OtherRoute] => [
  `${prefix}/apitokens`,
  { kind: "api-keys", methods: ["GET"] },
];

const openSearchPrefixes: readonly string[] = [openSearchPrefix, "/_opendistro/_security/api"];

/** How a release checks bodies. */
function checksOf(release: string): BodyChecks {
  if (isOpenSearchBefore(release, "3.0")) return openSearchChecks;
  if (release !== "3" && !isOpenSearchBefore(release, "3.9")) return { ...openSearch3Checks, longestText: 4096 };
  return release === "3.8" ? openSearch38Checks : openSearch3Checks;
}

const notFound = (kind: string, name: string): string => `${kind} '${name}' not found.`;
const unavailable = (_: string, name: string): Reply => createReply(404, `Resource '${name}' is not available.`);

const texts: ProductTexts = {
  ...searchGuardTexts,
  notFound,
  notFoundByGet: notFound,
  reserved: (name) => `Resource '${name}' is reserved.`,
  static: (name) => `Resource '${name}' is static.`,
  hidden: { PUT: unavailable, DELETE: unavailable, PATCH: unavailable, bulk: unavailable },
};

const operations = ["replace", "add", "remove"];

/** Three operations only, and at least one of them. */
const patch: PatchModel = {
  body: (text) => {
    const wrong = { refusal: createReply(400, "Wrong request body") };
    if (text.trim() === "") return wrong;
    const read = readJson(text, openSearchParser);
    if ("fault" in read) return { refusal: refuseBadPatch(read.fault.text) };
    const ops = (Array.isArray(read.tree) ? read.tree : []).flatMap((step) =>
      step instanceof Map && step.has("op") ? [step.get("op") ?? null] : [],
    );
    if (ops.length === 0) return wrong;
    const strange = ops.find((op) => !operations.includes(String(op)));
    if (strange === undefined) return read;
    const detail = `Unsupported patch operation: ${strange}. Supported are: ${operations.join(",")}`;
    return { refusal: createReply(400, detail) };
  },
  apply: (document, steps) => applyPatch(document, steps, openSearchPatch),
  bulk: "named",
};

/** The refusal of a write that OpenSearch protects against: of an entry with such flags, or of what it would grant. */
export function refuseProtected(
  value: Tree,
  { family, name }: WriteSource,
  state: ServerState,
  checksType: boolean,
): Reply | undefined {
  const actions = getList(value, "cluster_permissions").concat(getList(value, "allowed_actions"));
  const adminRights = actions.some((action) => typeof action === "string" && action.startsWith("restapi:admin/"));
  if (adminRights) return createReply(403, "Access denied");
  if (family === "role_mappings") return requireMappedRole(name, state, notFound(kinds.roles, name));
  return family === "action_groups" ? groupRule(name, value, state.families.roles, checksType) : undefined;
}

/** A mapping needs a role of its name. */
export function requireMappedRole(name: string, { families }: ServerState, detail: string): Reply | undefined {
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
  if (getList(group, "allowed_actions").includes(name)) {
    return createReply(400, `${name} cannot be an allowed_action of itself`);
  }
  const type = getMember(group, "type");
  if (!checksType || typeof type !== "string" || /^(cluster|index)$/i.test(type)) return undefined;
  return createReply(400, `Invalid action group type: ${type}. Supported types are: cluster, index.`);
}
