import type { HandledRequest, ServedRequest } from "./handler.ts";
import type { ConfigWrites } from "./product.ts";
import { bodyRequired, createReply, type Reply } from "./reply.ts";
import { breaksMeta, namesIn, patchWholeDocument } from "./resource-patch.ts";
import { answerLoaded, parsePutBody } from "./resources.ts";
import type { TreeOrRefusal } from "./values/patch.ts";
import { fromTree, isSameTree, type Tree } from "./values/tree.ts";

/** `name` is what follows the path. */
export function answerConfig(ask: ServedRequest, name: string | undefined): HandledRequest {
  const { method, state, product, settings } = ask;
  const { key, show, writes } = product.config;
  if (method === "GET" || writes === undefined) {
    return { reply: { status: 200, json: fromTree(new Map([[key, show(state.config)]])) }, state };
  }
  if (!settings.allowConfigModification && writes.denied !== undefined) return { reply: writes.denied, state };
  const stored = method === "PUT" ? putDocument(ask, name, writes) : patchDocument(ask, writes);
  if ("refusal" in stored) return { reply: stored.refusal, state };
  const reply =
    method === "PUT" ? product.texts.written("updated", "config", key) : createReply(200, "Resource updated.");
  return answerLoaded(product, { ...state, config: stored.tree }, reply);
}

function putDocument({ body, product }: ServedRequest, name: string | undefined, writes: ConfigWrites): TreeOrRefusal {
  const { key } = product.config;
  const given = parsePutBody(body, true, { ...product, parserReports: true });
  if ("refusal" in given) return given;
  const document = writes.unwrap?.(given.tree) ?? given.tree;
  const refusal = writes.check(document);
  if (refusal !== undefined) return { refusal };
  if (name !== undefined && name !== key && writes.otherName !== undefined) return { refusal: writes.otherName };
  return writes.store(document, "PUT");
}

/** A bulk patch of a document with one entry: paths begin with its key. */
function patchDocument(ask: ServedRequest, writes: ConfigWrites): TreeOrRefusal {
  const { state, product } = ask;
  const { key } = product.config;
  const { meta } = writes;
  const header: [string, Tree][] = meta === undefined ? [] : [[meta.name, meta.value("config")]];
  const base = new Map([...header, [key, writes.patchBase(state.config)]]);
  const patched = patchWholeDocument(ask, base);
  if ("refusal" in patched) return patched;
  const after = patched.result instanceof Map ? patched.result : new Map<string, Tree>();
  const refusal =
    explainUnfitDocument(ask, patched.given, base, after) ?? (meta && breaksMeta(meta, "config", base, after));
  if (refusal !== undefined) return { refusal };
  const document = after.get(key);
  const isAlone = [...after.keys()].every((name) => name === key || name === meta?.name);
  if (document === undefined || !isAlone) return { refusal: writes.misplaced(after) };
  return document === null ? { refusal: bodyRequired } : writes.store(document, "PATCH");
}

function explainUnfitDocument(
  { product }: ServedRequest,
  patch: Tree,
  base: ReadonlyMap<string, Tree>,
  after: ReadonlyMap<string, Tree>,
): Reply | undefined {
  const names = product.patch.bulk === "named" ? namesIn(patch) : after.keys();
  for (const name of names) {
    const value = after.get(name);
    if (value === undefined || isSameTree(base.get(name), value)) continue;
    const refusal = product.config.writes?.check(value);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
