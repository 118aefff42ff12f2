import type { ResourceFamily } from "../../model/names.ts";
import { oldMapper } from "../real/binding.ts";
import { oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { RealProduct, WriteSource } from "../real/product.ts";
import { createVerbatimModel } from "../real/verbatim-model.ts";
import { type PatchedTree, patchAsNew } from "../real/zjsonpatch.ts";
import { bodyRequired, createReply, type Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { type AddedProperties, createEntryBeans, createEntryContents } from "./beans.ts";
import { identity, kinds, patchModel, refuseBadPatch, searchGuardTexts, statePair } from "./search-guard.ts";
import { catchException, createElasticsearch7, createSearchGuard7Product } from "./search-guard-7.ts";
import { home } from "./search-guard-7-config.ts";

const version = "1.6.0-es-7.17.9";
const added: AddedProperties = { blocks: true, excludes: true, aliases: true, addresses: true };
const last = createSearchGuard7Product(53);

/**
 * Search Guard FLX 1.x by the old API. From source and its own tests only; the texts of its patch errors are unknown,
 * so those of the library before it are used.
 */
export const searchGuardFlx: RealProduct = {
  ...last,
  staticsHideAlone: true,
  engine: {
    ...createElasticsearch7("7.17.9"),
    plugin: { component: "search-guard-flx", version },
    headers: { "x-search-guard-version": version },
  },
  routes: {
    ...last.routes,
    config: ["sg_config", "sgconfig"].map((path) => ({ path, methods: { writable: ["GET"], fixed: ["GET"] } })),
    statePair: new Map([...statePair, ["/_searchguard/whoami", { kind: "whoami", methods: ["GET", "POST"] }]]),
  },
  identity: {
    ...identity,
    keys: { ...identity.keys, attributes: "attribute_names" },
    reportsCluster: true,
    endpoints: last.identity.endpoints,
  },
  kinds,
  texts: searchGuardTexts,
  entries: createVerbatimModel({
    beans: createEntryBeans(home, added),
    contents: createEntryContents(false, added),
    habits: oldHabits,
    parser: oldVoice,
    mapper: oldMapper,
    parserReports: true,
    failed: catchException,
  }),
  patch: patchModel(refuseBadPatch, patched),
  // What its own API keeps elsewhere is only shown by this one.
  config: {
    key: "sg_config",
    voice: oldVoice,
    check: () => bodyRequired,
    stored: (value) => ({ tree: value }),
    shown: (tree) => tree,
    patchBase: (tree) => tree,
    misplaced: bodyRequired,
  },
  rules: (family, name, value, _, writeKind) => lacking(family, name, value, writeKind),
  // Groups that contain each other are read to an end, and whatever is stored has been read before.
  loads: () => true,
};

const required: Partial<Readonly<Record<ResourceFamily, string>>> = { action_groups: "type", blocks: "value" };

function lacking(
  family: ResourceFamily,
  name: string,
  value: Tree,
  writeKind: WriteSource["writeKind"],
): Reply | undefined {
  const attribute = required[family];
  if (attribute === undefined || !(value instanceof Map) || value.has(attribute)) return undefined;
  const error = "Required attribute is missing";
  if (writeKind === "PUT") return createReply(400, JSON.stringify({ [attribute]: [{ error }] }));
  const path = `${name}.${attribute}`;
  const detail = { message: `'${path}': ${error}`, details: { [path]: [{ error }] } };
  return { status: 400, json: { status: 400, error: detail } };
}

function patched(document: Tree, patch: Tree): PatchedTree {
  const result = patchAsNew(document, patch);
  if ("tree" in result) return result;
  const { json } = result.refusal;
  const message = typeof json === "object" && json !== null && "message" in json ? json.message : undefined;
  return { refusal: createReply(400, `Error in JSON patch:\n${message ?? "The patch cannot be applied"}`) };
}
