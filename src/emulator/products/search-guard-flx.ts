import type { ResourceFamily } from "../../model/names.ts";
import { oldMapper } from "../real/binding.ts";
import { oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { RealProduct, StoredBy } from "../real/product.ts";
import { verbatimModel } from "../real/verbatim-model.ts";
import { type Patched, patchedByNew } from "../real/zjsonpatch.ts";
import { bodyRequired, type Reply, said } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { entryBeans, entryContents, type Gains } from "./beans.ts";
import { around, badPatch, identity, kinds, patchModel, texts } from "./search-guard.ts";
import { caught, elasticsearch7, searchGuard7 } from "./search-guard-7.ts";
import { home } from "./search-guard-7-config.ts";

const version = "1.6.0-es-7.17.9";
const gains: Gains = { blocks: true, excludes: true, aliases: true, addresses: true };
const last = searchGuard7(53);

/**
 * Search Guard FLX 1.x by the API of old. From source and its own tests only; the words of its patch errors are not
 * known, and those of the library before it stand for them.
 */
export const searchGuardFlx: RealProduct = {
  ...last,
  staticsHideAlone: true,
  engine: {
    ...elasticsearch7("7.17.9"),
    plugin: { component: "search-guard-flx", version },
    headers: { "x-search-guard-version": version },
  },
  routes: {
    ...last.routes,
    config: ["sg_config", "sgconfig"].map((path) => ({ path, methods: { writable: ["GET"], fixed: ["GET"] } })),
    around: new Map([...around, ["/_searchguard/whoami", { kind: "whoami", methods: ["GET", "POST"] }]]),
  },
  identity: {
    ...identity,
    keys: { ...identity.keys, attributes: "attribute_names" },
    tellsCluster: true,
    endpoints: last.identity.endpoints,
  },
  kinds,
  texts,
  entries: verbatimModel({
    beans: entryBeans(home, gains),
    contents: entryContents(false, gains),
    habits: oldHabits,
    parser: oldVoice,
    mapper: oldMapper,
    parserTells: true,
    failed: caught,
  }),
  patch: patchModel(badPatch, patched),
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
  rules: (family, name, value, _, way) => lacking(family, name, value, way),
  // Groups that contain each other are read to an end, and whatever is stored has been read before.
  loads: () => true,
};

const required: Partial<Readonly<Record<ResourceFamily, string>>> = { action_groups: "type", blocks: "value" };

function lacking(family: ResourceFamily, name: string, value: Tree, way: StoredBy["way"]): Reply | undefined {
  const attribute = required[family];
  if (attribute === undefined || !(value instanceof Map) || value.has(attribute)) return undefined;
  const error = "Required attribute is missing";
  if (way === "PUT") return said(400, JSON.stringify({ [attribute]: [{ error }] }));
  const path = `${name}.${attribute}`;
  const told = { message: `'${path}': ${error}`, details: { [path]: [{ error }] } };
  return { status: 400, json: { status: 400, error: told } };
}

function patched(document: Tree, patch: Tree): Patched {
  const result = patchedByNew(document, patch);
  if ("tree" in result) return result;
  const { json } = result.refusal;
  const message = typeof json === "object" && json !== null && "message" in json ? json.message : undefined;
  return { refusal: said(400, `Error in JSON patch:\n${message ?? "The patch cannot be applied"}`) };
}
