import type { ResourceFamily } from "../model/names.ts";
import type { HandledRequest, ResourceRequest, ServedRequest } from "./handler.ts";
import type { MetaModel, WrittenEntry } from "./product.ts";
import { bodyRequired, createReply, type Reply } from "./reply.ts";
import {
  answerLoaded,
  explainUntouchable,
  formatFamilyName,
  getFamilyPath,
  writeEntry,
  writeInto,
} from "./resources.ts";
import { type StoredEntries, withFamily } from "./state.ts";
import { unescapeToken } from "./values/patch-libraries.ts";
import { isSameTree, type Tree } from "./values/tree.ts";

/** Checks in the order of the servers: the body, hidden, reserved, missing, the patch, what comes of it. */
export function patchResource(ask: ResourceRequest): HandledRequest {
  const { family, name, state, product } = ask;
  const { entries, patch, texts, kinds } = product;
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  const given = patch.body(ask.body, ask.headers["content-type"] ?? "");
  if ("refusal" in given) return refused(given.refusal);
  const before = state.families[family];
  const refusal = explainUntouchable(ask, "PATCH") ?? entries.halfThere?.(before, name);
  if (refusal !== undefined) return refused(refusal);
  const entry = before.get(name);
  // An entry of 6.x in the old form is a list, and is not found where an object is looked for.
  if (entry === undefined || Array.isArray(entry)) {
    return refused(createReply(404, texts.notFound(kinds[family], name)));
  }
  const base = entries.patchBase(family, entry);
  const result = patch.apply(base, given.tree);
  if ("refusal" in result) return refused(result.refusal);
  if (patch.nothing !== undefined && isSameTree(base, result.tree)) return refused(patch.nothing);
  const unfit = explainUnfit(ask, name, result.tree, "PATCH");
  if (unfit !== undefined) return refused(unfit);
  const stored = entries.store(result.tree, { writeKind: "PATCH", family, name, admin: ask.admin }, before);
  return "refusal" in stored
    ? refused(stored.refusal)
    : writeEntry(withPatchedOthers(ask), name, stored.tree, createReply(200, `'${name}' updated.`));
}

/** With what the patch leaves of the entries beside the one that it names. */
function withPatchedOthers(ask: ResourceRequest): ResourceRequest {
  const { family, state, product } = ask;
  const { afterPatch } = product.entries;
  if (afterPatch === undefined) return ask;
  const entries = new Map([...state.families[family]].map(([name, tree]) => [name, afterPatch(family, tree)]));
  return { ...ask, state: withFamily(state, family, entries) };
}

/** A whole document with a patch made: of a family, or of the config. An answer of its own where nothing came of it. */
export function patchWholeDocument(
  { product, body, headers }: ServedRequest,
  base: Tree,
  family?: ResourceFamily,
): { readonly refusal: Reply } | { readonly given: Tree; readonly result: Tree } {
  const { patch } = product;
  const given = patch.body(body, headers["content-type"] ?? "");
  if ("refusal" in given) return given;
  const result = patch.apply(base, given.tree, family);
  if ("refusal" in result) return result;
  if (patch.nothing !== undefined && isSameTree(base, result.tree)) return { refusal: patch.nothing };
  return { given: given.tree, result: result.tree };
}

/** Many resources in one write, all or nothing. */
export function patchFamily(ask: ResourceRequest): HandledRequest {
  const { family, state, product } = ask;
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  const base = documentOf(ask);
  const patched = patchWholeDocument(ask, base, family);
  if ("refusal" in patched) return refused(patched.refusal);
  const { given, result } = patched;
  if (!(result instanceof Map)) return refused(bodyRequired);
  const after = result;
  const refusal =
    product.patch.bulk === "named" ? namedRefusal(ask, given, base, after) : changedRefusal(ask, base, after);
  if (refusal !== undefined) return refused(refusal);
  const stored = storeAll(ask, base, after);
  if ("refusal" in stored) return refused(formatFamilyName(stored.refusal, ask));
  return answerLoaded(product, withFamily(state, family, stored.entries), createReply(200, "Resource updated."));
}

type Document = ReadonlyMap<string, Tree>;

