import { bodyRequired, createReply, type Reply } from "../reply.ts";
import { fromTree, isSameTree, type Tree } from "../tree.ts";
import { parsePutBody } from "./bean-model.ts";
import type { RealState } from "./kept.ts";
import type { RealProduct, StoredEntry } from "./product.ts";
import { breaksMeta, patchWholeDocument } from "./resource-patch.ts";
import { answerLoaded, type RealOutcome } from "./resources.ts";
import { unescapeToken } from "./zjsonpatch.ts";

interface ConfigAsk {
  readonly name: string | undefined;
  readonly body: string;
  readonly contentType: string;
  readonly state: RealState;
  readonly product: RealProduct;
  readonly writable: boolean;
}

export function readConfig({ state, product }: ConfigAsk): RealOutcome {
  const { config } = product;
  const json = fromTree(new Map([[config.key, config.shown(state.config)]]));
  return { reply: { status: 200, json }, state };
}

/** The document goes without its key. */
export function putRealConfig(ask: ConfigAsk): RealOutcome {
  const { name, body, state, product, writable } = ask;
  const { config } = product;
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  if (!writable && config.denied !== undefined) return refused(config.denied);
  const given = parsePutBody(body, { keys: {}, payload: true }, { parser: config.voice, parserReports: true });
  if ("refusal" in given) return refused(given.refusal);
  const refusal = config.check(given.tree);
  if (refusal !== undefined) return refused(refusal);
  if (name !== undefined && name !== config.key && config.otherName !== undefined) return refused(config.otherName);
  const stored = config.stored(given.tree, "PUT", given.tree);
  return "refusal" in stored
    ? refused(stored.refusal)
    : answerLoaded(ask, { ...state, config: stored.tree }, createReply(200, `'${config.key}' updated.`));
}

/** A bulk patch of a document with one entry: paths begin with its key. */
export function patchRealConfig(ask: ConfigAsk): RealOutcome {
  const { body, contentType, state, product, writable } = ask;
  const { config, patch } = product;
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  if (!writable && config.denied !== undefined) return refused(config.denied);
  const base = documentOf(ask);
  const patched = patchWholeDocument(patch, body, contentType, base);
  if ("refusal" in patched) return refused(patched.refusal);
  const { given, result } = patched;
  const after = result instanceof Map ? result : new Map<string, Tree>();
  const stored = storedAfter(ask, given, base, after);
  return "refusal" in stored
    ? refused(stored.refusal)
    : answerLoaded(ask, { ...state, config: stored.tree }, createReply(200, "Resource updated."));
}

function documentOf({ state, product }: ConfigAsk): Map<string, Tree> {
  const { key, meta, patchBase } = product.config;
  const header: [string, Tree][] = meta === undefined ? [] : [[meta.name, meta.value("config")]];
  return new Map([...header, [key, patchBase(state.config)]]);
}

/** Whatever the patch was, the document is written as the server reads it back. */
function storedAfter(
  { product }: ConfigAsk,
  patch: Tree,
  base: Map<string, Tree>,
  after: Map<string, Tree>,
): StoredEntry {
  const { config } = product;
  const evaluated = product.patch.bulk === "named" ? namesIn(patch) : [...after.keys()];
  for (const name of evaluated) {
    const value = after.get(name);
    if (value === undefined || isSameTree(base.get(name), value)) continue;
    const refusal = config.check(value);
    if (refusal !== undefined) return { refusal };
  }
  const broken = config.meta === undefined ? undefined : breaksMeta(config.meta, "config", base, after);
  if (broken !== undefined) return { refusal: broken };
  const document = after.get(config.key);
  const alone = [...after.keys()].every((name) => name === config.key || name === config.meta?.name);
  if (document === undefined || !alone) return { refusal: config.misplaced };
  return document === null ? { refusal: bodyRequired } : config.stored(document, "PATCH", after);
}

function namesIn(patch: Tree): readonly string[] {
  const paths = (Array.isArray(patch) ? patch : []).map((step) => (step instanceof Map ? step.get("path") : ""));
  return paths.map((path) => unescapeToken(String(path).split("/")[1] ?? ""));
}
