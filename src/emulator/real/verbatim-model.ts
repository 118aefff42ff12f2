// Search Guard FLX keeps entries as they were written, once it has looked whether it can read them.
import type { ResourceFamily } from "../../model/names.ts";
import type { Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { type BeanFacts, parsePutBody } from "./bean-model.ts";
import type { Bean } from "./beans.ts";
import { BindingFault, bound } from "./binding.ts";
import { type Content, explainContentRefusal, findBadMask } from "./content.ts";
import type { EntryModel, StoredEntry } from "./product.ts";

/** What the classes are good for here: to refuse what does not fit them. */
export interface VerbatimFacts extends Pick<BeanFacts, "beans" | "contents" | "habits" | "parser" | "mapper"> {
  readonly parserReports: boolean;
  readonly failed: (fault: BindingFault) => Reply;
}

export function createVerbatimModel(facts: VerbatimFacts): EntryModel {
  const contentOf = (family: ResourceFamily): Content => facts.contents[family] ?? { keys: {}, payload: true };
  return {
    body: (family, text) => parsePutBody(text, contentOf(family), facts),
    check: (family, value) => explainContentRefusal(value, contentOf(family), facts.habits) ?? badMasks(value, facts),
    stored: (family, value) => fitting(facts.beans[family], value, facts),
    shown: (_, tree) => tree,
    patchBase: (_, tree) => withoutLoweredFlags(tree),
    flags: (tree) => ({
      reserved: states(tree, "reserved"),
      hidden: states(tree, "hidden"),
      static: states(tree, "static"),
    }),
    write: (entries, name, tree) => ({ entries: new Map(entries).set(name, tree) }),
    halfThere: () => undefined,
    patchable: () => true,
  };
}

function fitting(bean: Bean | undefined, value: Tree, { mapper, failed }: VerbatimFacts): StoredEntry {
  try {
    if (bean !== undefined) bound(bean, value, mapper);
    return { tree: value };
  } catch (problem) {
    if (problem instanceof BindingFault) return { refusal: failed(problem) };
    throw problem;
  }
}

const flags = ["reserved", "hidden", "static"];

/** A patch takes flags that are down for none, and its result has none. */
function withoutLoweredFlags(tree: Tree): Tree {
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].filter(([name, value]) => value !== false || !flags.includes(name)));
}

function badMasks(role: Tree, { habits }: VerbatimFacts): Reply | undefined {
  const list = role instanceof Map ? role.get("index_permissions") : undefined;
  return (Array.isArray(list) ? list : [])
    .map((element) => (element instanceof Map ? findBadMask(element.get("masked_fields"), habits) : undefined))
    .find((refusal) => refusal !== undefined);
}

function states(tree: Tree, flag: string): boolean {
  return tree instanceof Map && tree.get(flag) === true;
}