/** The whole family as it is patched, its header among the entries. */
function documentOf(ask: ResourceRequest): Map<string, Tree> {
  const { family, state, product } = ask;
  const { entries } = product;
  const meta: [string, Tree][] =
    entries.meta === undefined ? [] : [[entries.meta.name, entries.meta.value(getFamilyPath(ask))]];
  const all = [...state.families[family]].map(([name, tree]): [string, Tree] => [
    name,
    entries.patchBase(family, tree),
  ]);
  return new Map([...meta, ...product.sort(all)]);
}

/** Search Guard: first whatever changed and may not, then whatever changed into something unfit. */
function changedRefusal(ask: ResourceRequest, base: Document, after: Document): Reply | undefined {
  const touched = [...base.keys()].filter((name) => !isSameTree(base.get(name), after.get(name)));
  const untouched = touched.map((name) => explainUntouchable(ask, "bulk", name));
  const changed = [...after.keys()].filter((name) => !isSameTree(base.get(name), after.get(name)));
  const unfit = changed.map((name) => explainUnfit(ask, name, after.get(name) ?? null, "bulk"));
  return [...untouched, ...unfit].find((refusal) => refusal !== undefined);
}

/** OpenSearch: name by name as the paths have them. What the library took for another name is not looked at. */
function namedRefusal(ask: ResourceRequest, patch: Tree, base: Document, after: Document): Reply | undefined {
  if (pathsIn(patch).includes("")) return nullPointer;
  for (const name of namesIn(patch)) {
    const value = after.get(name);
    if (isSameTree(base.get(name), value)) continue;
    const refusal =
      explainUntouchable(ask, "bulk", name) ??
      (value === undefined ? undefined : explainUnfit(ask, name, value, "bulk"));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function pathsIn(patch: Tree): readonly (Tree | undefined)[] {
  return (Array.isArray(patch) ? patch : []).map((step) => (step instanceof Map ? step.get("path") : undefined));
}

/** What the paths of a patch begin with. */
export function namesIn(patch: Tree): ReadonlySet<string> {
  return new Set(pathsIn(patch).map((path) => unescapeToken(String(path).split("/")[1] ?? "")));
}

const nullPointer: Reply = {
  status: 500,
  json: {
    error: {
      root_cause: [{ type: "null_pointer_exception", reason: null }],
      type: "null_pointer_exception",
      reason: null,
    },
    status: 500,
  },
};

/** What a PUT of the value would be refused for. */
function explainUnfit(
  { family, admin, state, product }: ResourceRequest,
  name: string,
  value: Tree,
  writeKind: "PATCH" | "bulk",
): Reply | undefined {
  const by = { writeKind, family, name, admin };
  return product.entries.check(value, by, state.families[family]) ?? product.rules?.(value, by, state);
}

/** An entry that the patch left alone stays as it was stored, and a static one whatever the patch. */
function storeAll(ask: ResourceRequest, base: Document, after: Document): WrittenEntry {
  const { family, admin, state, product } = ask;
  const { entries: model } = product;
  const before = state.families[family];
  const broken = model.meta === undefined ? undefined : breaksMeta(model.meta, getFamilyPath(ask), base, after);
  if (broken !== undefined) return { refusal: broken };
  const stays = ([name, tree]: [string, Tree]): boolean =>
    isSameTree(base.get(name), after.get(name)) || model.flags(tree).static;
  const { afterPatch = (_, tree) => tree } = model;
  let entries: StoredEntries = new Map(
    [...before].filter(stays).map(([name, tree]) => [name, afterPatch(family, tree)]),
  );
  for (const [name, value] of after) {
    if (name === model.meta?.name || entries.has(name)) continue;
    const stored = model.store(value, { writeKind: "bulk", family, name, admin }, before);
    if ("refusal" in stored) return stored;
    const result = writeInto(entries, name, stored.tree, product);
    if ("refusal" in result) return result;
    entries = result.entries;
  }
  return { entries };
}

export function breaksMeta(meta: MetaModel, place: string, base: Document, after: Document): Reply | undefined {
  const value = after.get(meta.name);
  return isSameTree(base.get(meta.name), value) ? undefined : meta.changed(place, value);
}
