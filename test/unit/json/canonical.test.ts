import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { encodeCanonical, toMultiset, toSet } from "../../../src/json/canonical.ts";
import { fromPointer, toPointer } from "../../../src/json/pointer.ts";
import { Secret } from "../../../src/json/secret.ts";
import { isEqual, type Value } from "../../../src/json/value.ts";

describe("sets", () => {
  const check = (given: readonly Value[], expected: readonly Value[]) => expect(toSet(given)).toEqual(expected);

  it("are sorted by code unit and hold each member once", () => check(["b", "a", "B", "a", "ä"], ["B", "a", "b", "ä"]));
  it("that are sorted already are not copied", () => {
    const members = ["a", "b"];
    expect(toSet(members)).toBe(members);
  });
  it("distinguish a string from a number", () => check(["1", 1], [1, "1"]));
  it("hold a secret and its text once", () => expect(toSet([new Secret("${env:X}", "a"), "a"])).toHaveLength(1));
});

describe("multisets", () => {
  it("are sorted by content, first field first, and keep what is in them twice", () => {
    const [a, b, c] = [
      { x: 1, y: 2 },
      { x: 1, y: 0 },
      { x: 0, y: 9 },
    ];
    expect(toMultiset([a, b, a, c])).toEqual([c, b, a, a]);
  });
  it("are sorted by what a secret is, not by how it is called", () => {
    const [first, second] = [{ names: [new Secret("z", "a")] }, { names: [new Secret("y", "b")] }];
    expect(toMultiset([second, first])).toEqual([first, second]);
  });
  it("are sorted by their JSON, whatever characters begin them", () => {
    const characters = ["", " ", "!", '"', "#", "\\", "a", "\u0001", "\ud83d", "\ude00", "\uffff"];
    const texts = characters.flatMap((one) => characters.map((other) => `${one}${other}`));
    const member = (text: string) => ({ names: [text, "z"], more: ["y"] });
    const key = (text: string) => JSON.stringify(member(text)).slice(1, -1);
    for (const one of texts) {
      for (const other of texts) {
        const sorted = key(one) <= key(other) ? [one, other] : [other, one];
        expect(toMultiset([member(one), member(other)])).toEqual(sorted.map(member));
      }
    }
  });
});

describe("canonical text", () => {
  it("does not depend on the order of keys", () => {
    expect(encodeCanonical({ b: [1, null], a: "x" })).toBe(encodeCanonical({ a: "x", b: [1, null] }));
  });
});

describe("pointers", () => {
  const names = ["", "a", "a/b", "a~b", "~1", "~01", "a b", '"', "\\", "ä", "__proto__", "-", "0"];
  it("come back as they went", () => {
    for (const name of names) expect(fromPointer(toPointer([name, "x"]))).toEqual([name, "x"]);
  });
});

describe("equality", () => {
  const check = (a: Value, b: Value, expected: boolean) => {
    expect(isEqual(a, b)).toBe(expected);
    expect(isEqual(b, a)).toBe(expected);
  };
  it("compares content", () => check({ a: [1, { b: null }] }, { a: [1, { b: null }] }, true));
  it("distinguishes absent from null", () => check({ a: null }, {}, false));
  it("distinguishes a list from an object", () => check([], {}, false));
  it("compares a secret with the text it holds", () => check(new Secret("${env:X}", "s"), "s", true));
  it("is not fooled by the reference of a secret", () => check(new Secret("s", "other"), "s", false));
});

describe("a secret that was not asked for", () => {
  it("is sorted and compared by its reference, while files are evaluated without it", () => {
    const [a, b] = [new Secret("${env:A}"), new Secret("${env:B}")];
    expect(toSet([b, a, b])).toEqual([a, b]);
    expect(isEqual(a, new Secret("${env:A}"))).toBe(true);
    expect(isEqual(a, b)).toBe(false);
  });
});

describe("a secret", () => {
  const secret = new Secret("${env:PASSWORD}", "hunter2");
  it("never shows its value, however it is printed", () => {
    const shown = [
      `${secret}`,
      JSON.stringify({ secret }),
      inspect(secret, { showHidden: true, depth: 9 }),
      String([secret]),
    ];
    for (const text of shown) {
      expect(text).toContain("${env:PASSWORD}");
      expect(text).not.toContain("hunter2");
    }
  });
});
