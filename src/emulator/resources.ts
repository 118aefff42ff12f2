import { memoiseByKey, memoiseByObject } from "../json/memoise.ts";
import type { Json } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { HandledRequest, ResourceRequest } from "./handler.ts";
import type { EntryModel, ProductModel, SegmentFacts, WriteSource, WrittenEntry } from "./product.ts";
import { bodyRequired, couldNotParse, createReply, createUnparsableReply, type Reply } from "./reply.ts";
import { type ServerState, type StoredEntries, withFamily } from "./state.ts";
import { readJson } from "./values/json-parser.ts";
import type { TreeOrRefusal } from "./values/patch.ts";
import { fromTree, type Tree } from "./values/tree.ts";

export function readAll({ family, admin, state, product }: ResourceRequest): HandledRequest {
  const { entries } = product;
  const shown = product
    .sort(state.families[family])
    .filter(([, tree]) => admin || !entries.flags(tree).hidden)
    .map(([name, tree]): [string, Json] => [name, showEntry(entries, family, tree)]);
  const beside: readonly [string, Tree][] = product.shownBeside?.[family] ?? [];
  const json = Object.fromEntries([...beside.map(([name, tree]) => [name, fromTree(tree)] as const), ...shown]);
  return { reply: { status: 200, json }, state };
}

function showEntry(model: EntryModel, family: ResourceFamily, tree: Tree): Json {
  return tree instanceof Map ? shownBy(model)(family)(tree) : fromTree(model.show(family, tree));
}

/** A family is read more often than any of its entries is written. */
const shownBy = memoiseByObject((model: EntryModel) =>
  memoiseByKey((family: ResourceFamily) =>
    memoiseByObject((tree: Map<string, Tree>) => fromTree(model.show(family, tree))),
  ),
);

export function readOne({ family, name, admin, state, product }: ResourceRequest): HandledRequest {
  const { entries, texts, kinds } = product;
  const tree = state.families[family].get(name);
  const flags = tree === undefined ? undefined : entries.flags(tree);
  const isUnseen = (flags?.hidden && !admin) || (flags?.static && product.staticsHideAlone);
  if (tree === undefined || isUnseen) {
    return { reply: createReply(404, texts.notFoundByGet(kinds[family], name)), state };
  }
  const json = fromTree(entries.showSingle?.(family, name, tree) ?? new Map([[name, entries.show(family, tree)]]));
  const headers = entries.singleType === undefined ? {} : { headers: { "content-type": entries.singleType } };
  return { reply: { status: 200, json, ...headers }, state };
}

/** Checks in the order of the servers: the body, what it would replace, what else there is, the classes. */
export function put(ask: ResourceRequest): HandledRequest {
  const { family, name, body, admin, state, product } = ask;
  const { entries, kinds, texts } = product;
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  const given = parsePutBody(body, entries.bodyRules[family]?.payload ?? true, product);
  if ("refusal" in given) return refused(given.refusal);
  const by = { writeKind: "PUT", family, name, admin } as const;
  const before = state.families[family];
  const refusal = entries.check(given.tree, by, before) ?? explainUntouchable(ask, "PUT");
  if (refusal !== undefined) return refused(refusal);
  if (name === entries.meta?.name) return refused(entries.meta.put(body));
  const rule = product.rules?.(given.tree, by, state);
  if (rule !== undefined) return refused(rule);
  const stored = entries.store(given.tree, by, before);
  if ("refusal" in stored) return refused(stored.refusal);
  const outcome = before.has(name) ? "updated" : "created";
  return writeEntry(ask, name, stored.tree, texts.written(outcome, kinds[family], name, family));
}

/** The value in the body of a PUT. An empty one is parsed, and fails there, where no payload is needed. */
export function parsePutBody(
  text: string,
  needsPayload: boolean,
  { parser, parserReports }: Pick<ProductModel, "parser" | "parserReports">,
): TreeOrRefusal {
  if (text === "" && needsPayload) return { refusal: bodyRequired };
  const read = readJson(text, parser);
  if ("tree" in read) return read;
  return { refusal: parserReports ? createUnparsableReply(`${read.fault.type}: ${read.fault.text}`) : couldNotParse };
}

export function removeEntry(ask: ResourceRequest): HandledRequest {
  const { family, name, state, product } = ask;
  const before = state.families[family].get(name);
  const missing = createReply(404, product.texts.notFound(product.kinds[family], name));
  const refusal = explainUntouchable(ask, "DELETE") ?? (before === undefined ? missing : undefined);
  if (refusal !== undefined || before === undefined) return { reply: refusal ?? missing, state };
  const reply = product.texts.written("deleted", product.kinds[family], name, family);
  if (isStatic(ask, name)) return { reply, state };
  const entries = new Map([...state.families[family]].filter(([other]) => other !== name));
  return answerLoaded(product, withFamily(state, family, entries), reply);
}

/** Why an entry that is there may not be written so, or undefined. */
export function explainUntouchable(
  ask: ResourceRequest,
  writeKind: WriteSource["writeKind"] | "DELETE",
  of = ask.name,
): Reply | undefined {
  const { family, admin, state, product } = ask;
  const { texts, entries, kinds } = product;
  const tree = state.families[family].get(of);
  if (tree === undefined || (admin && product.adminOverrides)) return undefined;
  const flags = entries.flags(tree);
  if (flags.hidden) return texts.hidden[writeKind](kinds[family], of);
  if (flags.static) return createReply(403, texts.static(of));
  return flags.reserved ? createReply(403, texts.reserved(of)) : undefined;
}

/** Stores the entry, and reloads the nodes. */
export function writeEntry(ask: ResourceRequest, name: string, tree: Tree, reply: Reply): HandledRequest {
  const { family, state, product } = ask;
  if (isStatic(ask, name)) return { reply, state };
  const result = writeInto(state.families[family], name, tree, product);
  if ("refusal" in result) return { reply: formatFamilyName(result.refusal, ask), state };
  return answerLoaded(product, withFamily(state, family, result.entries), reply);
}

export function writeInto(entries: StoredEntries, name: string, tree: Tree, product: ProductModel): WrittenEntry {
  return product.entries.write?.(entries, name, tree) ?? { entries: new Map(entries).set(name, tree) };
}

/** A user who may write such an entry gets it back at once: it is part of the plugin. */
function isStatic({ family, state, product }: ResourceRequest, name: string): boolean {
  const tree = state.families[family].get(name);
  return tree !== undefined && product.entries.flags(tree).static;
}

/** What a write is answered once the nodes have tried to load what is there now. */
export function answerLoaded(product: ProductModel, state: ServerState, reply: Reply): HandledRequest {
  if (product.loads(state)) return { reply, state };
  return { reply: createReply(500, "Error Failed node [emulator-node-0000000]", "INTERNAL_SERVER_ERROR"), state };
}

/** Some refusals name the family. */
export function formatFamilyName(reply: Reply, ask: ResourceRequest): Reply {
  return reply.text === undefined ? reply : { ...reply, text: reply.text.replace("%", getFamilyPath(ask)) };
}

/** The family as paths call it. */
export function getFamilyPath({ family, product }: ResourceRequest): string {
  return [...product.routes.segments].find(([, segment]) => segment.family === family)?.[0] ?? family;
}

export function findSegment({ family, product }: ResourceRequest): SegmentFacts | undefined {
  return [...product.routes.segments.values()].find((segment) => segment.family === family);
}
