import type { ResourceFamily } from "../../model/names.ts";
import { createReply, type Reply } from "../reply.ts";
import { fromTree, type Tree } from "../tree.ts";
import { sortAsJava } from "./java-order.ts";
import { type RealState, withFamily } from "./kept.ts";
import type { RealProduct } from "./product.ts";

/** What became of a request: the answer, and the state afterwards, the very same where nothing was written. */
export interface RealOutcome {
  readonly reply: Reply;
  readonly state: RealState;
}

/** One request to one family. */
export interface ResourceRequest {
  readonly family: ResourceFamily;
  /** "" for the whole family. */
  readonly name: string;
  readonly body: string;
  readonly contentType: string;
  /** Who asks may do anything, if the product lets it. */
  readonly admin: boolean;
  readonly state: RealState;
  readonly product: RealProduct;
}

export function readAll({ family, admin, state, product }: ResourceRequest): RealOutcome {
  const { entries } = product;
  const shown = sortAsJava(state.families[family])
    .filter(([, tree]) => admin || !entries.flags(tree).hidden)
    .map(([name, tree]): [string, Tree] => [name, entries.shown(family, tree)]);
  return { reply: { status: 200, json: fromTree(new Map(shown)) }, state };
}

export function readOne({ family, name, admin, state, product }: ResourceRequest): RealOutcome {
  const { entries, texts, kinds } = product;
  const tree = state.families[family].get(name);
  const flags = tree === undefined ? undefined : entries.flags(tree);
  const isUnseen = (flags?.hidden && !admin) || (flags?.static && product.staticsHideAlone);
  if (tree === undefined || isUnseen) {
    return { reply: createReply(404, texts.notFoundByGet(kinds[family], name)), state };
  }
  const json = fromTree(new Map([[name, entries.shown(family, tree)]]));
  const headers = entries.singleType === undefined ? {} : { headers: { "content-type": entries.singleType } };
  return { reply: { status: 200, json, ...headers }, state };
}

/** Checks in the order of the servers: the body, what it would replace, what else there is, the classes. */
export function put(ask: ResourceRequest): RealOutcome {
  const { family, name, body, admin, state, product } = ask;
  const { entries } = product;
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  const given = entries.body(family, body);
  if ("refusal" in given) return refused(given.refusal);
  const refusal = entries.check(family, given.tree, admin) ?? explainUntouchable(ask, "PUT");
  if (refusal !== undefined) return refused(refusal);
  if (name === entries.meta?.name) return refused(entries.meta.put(body));
  const rule = product.rules?.(family, name, given.tree, state, "PUT");
  if (rule !== undefined) return refused(rule);
  const before = state.families[family].get(name);
  const stored = entries.stored(family, given.tree, { writeKind: "PUT", name });
  if ("refusal" in stored) return refused(stored.refusal);
  const outcome =
    before === undefined ? createReply(201, `'${name}' created.`) : createReply(200, `'${name}' updated.`);
  return writeEntry(ask, name, stored.tree, outcome);
}

export function removeEntry(ask: ResourceRequest): RealOutcome {
  const { family, name, state, product } = ask;
  const before = state.families[family].get(name);
  const missing = createReply(404, product.texts.notFound(product.kinds[family], name));
  const refusal = explainUntouchable(ask, "DELETE") ?? (before === undefined ? missing : undefined);
  if (refusal !== undefined || before === undefined) return { reply: refusal ?? missing, state };
  const reply = createReply(200, `'${name}' deleted.`);
  if (isStatic(ask, name)) return { reply, state };
  const entries = new Map([...state.families[family]].filter(([other]) => other !== name));
  return answerLoaded(ask, withFamily(state, family, entries), reply);
}

/** Why an entry that is there may not be written so, or undefined. */
export function explainUntouchable(
  ask: ResourceRequest,
  writeKind: "PUT" | "DELETE" | "PATCH" | "bulk",
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
export function writeEntry(ask: ResourceRequest, name: string, tree: Tree, reply: Reply): RealOutcome {
  const { family, state, product } = ask;
  if (isStatic(ask, name)) return { reply, state };
  const result = product.entries.write(state.families[family], name, tree);
  if ("refusal" in result) return { reply: formatFamilyName(result.refusal, ask), state };
  return answerLoaded(ask, withFamily(state, family, result.entries), reply);
}

/** A user who may write such an entry gets it back at once: it is part of the plugin. */
function isStatic({ family, state, product }: ResourceRequest, name: string): boolean {
  const tree = state.families[family].get(name);
  return tree !== undefined && product.entries.flags(tree).static;
}

/** What a write is answered once the nodes have tried to load what is there now. */
export function answerLoaded(
  { product }: Pick<ResourceRequest, "product">,
  state: RealState,
  reply: Reply,
): RealOutcome {
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
