import { expect, test } from "vitest";
import { parseBody } from "../../../src/emulator/body.ts";
import { findMaskingProblem } from "../../../src/emulator/masking.ts";
import { splitSegments, wantsPretty } from "../../../src/emulator/request.ts";

test("segments are split first and decoded after", () => {
  const check = (path: string, segments: readonly string[] | undefined) =>
    expect(splitSegments(path)).toEqual(segments);
  check("/", [""]);
  check("/a/b", ["a", "b"]);
  check("/a/b/?pretty", ["a", "b"]);
  check("/a/%2F/..", ["a", "/", ".."]);
  check("/a//b", ["a", "", "b"]);
  check("/a/%e2%82", ["a", "\ufffd"]);
  check("/a/%2", undefined);
});

test("pretty is a parameter like any other", () => {
  expect(["/a?pretty", "/a?pretty=true", "/a?x=1&pretty"].every(wantsPretty)).toBe(true);
  expect(["/a", "/a?pretty=false", "/pretty"].some(wantsPretty)).toBe(false);
});

test("duplicate keys are found per object, escapes read, strings left alone", () => {
  const check = (body: string, twice: string | undefined) => {
    const expected = { problem: `JsonParseException: Duplicate field '${twice}'` };
    expect(parseBody(body)).toEqual(twice === undefined ? { value: JSON.parse(body) } : expected);
  };
  check('{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', undefined);
  check('{"a":"\\"b\\":1","b":"{","c":["b","b"]}', undefined);
  check('{"a":{"b":1,"c":[{}],"b":2}}', "b");
  check('{"a" : 1, "\\u0061":2}', "a");
  expect(parseBody(" ")).toEqual({ problem: "No content to map due to end-of-input" });
});

test("masking expressions", () => {
  const good = ["field", "*ip", "a::SHA-1", "a::sha-512", "*ip::/[0-9]{1,3}$/::X", "a::/x/::y::/z/::w"];
  expect(good.map(findMaskingProblem)).toEqual(good.map(() => undefined));
  for (const bad of ["*::bad", "a::/x/::y::/z/"]) expect(findMaskingProblem(bad)).toBeTypeOf("string");
});
