import { bodyRequired, createEngineFailure, createReply, type Reply } from "../reply.ts";
import { isSameTree, type Tree } from "../tree.ts";
import { sortAsJava } from "./java-order.ts";
import { type RealEntries, withFamily } from "./kept.ts";
import type { MetaModel, PatchModel, StoredEntry } from "./product.ts";
import {
  answerLoaded,
  explainUntouchable,
  formatFamilyName,
  getFamilyPath,
  type RealOutcome,
  type ResourceRequest,
  writeEntry,
} from "./resources.ts";
import { unescapeToken } from "./zjsonpatch.ts";

/** Checks in the order of the servers: the body, hidden, reserved, missing, the patch, what comes of it. */
export function patchRealResource(ask: ResourceRequest): RealOutcome {
  const { family, name, body, contentType, state, product } = ask;
  const { entries, patch, texts, kinds } = product;
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  const given = patch.body(body, contentType);
  if ("refusal" in given) return refused(given.refusal);
  const refusal = explainUntouchable(ask, "PATCH") ?? entries.halfThere(state.families[family], name);
  if (refusal !== undefined) return refused(refusal);
  const before = state.families[family].get(name);
  if (before === undefined || !entries.patchable(before)) {
    return refused(createReply(404, texts.notFound(kinds[family], name)));
  }
  const base = entries.patchBase(family, before);
  const result = patch.apply(base, given.tree);
  if ("refusal" in result) return refused(result.refusal);
  if (patch.nothing !== undefined && isSameTree(base, result.tree)) return refused(patch.nothing);
  const unfit = contentOf(ask, name, result.tree);
  if (unfit !== undefined) return refused(unfit);
  const stored = entries.stored(family, result.tree, { writeKind: "PATCH", name });
  return "refusal" in stored
    ? refused(stored.refusal)
    : writeEntry(ask, name, stored.tree, createReply(200, `'${name}' updated.`));
}

/** A whole document with a patch made: of a family, or of the config. An answer of its own where nothing came of it. */
export function patchWholeDocument(
  patch: PatchModel,
  body: string,
  contentType: string,
  base: Tree,
): { readonly refusal: Reply } | { readonly given: Tree; readonly result: Tree } {
  const given = patch.body(body, contentType);
  if ("refusal" in given) return given;
  const result = patch.apply(base, given.tree);
  if ("refusal" in result) return result;
  if (patch.nothing !== undefined && isSameTree(base, result.tree)) return { refusal: patch.nothing };
  return { given: given.tree, result: result.tree };
}

/** Many resources in one write, all or nothing. */
export function patchRealFamily(ask: ResourceRequest): RealOutcome {
  const { family, body, contentType, state, product } = ask;
  const { patch } = product;
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  const base = documentOf(ask);
  const patched = patchWholeDocument(patch, body, contentType, base);
  if ("refusal" in patched) return refused(patched.refusal);
  const { given, result } = patched;
  if (!(result instanceof Map)) return refused(bodyRequired);
  const after = result;
  const refusal = patch.bulk === "named" ? namedRefusal(ask, given, base, after) : changedRefusal(ask, base, after);
  if (refusal !== undefined) return refused(refusal);
  const stored = storedAfter(ask, base, after);
  if ("refusal" in stored) return refused(formatFamilyName(stored.refusal, ask));
  return answerLoaded(ask, withFamily(state, family, stored.entries), createReply(200, "Resource updated."));
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
  return new Map([...meta, ...sortAsJava(all)]);
}

/** Search Guard: first whatever changed and may not, then whatever changed into something unfit. */
function changedRefusal(ask: ResourceRequest, base: Document, after: Document): Reply | undefined {
  const touched = [...base.keys()].filter((name) => !isSameTree(base.get(name), after.get(name)));
  const untouched = touched.map((name) => explainUntouchable(ask, "bulk", name));
  const changed = [...after.keys()].filter((name) => !isSameTree(base.get(name), after.get(name)));
  const unfit = changed.map((name) => contentOf(ask, name, after.get(name) ?? null));
  return [...untouched, ...unfit].find((refusal) => refusal !== undefined);
}

/** OpenSearch: name by name as the paths have them. What the library took for another name is not looked at. */
function namedRefusal(ask: ResourceRequest, patch: Tree, base: Document, after: Document): Reply | undefined {
  const paths = (Array.isArray(patch) ? patch : []).map((step) => (step instanceof Map ? step.get("path") : undefined));
  if (paths.includes("")) return nullPointer;
  const names = new Set(paths.map((path) => unescapeToken(String(path).split("/")[1] ?? "")));
  for (const name of names) {
    const value = after.get(name);
    if (isSameTree(base.get(name), value)) continue;
    const refusal =
      explainUntouchable(ask, "bulk", name) ?? (value === undefined ? undefined : contentOf(ask, name, value));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
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
function contentOf({ family, admin, state, product }: ResourceRequest, name: string, value: Tree): Reply | undefined {
  return product.entries.check(family, value, admin) ?? product.rules?.(family, name, value, state, "PATCH");
}

type StoredEntries = { readonly entries: RealEntries } | { readonly refusal: Reply };

/** An entry that the patch left alone stays as it was stored, and a static one whatever the patch. */
function storedAfter(ask: ResourceRequest, base: Document, after: Document): StoredEntries {
  const { family, state, product } = ask;
  const { entries: model } = product;
  const before = state.families[family];
  const broken = model.meta === undefined ? undefined : breaksMeta(model.meta, getFamilyPath(ask), base, after);
  if (broken !== undefined) return { refusal: broken };
  const stays = ([name, tree]: [string, Tree]): boolean =>
    isSameTree(base.get(name), after.get(name)) || model.flags(tree).static;
  let entries: RealEntries = new Map([...before].filter(stays));
  for (const [name, value] of after) {
    if (name === model.meta?.name || entries.has(name)) continue;
    const stored: StoredEntry = model.stored(family, value, { writeKind: "bulk", name });
    if ("refusal" in stored) return stored;
    const result = model.write(entries, name, stored.tree);
    if ("refusal" in result) return result;
    entries = result.entries;
  }
  return { entries };
}

export function breaksMeta(meta: MetaModel, place: string, base: Document, after: Document): Reply | undefined {
  const value = after.get(meta.name);
  return isSameTree(base.get(meta.name), value) ? undefined : meta.changed(place, value);
}

/** For headers that servers do not find again. */
export function failInputOutput(reason: string): Reply {
  return createEngineFailure(500, "i_o_exception", reason);
}
