import type { ResourceFamily } from "../../model/names.ts";
import { bodyRequired, createEngineFailure, createUnparsableReply, type Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { type Bean, patchBase, showBean } from "./beans.ts";
import { BindingFault, bound, type MapperVoice } from "./binding.ts";
import {
  type Content,
  type ContentHabits,
  explainContentRefusal,
  findBadMask,
  findNonObject,
  type KeyType,
} from "./content.ts";
import { JsonFault, type ParserVoice, parseJson } from "./jackson.ts";
import type { EntryModel, MetaModel, StoredEntry, WriteSource } from "./product.ts";

/** Entries as instances of classes, defaults and all: Search Guard 7 and OpenSearch. */
export interface BeanFacts {
  readonly beans: Partial<Readonly<Record<ResourceFamily, Bean>>>;
  readonly contents: Partial<Readonly<Record<ResourceFamily, Content>>>;
  readonly habits: ContentHabits;
  readonly parser: ParserVoice;
  readonly mapper: MapperVoice;
  /** Whether the answer says what is wrong with a body that is no JSON. */
  readonly parserReports: boolean;
  /** Keys that an administrator may send besides. */
  readonly adminKeys: Readonly<Record<string, KeyType>>;
  /** A stored `false` survives a patch where its option starts as `true`. */
  readonly fixed: boolean;
  /** Elements of permissions must be objects before anything else is checked. */
  readonly looksForMasks: "in what it can" | "in every element";
  /** How a fault of the mapper is answered. */
  readonly failed: (fault: BindingFault, by: WriteSource) => Reply;
  readonly meta: MetaModel;
}

const none: Content = { keys: {}, payload: true };
const noBean: Bean = { name: "", slots: {}, known: [] };

export function createBeanModel(facts: BeanFacts): EntryModel {
  const beanOf = (family: ResourceFamily): Bean => facts.beans[family] ?? noBean;
  return {
    body: (family, text) => parsePutBody(text, facts.contents[family] ?? none, facts),
    check: (family, value, admin) =>
      explainContentRefusal(value, facts.contents[family] ?? none, facts.habits, admin ? facts.adminKeys : {}) ??
      (family === "roles" ? badMasks(value, facts) : undefined),
    stored: (family, value, by) => storedBean(beanOf(family), value, by, facts),
    shown: (family, tree) => showBean(beanOf(family), tree),
    patchBase: (family, tree) => patchBase(beanOf(family), tree, facts.fixed),
    flags: (tree) => ({
      reserved: isTrue(tree, "reserved"),
      hidden: isTrue(tree, "hidden"),
      static: isTrue(tree, "static"),
    }),
    write: (entries, name, tree) => ({ entries: new Map(entries).set(name, tree) }),
    halfThere: () => undefined,
    patchable: () => true,
    meta: facts.meta,
  };
}

/** The value in the body of a PUT. An empty one is parsed, and fails there, where the family needs no payload. */
export function parsePutBody(
  text: string,
  content: Content,
  facts: Pick<BeanFacts, "parser" | "parserReports">,
): StoredEntry {
  if (text === "" && content.payload) return { refusal: bodyRequired };
  try {
    return { tree: parseJson(text, facts.parser) };
  } catch (problem) {
    if (!(problem instanceof JsonFault)) throw problem;
    return { refusal: facts.parserReports ? createUnparsableReply(`${problem.type}: ${problem.text}`) : couldNotParse };
  }
}

export const couldNotParse: Reply = {
  status: 400,
  json: { status: "error", reason: "Could not parse content of request." },
};

/** A null is stored: it is an instance of no class, and nothing checks that. */
function storedBean(bean: Bean, value: Tree, by: WriteSource, facts: BeanFacts): StoredEntry {
  if (value === null) return { tree: null };
  try {
    return { tree: bound(bean, value, facts.mapper) };
  } catch (problem) {
    if (problem instanceof BindingFault) return { refusal: facts.failed(problem, by) };
    throw problem;
  }
}

function badMasks(role: Tree, { looksForMasks, habits }: BeanFacts): Reply | undefined {
  const list = role instanceof Map ? role.get("index_permissions") : undefined;
  for (const element of Array.isArray(list) ? list : []) {
    const refusal =
      element instanceof Map
        ? findBadMask(element.get("masked_fields"), habits)
        : looksForMasks === "in every element"
          ? findNonObject(element)
          : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isTrue(tree: Tree, flag: string): boolean {
  return tree instanceof Map && tree.get(flag) === true;
}

/** The search engine's answer to an exception that nothing caught. */
export function answerUncaught(type: string, reason: string): Reply {
  return createEngineFailure(500, type, reason);
}
