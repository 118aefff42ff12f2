import type { ResourceFamily } from "../../model/names.ts";
import type { EntryModel, ProductModel, WriteSource } from "../product.ts";
import { createReply, type Reply } from "../reply.ts";
import { searchGuardMapper } from "../values/binding.ts";
import { searchGuardChecks } from "../values/body-rules.ts";
import { applyPatch, type TreeOrRefusal } from "../values/patch.ts";
import { openSearchPatch } from "../values/patch-libraries.ts";
import type { Tree } from "../values/tree.ts";
import { type AddedProperties, createBodyRules, createEntryClasses } from "./entry-classes.ts";
import { createReadOnlyConfig } from "./instance-config.ts";
import { createInstanceEntries, omitLoweredFlags } from "./instance-entries.ts";
import { explainMissingPassword, withPasswords } from "./internal-users.ts";
import { identity, otherPaths } from "./search-guard.ts";
import { catchException, createElasticsearch7, createSearchGuard7Product } from "./search-guard-7.ts";
import { home } from "./search-guard-7-config.ts";

const version = "1.6.0-es-7.17.9";
const added: AddedProperties = { blocks: true, excludes: true, aliases: true, addresses: true };
const last = createSearchGuard7Product(53);

/**
 * Search Guard FLX 1.x by the old API. From source and its own tests only; the texts of its patch errors are unknown,
 * so those of the library before it are used.
 */
export const searchGuardFlx: ProductModel = {
  ...last,
  staticsHideAlone: true,
  engine: {
    ...createElasticsearch7("7.17.9"),
    plugin: { component: "search-guard-flx", version },
    headers: { "x-search-guard-version": version },
  },
  routes: {
    ...last.routes,
    config: ["sg_config", "sgconfig"].map((path) => ({ path, methods: { writable: ["GET"], readOnly: ["GET"] } })),
    otherPaths: new Map([...otherPaths, ["/_searchguard/whoami", { kind: "whoami", methods: ["GET", "POST"] }]]),
  },
  identity: {
    ...identity,
    keys: { ...identity.keys, attributes: "attribute_names" },
    reportsCluster: true,
  },
  entries: withPasswords(createVerbatimEntries(), false),
  patch: { ...last.patch, apply: patchEntries },
  // What its own API keeps elsewhere is only shown by this one.
  config: createReadOnlyConfig("sg_config"),
  rules: (value, by, state) => findMissingAttribute(value, by) ?? explainMissingPassword(value, by, state, 500),
  // Groups that contain each other are read to an end, and whatever is stored has been read before.
  loads: () => true,
};

/** Entries are kept as they were written, once it was looked whether they can be read. */
function createVerbatimEntries(): EntryModel {
  const classes = createEntryClasses(home, "search_guard_roles", added);
  const read = createInstanceEntries({
    classes,
    bodyRules: createBodyRules(classes, false),
    checks: searchGuardChecks,
    mapper: searchGuardMapper,
    adminKeys: {},
    keepsFalse: false,
    looksForMasks: "in what it can",
    storesNull: false,
    failed: catchException,
  });
  return {
    ...read,
    store: (value, by, before) => {
      const stored = read.store(value, by, before);
      return "tree" in stored && by.family !== "internal_users" ? { tree: value } : stored;
    },
    load: (family, value, name) => {
      const loaded = read.load(family, value, name);
      return loaded === undefined || family === "internal_users" ? loaded : value;
    },
    show: (family, tree) => (family === "internal_users" ? read.show(family, tree) : tree),
    patchBase: (family, tree) => (family === "internal_users" ? read.patchBase(family, tree) : omitLoweredFlags(tree)),
  };
}

const required: Partial<Readonly<Record<ResourceFamily, string>>> = { action_groups: "type", blocks: "value" };

function findMissingAttribute(value: Tree, { family, name, writeKind }: WriteSource): Reply | undefined {
  const attribute = required[family];
  if (attribute === undefined || !(value instanceof Map) || value.has(attribute)) return undefined;
  const error = "Required attribute is missing";
  if (writeKind === "PUT") return createReply(400, JSON.stringify({ [attribute]: [{ error }] }));
  const path = `${name}.${attribute}`;
  const detail = { message: `'${path}': ${error}`, details: { [path]: [{ error }] } };
  return { status: 400, json: { status: 400, error: detail } };
}

function patchEntries(document: Tree, patch: Tree): TreeOrRefusal {
  const result = applyPatch(document, patch, openSearchPatch);
  if ("tree" in result) return result;
  const { json } = result.refusal;
  const message = typeof json === "object" && json !== null && "message" in json ? json.message : undefined;
  return { refusal: createReply(400, `Error in JSON patch:\n${message ?? "The patch cannot be applied"}`) };
}
