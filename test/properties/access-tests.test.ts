// Over every small fixture of two permissions: a test passes exactly where each name that its pattern means is granted, or none
// is. Evaluated name by name, with patterns as regular expressions and every name of up to three characters. Whether there is an
// index of a plain name is unknown: a test of it passes where it does in both cases. Real Search Guard servers refuse what
// `_all` alone grants where there is none.
import { expect, it } from "vitest";
import { findRequestKind } from "../../src/access/evaluate/asked-request.ts";
import { nowhere } from "../../src/access/explain/grant-path.ts";
import { createAccessModel } from "../../src/access/model/access-model.ts";
import { findContradiction } from "../../src/access/questions/tested.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { getSemantics } from "../../src/dialects/find-semantics.ts";
import { createDialect } from "../../src/dialects/index.ts";
import type { Fields } from "../../src/json/value.ts";

const patterns = ["a", "a*", "*", "b?", "*b", "_all", "${user.name}*"];
const actions = ["indices:data/read/search", "*", "indices:data/write/*"];
const asked = ["a", "a*", "*", "b?", "u", "?b*"];

const messages = ["a", "b", "u", "c"];
const pairs = messages.flatMap((one) => messages.map((other) => one + other));
const names = [...messages, ...pairs, ...pairs.flatMap((pair) => messages.map((one) => pair + one))];

interface Element {
  readonly pattern: string;
  readonly action: string;
}

const elements: readonly Element[] = patterns.flatMap((pattern) => actions.map((action) => ({ pattern, action })));
const fixtures = elements.flatMap((one, at) => elements.slice(at).map((other) => [one, other] as const));

it.each([
  ["search-guard", createDialect("search-guard", "7")],
  ["opensearch", createDialect("opensearch", "2")],
])("%s", (product, dialect) => {
  const wrong: string[] = [];
  const counts = { allowed: 0, denied: 0, neither: 0 };
  for (const fixture of fixtures) {
    for (const index of asked) {
      const meant = names.filter((name) => isMatched(index, name));
      const isPlain = messages.includes(index);
      const cases = isPlain ? [fixture, fixture.filter(({ pattern }) => pattern !== "_all")] : [fixture];
      const granted = cases.map(
        (some) => meant.filter((name) => some.some((one) => grants(one, name, product))).length,
      );
      const allowed = passes(fixture, index, "allowed", dialect);
      const denied = passes(fixture, index, "denied", dialect);
      // A request for all by that very name takes one pattern that is it.
      const atOnce =
        index !== "*" ||
        product === "opensearch" ||
        fixture.some((element) => element.pattern === "*" && grants(element, "a", product));
      const [isAll, isNone] = [granted.every((count) => count === meant.length), granted.every((count) => count === 0)];
      if (allowed !== (isAll && atOnce) || denied !== isNone) {
        wrong.push(`${JSON.stringify(fixture)} ${index}: allowed ${allowed}, denied ${denied}`);
      }
      counts[allowed ? "allowed" : denied ? "denied" : "neither"] += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
});

function passes(fixture: readonly Element[], index: string, expected: "allowed" | "denied", dialect: Dialect): boolean {
  const request = findRequestKind("search", dialect.release);
  if (!request) throw new Error("There is no request of that name.");
  const roles = fixture.map(({ pattern, action }, at): [string, Fields] => [
    `r${at}`,
    { index_permissions: [{ index_patterns: [pattern], allowed_actions: [action] }] },
  ]);
  const model = createAccessModel({
    semantics: getSemantics(dialect),
    roles: new Map(roles),
    mappings: new Map(roles.map(([name]) => [name, { users: ["u"] }])),
    groups: new Map(),
    tenants: new Map(),
    blocks: new Map(),
    settings: {},
  });
  const subject = { user: { name: "u" }, backendRoles: [] };
  const question = { of: "request", title: "", request, indices: [index] } as const;
  return findContradiction(model, { subject, title: "" }, question, { expect: expected }, nowhere) === undefined;
}

function grants({ pattern, action }: Element, name: string, product: string): boolean {
  const meant = pattern === "_all" ? (product === "opensearch" ? "" : "*") : pattern.replace("${user.name}", "u");
  return isMatched(meant, name) && action !== "indices:data/write/*";
}

function isMatched(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
}
