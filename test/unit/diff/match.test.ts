import { describe, expect, it } from "vitest";
import { matchElements } from "../../../src/diff/match.ts";
import type { Fields } from "../../../src/json/value.ts";

const on = (patterns: string, actions: string, dls?: string): Fields => ({
  index_patterns: patterns.split(" "),
  ...(dls === undefined ? {} : { dls }),
  allowed_actions: actions.split(" "),
});

/** Pairs as `before > after`, each element as `patterns:actions:dls`. */
function check(before: readonly Fields[], after: readonly Fields[], pairs: readonly string[]): void {
  const name = (element: Fields | undefined) => (element === undefined ? "" : Object.values(element).join(":"));
  const found = matchElements(before, after, "index_patterns").map(
    (pair) => `${name(pair.before)} > ${name(pair.after)}`,
  );
  expect(found).toEqual(pairs);
}

describe("elements of index permissions are matched so that a reader sees what changed", () => {
  it("leaves out equal ones, wherever they are", () => {
    check([on("a", "READ"), on("b", "READ")], [on("b", "READ"), on("a", "READ")], []);
  });
  it("counts how often an element is there", () => {
    check([on("a", "READ"), on("a", "READ")], [on("a", "READ")], ["a:READ > "]);
    check([on("a", "READ")], [on("a", "READ"), on("a", "READ")], [" > a:READ"]);
  });
  it("keeps apart the same object handed in twice", () => {
    const twice = on("a", "READ");
    check(
      [twice, twice],
      [on("a", "READ WRITE"), on("a", "READ ALL")],
      ["a:READ > a:READ,WRITE", "a:READ > a:READ,ALL"],
    );
  });
  it("pairs by the same patterns even when nothing else is common", () => {
    check([on("a", "READ")], [on("b", "READ"), on("a", "WRITE")], ["a:READ > a:WRITE", " > b:READ"]);
  });
  it("pairs several with the same patterns by what they have in common", () => {
    check(
      [on("a", "READ", "q1"), on("a", "WRITE", "q2")],
      [on("a", "WRITE DELETE", "q2"), on("a", "READ", "q3")],
      ["a:q1:READ > a:q3:READ", "a:q2:WRITE > a:q2:WRITE,DELETE"],
    );
  });
  it("pairs a renamed pattern with the element that is otherwise the same", () => {
    check([on("old", "READ WRITE")], [on("new", "READ WRITE")], ["old:READ,WRITE > new:READ,WRITE"]);
  });
  it("prefers the greatest overlap", () => {
    check(
      [on("a b", "READ WRITE")],
      [on("a c", "READ ALL"), on("a b c", "READ WRITE")],
      ["a,b:READ,WRITE > a,b,c:READ,WRITE", " > a,c:READ,ALL"],
    );
  });
  it("does not pair what has little in common", () => {
    check([on("a b c", "READ")], [on("x y z", "READ")], ["a,b,c:READ > ", " > x,y,z:READ"]);
  });
});
