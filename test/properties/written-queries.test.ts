// Two document-level queries are the same where they differ in spaces, escapes and the order of keys, and nowhere else: in
// the access diff, for the guard `wildcard`, and in what a plan shows. A query is drawn as a tree whose leaves are texts,
// so that nothing here parses it.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { findUnnamedGained } from "../../src/access/unnamed/gains.ts";
import { createQueryRows } from "../../src/render/rows/query.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { modelOfFixture, stateOf } from "../support/modelled.ts";
import { seed, seeds } from "./seed.ts";

type Tree = string | { readonly list: readonly Tree[] } | { readonly members: readonly (readonly [string, Tree])[] };

const scalars = ["1", "1.0", "9007199254740992", "12345678901234567890", '"hr"', "true", "null"];
/** Each other than the first, where a double or a map takes them for the same. */
const others: Readonly<Record<string, string>> = {
  "1": "1.00000000000000000001",
  "1.0": "1.00",
  "9007199254740992": "9007199254740993",
  "12345678901234567890": "12345678901234567891",
};

test(`queries compare as they are written, seed ${seed}`, () => {
  for (const each of seeds(300, 20)) {
    const random = randomFrom(`written queries ${each}`);
    const tree = drawTree(random, 4);
    const [text, same] = [print(tree, random), print(tree, random)];
    const changed = changeLeaf(tree, random);
    const doubled = doubleKey(tree, random);
    expect(findDifferences(text, same), `${text}\n${same}`).toEqual({ access: false, gains: false, shown: false });
    for (const other of [changed, doubled].filter((one) => one !== undefined).map((one) => print(one, random)))
      expect(findDifferences(text, other), `${text}\n${other}`).toEqual({ access: true, gains: true, shown: true });
  }
});

function findDifferences(before: string, after: string) {
  const ends = [before, after].map(fixtureOf) as [Fixture, Fixture];
  const [was, is] = ends.map((end) => modelOfFixture(end)) as [ReturnType<typeof modelOfFixture>, never];
  const { gains, tooMany } = findUnnamedGained(stateOf(ends[0]), stateOf(ends[1]));
  const rows = createQueryRows(before, after, spot);
  return {
    access: compareAccess(was, is).statements.length > 0,
    gains: gains.length > 0 || tooMany,
    shown: !JSON.stringify(rows).includes("same query"),
  };
}

const spot = { indent: 0, label: "dls", width: 0, style: { color: false, width: 10_000, full: true, verbose: true } };

function fixtureOf(dls: string): Fixture {
  return {
    product: "opensearch",
    // There what a server makes of one that is none is unknown; elsewhere nothing is shown by it before and after.
    release: "3.4",
    roles: {
      r: { index_permissions: [{ index_patterns: ["logs"], allowed_actions: ["indices:data/read/search"], dls }] },
    },
    mappings: { r: { users: ["*"] } },
    groups: {},
  };
}

function drawTree(random: Random, depth: number): Tree {
  const kind = depth === 4 ? 0 : random.below(depth === 0 ? 1 : 3);
  if (depth > 0 && kind === 0) {
    const keys = random.some(["term", "id", "a b", "ä", "1", "__proto__", 'q"'], 1, 3);
    return { members: keys.map((key) => [key, drawTree(random, depth - 1)] as const) };
  }
  if (depth > 0 && kind === 1)
    return { list: Array.from({ length: random.below(3) }, () => drawTree(random, depth - 1)) };
  return random.pick(scalars);
}

function print(tree: Tree, random: Random): string {
  const space = () => random.pick(["", "", " ", "\n  "]);
  const joined = (parts: readonly string[]) => parts.map((part) => space() + part + space()).join(",");
  if (typeof tree === "string") return random.chance(0.3) ? tree.replace(/^"hr"$/, '"\\u0068r"') : tree;
  if ("list" in tree) return `[${joined(tree.list.map((one) => print(one, random)))}]`;
  const members = tree.members.map(
    ([key, value]) => `${JSON.stringify(key)}${space()}:${space()}${print(value, random)}`,
  );
  // Of a key twice the last one counts for some.
  const isDoubled = new Set(tree.members.map(([key]) => key)).size < members.length;
  return `{${joined(isDoubled ? members : random.shuffled(members))}}`;
}

/** One leaf another; undefined where none can be. */
function changeLeaf(tree: Tree, random: Random): Tree | undefined {
  if (typeof tree === "string") return others[tree];
  const parts = "list" in tree ? tree.list : tree.members.map(([, value]) => value);
  const changed = random.shuffled(parts.keys()).flatMap((at) => {
    const part = changeLeaf(parts[at] as Tree, random);
    return part === undefined ? [] : [{ at, part }];
  })[0];
  return changed && replacePart(tree, changed.at, changed.part);
}

function replacePart(tree: Exclude<Tree, string>, at: number, part: Tree): Tree {
  if ("list" in tree) return { list: tree.list.with(at, part) };
  return { members: tree.members.with(at, [tree.members[at]?.[0] as string, part]) };
}

/** With a key before itself, of which parsers lose the first. */
function doubleKey(tree: Tree, random: Random): Tree | undefined {
  if (typeof tree === "string" || "list" in tree) return undefined;
  const [key] = random.pick(tree.members);
  return { members: [[key, '"lost"'], ...tree.members] };
}
