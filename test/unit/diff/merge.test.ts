// The three-way merge of an entry, held to a reference that looks at one part at a time.
import { describe, expect, test } from "vitest";
import { mergeFields } from "../../../src/diff/merge.ts";
import { factsOf } from "../../../src/families/index.ts";
import { toMultiset } from "../../../src/json/canonical.ts";
import type { Fields, Value } from "../../../src/json/value.ts";

const roles = factsOf.roles.fields;
const merge = (base: Fields, files: Fields, live: Fields) => mergeFields(base, files, live, roles);

/** What a part is on each side: three contents, or not there. */
const contents = [undefined, 1, 2, 3] as const;
type Content = (typeof contents)[number];
const triples = contents.flatMap((base) =>
  contents.flatMap((files) => contents.map((live) => [base, files, live] as const)),
);

/** Of one part: what is left in the files, and what is to be listed. */
function mergePart([base, files, live]: readonly [Content, Content, Content]) {
  if (files === live) return { value: files, kept: [] };
  if (base === files) return { value: live, kept: [] };
  return { value: files, kept: [base !== live] };
}

const written = (content: Content, write: (content: number) => Fields): Fields =>
  content === undefined ? {} : write(content);

describe("one part", () => {
  const fields: Record<string, (content: number) => Fields> = {
    "a text": (content) => ({ description: `${content}` }),
    "a list of texts": (content) => ({ cluster_permissions: ["all", `${content}`] }),
    "an object of a list": (content) => ({ index_permissions: [grantsOn("a", content)] }),
  };
  const all = Object.entries(fields).flatMap(([what, write]) =>
    triples.map((triple) => [what, triple, write] as const),
  );
  test.each(all)("%s: %j", (_, triple, write) => {
    const [base, files, live] = triple.map((content) => written(content, write)) as [Fields, Fields, Fields];
    const wanted = mergePart(triple);
    const { value, kept } = merge(base, files, live);
    expect({ value, kept: kept.map(({ isBoth }) => isBoth) }).toEqual({
      value: written(wanted.value, write),
      kept: wanted.kept,
    });
  });
});

function grantsOn(pattern: string, content: number): Fields {
  return { index_patterns: [`${pattern}-*`], allowed_actions: [`a${content}`, `${pattern}:b${content}`] };
}

describe("two objects of a list, which are merged each by itself", () => {
  const lists = (a: Content, b: Content): Fields => {
    const elements = [...(a === undefined ? [] : [grantsOn("a", a)]), ...(b === undefined ? [] : [grantsOn("b", b)])];
    return elements.length === 0 ? {} : { index_permissions: toMultiset(elements) as readonly Value[] };
  };
  test.each(triples)("one of them is %j, %j, %j", (...a) => {
    for (const b of triples) {
      const { value, kept } = merge(lists(a[0], b[0]), lists(a[1], b[1]), lists(a[2], b[2]));
      const [one, other] = [mergePart(a), mergePart(b)];
      expect(
        { value, isBoth: kept.filter(({ isBoth }) => isBoth).length, isAlone: kept.some(({ isBoth }) => !isBoth) },
        `${b}`,
      ).toEqual({
        value: lists(one.value, other.value),
        isBoth: [...one.kept, ...other.kept].filter(Boolean).length,
        isAlone: [...one.kept, ...other.kept].includes(false),
      });
    }
  });
});

describe("settings of a document", () => {
  const at = (a: Content, b: Content): Fields => ({
    dynamic: { ...written(a, (one) => ({ a: one })), deep: { ...written(b, (one) => ({ b: [one] })), c: true } },
  });
  test.each(triples)("are merged each by itself: %j, %j, %j", (...a) => {
    for (const b of triples) {
      const [one, other] = [mergePart(a), mergePart(b)];
      const { value, kept } = mergeFields(at(a[0], b[0]), at(a[1], b[1]), at(a[2], b[2]), "open");
      expect({ value, kept: kept.map(({ path, isBoth }) => [path.at(-1), isBoth]).sort() }).toEqual({
        value: at(one.value, other.value),
        kept: [...one.kept.map((is) => ["a", is]), ...other.kept.map((is) => ["b", is])],
      });
    }
  });

  test("of a family that servers complete, too", () => {
    const { value, kept } = mergeFields(
      { audit: { enable_rest: true, ignore_users: ["a"] }, enabled: true },
      { audit: { enable_rest: false, ignore_users: ["a"] }, enabled: true },
      { audit: { enable_rest: true, ignore_users: ["b"] }, enabled: true },
      factsOf.audit.fields,
    );
    expect({ value, kept }).toEqual({
      value: { audit: { enable_rest: false, ignore_users: ["b"] }, enabled: true },
      kept: [{ path: ["audit", "enable_rest"], isBoth: false }],
    });
  });
});

test("what both add about the same patterns is one object; about others, two", () => {
  const [a, b] = [grantsOn("a", 1), grantsOn("b", 1)];
  const list = (...elements: Fields[]) => ({ index_permissions: elements });
  expect(merge({}, list(a), list(b)).value).toEqual(list(a, b));
  const other = grantsOn("a", 2);
  expect(merge({}, list(a), list(other))).toEqual({
    value: list(a),
    kept: [{ path: ["index_permissions"], isBoth: true, element: other }],
  });
});

test("names are names, whatever they are", () => {
  const named = (value: number) => JSON.parse(`{ "__proto__": ${value} }`) as Fields;
  expect(JSON.stringify(mergeFields(named(1), named(1), named(2), "open").value)).toBe('{"__proto__":2}');
});

test("what was left once is left again, though an object that it was alike is gone", () => {
  const on = (pattern: string, ...actions: string[]) => ({ index_patterns: [pattern], allowed_actions: actions });
  const [base, live] = [{ index_permissions: [on("a", "z")] }, { index_permissions: [on("c", "d", "w", "z")] }];
  const first = merge(base, { index_permissions: [on("a", "z"), on("c", "z")] }, live);
  expect(first.value).toEqual({ index_permissions: [on("c", "z")] });
  expect(merge(base, first.value, live).value).toEqual(first.value);
});
