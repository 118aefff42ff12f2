// Each cell of an access map is what `can-i` says of one of the level's requests on all of the pattern: over random
// states, with blocks, exclusions, restrictions, expressions and variables.
import { expect, test } from "vitest";
import { clusterLevels, indexLevels } from "../../src/access/evaluate/access-levels.ts";
import { evaluateQuestion, type RequestVerdict } from "../../src/access/evaluate/question.ts";
import { nowhere } from "../../src/access/explain/grant-path.ts";
import { createAccessMap, type MapRow } from "../../src/access/questions/access-map.ts";
import { listAllPrincipals } from "../../src/access/questions/who.ts";
import { parseQuestion } from "../../src/questions/asked.ts";
import { type Random, randomFrom } from "../fixtures/random.ts";
import type { Block, Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { seed } from "./seed.ts";

const patterns = [
  "hr-*",
  "hr-2026",
  "*",
  "logs-*",
  "l*",
  "logs-a?",
  "/h.*/",
  "$" + "{user.name}-*",
  ".opendistro_security",
];
const askable = new Set(["hr-*", "hr-2026", "*", "logs-*", "l*", ".opendistro_security"]);
const actions = ["indices:data/read/*", "indices:data/write/*", "indices:admin/*", "*", "indices:data/read/search"];
const release = "2.19";
const count = countOf(600, 15);

function roleFrom(random: Random): Fixture["roles"][string] {
  return {
    cluster_permissions: random.some(["*", "cluster:monitor/*", "indices:data/write/bulk"], 0, 2),
    index_permissions: Array.from({ length: 1 + random.below(2) }, () => ({
      index_patterns: random.some(patterns, 1, 2),
      allowed_actions: random.some(actions, 1, 2),
      ...(random.chance(0.3) && { dls: '{"term":{"a":1}}' }),
    })),
  };
}

function fixtureFrom(random: Random): Fixture {
  const names = ["r", "s", "t"];
  const mapping = () => ({
    users: random.some(["ana", "b*", "*"], 0, 2),
    backend_roles: random.some(["hr", "ops", "/o.*/"], 0, 2),
    hosts: random.some(["10.0.0.1", "10.*"], 0, 1),
    and_backend_roles: random.chance(0.2) ? ["hr", "ops"] : [],
  });
  const block = (): Block => ({ type: "name", verdict: "disallow", value: random.some(["ana", "b*"], 1, 1) });
  return {
    product: random.pick(["opensearch", "search-guard-7"] as const),
    groups: {},
    roles: Object.fromEntries(names.map((name) => [name, roleFrom(random)])),
    mappings: Object.fromEntries(names.map((name) => [name, mapping()])),
    blocks: random.chance(0.3) ? [block()] : [],
  };
}

const order: readonly RequestVerdict[] = ["yes", "partly", "unknown", "no"];

function findProblems(fixture: Fixture): { readonly problems: readonly string[]; readonly seen: readonly string[] } {
  const model = modelOfFixture(fixture);
  const { rows, columns } = createAccessMap(model, listAllPrincipals(model), release, nowhere);
  const ask = ({ principal: { subject } }: MapRow, action: string, index?: string) => {
    const asked = parseQuestion({ action, ...(index !== undefined && { index }) }, release);
    return asked.of === "request" ? evaluateQuestion(model, subject, asked.request, asked.indices) : undefined;
  };
  const compared = rows.flatMap((row) =>
    columns.flatMap((column) => {
      if (column.kind === "tenant" || (column.kind === "index" && !askable.has(column.name))) return [];
      const cell = row.cells.find((one) => one.column === column);
      const index = column.kind === "index" ? column.name : undefined;
      return (index === undefined ? clusterLevels : indexLevels).map(([level, words]) => {
        const verdicts = words.map((word) => ask(row, word, index)?.verdict ?? "no");
        const wanted = order.find((verdict) => verdicts.includes(verdict)) ?? "no";
        const found = cell?.levels.find((one) => one.level === level);
        const own = found && ask(row, found.request, index);
        const limits = own?.shares.some(({ limits }) => limits !== undefined && limits.restricted !== "no");
        const isSame =
          (found?.verdict ?? "no") === wanted &&
          (!found || (own?.verdict === wanted && (found.restricted === "no" || limits === true)));
        const what = `${JSON.stringify(row.principal)}: ${level} on ${column.name}`;
        return { wanted, problem: isSame ? undefined : `${what}: ${found?.verdict}, not ${wanted}` };
      });
    }),
  );
  return {
    problems: compared.flatMap(({ problem }) => problem ?? []),
    seen: compared.map(({ wanted }) => wanted),
  };
}

test("every cell agrees with can-i", () => {
  const found = Array.from({ length: count }, (_, at) => findProblems(fixtureFrom(randomFrom(seed + at))));
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  // Not by asking what is always answered alike.
  expect(new Set(found.flatMap(({ seen }) => seen))).toEqual(new Set(order));
}, 600_000);

test("a pattern that no index matches is in no cell of those who hold nothing else", () => {
  const grants = { index_permissions: [{ index_patterns: ["LOGS*"], allowed_actions: ["*"] }] };
  const roles = { r: grants, s: { cluster_permissions: ["cluster:monitor/main"] } };
  const mappings = { r: { backend_roles: ["ops"] }, s: { backend_roles: ["hr"] } };
  const model = modelOfFixture({ product: "opensearch", groups: {}, roles, mappings });
  const { rows } = createAccessMap(model, listAllPrincipals(model), release, nowhere);
  const held = rows.map(({ cells }) => cells.flatMap(({ column }) => (column.kind === "index" ? column.name : [])));
  expect(held.map((names) => names.includes("LOGS*"))).toEqual([false, false]);
});

test("no cell is empty where something that the principal holds may cover the pattern", () => {
  const product = "opensearch" as const;
  const grants = { index_permissions: [{ index_patterns: ["$" + "{user.name}-*", "/h.*/"], allowed_actions: ["*"] }] };
  const fixture: Fixture = { product, groups: {}, roles: { r: grants }, mappings: { r: { backend_roles: ["hr"] } } };
  const model = modelOfFixture(fixture);
  const [row] = createAccessMap(model, listAllPrincipals(model), release, nowhere).rows;
  const verdicts = row?.cells
    .filter(({ column }) => column.kind === "index")
    .map(({ column, levels }) => [column.name, ...levels.map(({ verdict }) => verdict)]);
  expect(verdicts).toContainEqual(["$" + "{user.name}-*", "unknown", "unknown"]);
  expect(verdicts).toContainEqual(["/h.*/", "unknown", "unknown"]);
});
