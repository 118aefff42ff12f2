// Over every small world of two permissions: a test passes exactly where each name that its pattern means is granted, or none
// is. Judged name by name, with patterns as regular expressions and every name of up to three letters. Whether there is an
// index of a plain name is unknown: a test of it passes where it does in both cases. Real Search Guard servers refuse what
// `_all` alone grants where there is none.
import { expect, it } from "vitest";
import { modelOf } from "../../src/access/model.ts";
import { requestNamed } from "../../src/access/questions/request.ts";
import { nowhere } from "../../src/access/questions/steps.ts";
import { contradiction } from "../../src/access/questions/tested.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { dialectFor } from "../../src/dialects/index.ts";
import { judgingOf } from "../../src/dialects/judging.ts";
import type { Fields } from "../../src/json/value.ts";

const patterns = ["a", "a*", "*", "b?", "*b", "_all", "${user.name}*"];
const actions = ["indices:data/read/search", "*", "indices:data/write/*"];
const asked = ["a", "a*", "*", "b?", "u", "?b*"];

const letters = ["a", "b", "u", "c"];
const pairs = letters.flatMap((one) => letters.map((other) => one + other));
const names = [...letters, ...pairs, ...pairs.flatMap((pair) => letters.map((one) => pair + one))];

interface Element {
  readonly pattern: string;
  readonly action: string;
}

const elements: readonly Element[] = patterns.flatMap((pattern) => actions.map((action) => ({ pattern, action })));
const worlds = elements.flatMap((one, at) => elements.slice(at).map((other) => [one, other] as const));

it.each([
  ["search-guard", dialectFor("search-guard", "7")],
  ["opensearch", dialectFor("opensearch", "2")],
])("%s", (product, dialect) => {
  const wrong: string[] = [];
  const counts = { allowed: 0, denied: 0, neither: 0 };
  for (const world of worlds) {
    for (const index of asked) {
      const meant = names.filter((name) => isMet(index, name));
      const isPlain = letters.includes(index);
      const cases = isPlain ? [world, world.filter(({ pattern }) => pattern !== "_all")] : [world];
      const granted = cases.map(
        (some) => meant.filter((name) => some.some((one) => grants(one, name, product))).length,
      );
      const allowed = passes(world, index, "allowed", dialect);
      const denied = passes(world, index, "denied", dialect);
      // A request for all by that very name takes one pattern that is it.
      const atOnce =
        index !== "*" ||
        product === "opensearch" ||
        world.some((element) => element.pattern === "*" && grants(element, "a", product));
      const [isAll, isNone] = [granted.every((count) => count === meant.length), granted.every((count) => count === 0)];
      if (allowed !== (isAll && atOnce) || denied !== isNone) {
        wrong.push(`${JSON.stringify(world)} ${index}: allowed ${allowed}, denied ${denied}`);
      }
      counts[allowed ? "allowed" : denied ? "denied" : "neither"] += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
});

function passes(world: readonly Element[], index: string, expected: "allowed" | "denied", dialect: Dialect): boolean {
  const request = requestNamed("search", dialect.release);
  if (!request) throw new Error("There is no request of that name.");
  const roles = world.map(({ pattern, action }, at): [string, Fields] => [
    `r${at}`,
    { index_permissions: [{ index_patterns: [pattern], allowed_actions: [action] }] },
  ]);
  const model = modelOf({
    judging: judgingOf(dialect),
    roles: new Map(roles),
    mappings: new Map(roles.map(([name]) => [name, { users: ["u"] }])),
    groups: new Map(),
    tenants: new Map(),
    blocks: new Map(),
    settings: {},
  });
  const subject = { user: { name: "u" }, backendRoles: [] };
  const question = { of: "request", title: "", request, indices: [index] } as const;
  return contradiction(model, { subject, title: "" }, question, { expect: expected }, nowhere) === undefined;
}

function grants({ pattern, action }: Element, name: string, product: string): boolean {
  const meant = pattern === "_all" ? (product === "opensearch" ? "" : "*") : pattern.replace("${user.name}", "u");
  return isMet(meant, name) && action !== "indices:data/write/*";
}

function isMet(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
}
