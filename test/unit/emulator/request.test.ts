import { expect, test } from "vitest";
import { splitSegments, wantsPretty } from "../../../src/emulator/request.ts";
import { findMaskingProblem } from "../../../src/emulator/values/body-rules.ts";

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

test("masking expressions", () => {
  const good = ["field", "*ip", "a::SHA-1", "a::sha-512", "*ip::/[0-9]{1,3}$/::X", "a::/x/::y::/z/::w"];
  expect(good.map(findMaskingProblem)).toEqual(good.map(() => undefined));
  for (const bad of ["*::bad", "a::/x/::y::/z/"]) expect(findMaskingProblem(bad)).toBeTypeOf("string");
});
