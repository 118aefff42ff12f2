// What a server fails over because of a query of DLS or a list of FLS: the access diff has to say what questions about
// either state say, of each request, on every release.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { evaluateQuestion, type RequestVerdict } from "../../src/access/evaluate/question.ts";
import { failsRestricted, getActionLevel } from "../../src/dialects/requests.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Element, Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture, subjectOfPerson } from "../support/modelled.ts";
import { holds } from "./access/holds.ts";
import { seed, seeds } from "./seed.ts";

const sample = seeds(16, 1);

const queries = [
  '{"term":{"k":1}}',
  '{"term":{"k":2}}',
  '{"match_all":{}}',
  "k:1",
  '{"query":{"term":{"k":1}}}',
  '{"term":{"k":1},"match_all":{}}',
  '{"bool":{"filter":[{"terms":{"k":{"index":"b","id":"1","path":"k"}}}]}}',
  '{"range":{"k":{"gte":"now-1d"}}}',
  '{"script":{"script":"true"}}',
  '{"trem":{"k":1}}',
  `{"term":{"k":"\${user.name}"}}`,
  `{"term":{"k":"\${attr.internal.dept}"}}`,
  `{"term":{"k":"\${attr.internal.none}"}}`,
  `{"terms":{"k":\${attr.internal.list}}}`,
];
const restrictions: readonly Element[] = [
  ...queries.map((dls) => ({ dls })),
  { fls: ["f"] },
  { fls: [""] },
  { fls: ["~_*"] },
  { masked_fields: ["f"] },
];
const actions = [
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/read/field_caps",
  "indices:data/write/index",
  "indices:data/write/update",
  "indices:admin/get",
  "cluster:monitor/health",
];
const indices = ["a", "ab", "b", "c"];

function elementFrom(random: Random): Element {
  return {
    index_patterns: random.some(["a*", "ab", "*b", "*", "/a.*/"], 1, 2),
    allowed_actions: random.some(["*", "indices:data/*", "indices:data/read/search", "indices:admin/get"], 1, 2),
    ...(random.chance(0.6) && random.pick(restrictions)),
  };
}

function fixtureFrom(random: Random, like: Pick<Fixture, "product" | "release" | "settings">): Fixture {
  const role = () => ({
    cluster_permissions: random.some(["cluster:*", "indices:data/write/bulk"], 0, 1),
    index_permissions: Array.from({ length: random.below(3) }, () => elementFrom(random)),
  });
  return {
    ...like,
    groups: {},
    roles: { r: role(), s: role() },
    mappings: { r: { users: ["u1"] }, s: { backend_roles: ["b1"] } },
  };
}

const person = { user: "u1", backendRoles: ["b1"], attributes: { "internal.dept": "x", "internal.list": "[1]" } };
const subject = subjectOfPerson(person);

function ask(fixture: Fixture, action: string, index: string | undefined): RequestVerdict {
  const names = index === undefined ? [] : [index];
  const request = { name: action, reads: false, failsWhereRestricted: failsRestricted(action, "2.19") };
  const isCluster = index === undefined;
  const permissions = { cluster: isCluster ? [action] : [], index: isCluster ? [] : [action] };
  return evaluateQuestion(modelOfFixture(fixture), subject, { ...request, ...permissions }, names).verdict;
}

/** What may be said where one verdict becomes another one. */
function isRight(was: RequestVerdict, is: RequestVerdict, kinds: readonly string[]): boolean {
  const [kind] = kinds;
  if (kinds.length > 1) return false;
  if (was === "yes" && is === "no") return kind === "lost";
  if (was === "no" && is === "yes") return kind === "gained";
  if (was === "no" && is === "no") return kind === undefined;
  if (was === is) return kind !== "gained" && kind !== "lost";
  return kind === "may-gain" || kind === "may-lose" || kind === "may-change";
}

const rows = [
  { product: "opensearch", release: "2.11" },
  { product: "opensearch", release: "2.19" },
  { product: "opensearch", release: "3.0" },
  { product: "opensearch", release: "3.4" },
  { product: "opensearch", release: "3.6" },
  { product: "opensearch", release: "3.8" },
  { product: "search-guard-7" },
  { product: "search-guard-6" },
] as const;

test.each(rows)(`the diff says what questions say of what a server fails over, seed ${seed}: %o`, (row) => {
  const [wrong, failed]: [string[], Set<string>] = [[], new Set()];
  for (const each of sample) {
    const random = randomFrom(`faults ${JSON.stringify(row)} ${each}`);
    for (let step = 0; step < countOf(20, 12); step++) {
      const like = { ...row, settings: random.chance(0.1) ? { dfm_empty_overrides_all: true } : {} };
      const before = fixtureFrom(random, like);
      const whole = fixtureFrom(random, like);
      const after = random.chance(0.5) ? { ...whole, roles: { ...before.roles, r: whole.roles.r ?? {} } } : whole;
      const { statements } = compareAccess(modelOfFixture(before), modelOfFixture(after), [{ name: "p", subject }]);
      const found = statements
        .filter(({ who }) => who.some(({ kind }) => kind === "persona"))
        .flatMap(({ differences }) => differences);
      for (const action of actions) {
        for (const index of getActionLevel(action) === "cluster" ? [undefined] : indices) {
          const [was, is] = [ask(before, action, index), ask(after, action, index)];
          const kinds = found.filter((one) => holds(one, action, index)).map(({ kind }) => kind);
          if (!isRight(was, is, kinds))
            wrong.push(`${action} ${index}: ${was} ${is}, reported ${kinds}: ${JSON.stringify([before, after])}`);
          if (kinds.includes("lost")) failed.add(action);
        }
      }
    }
  }
  expect([wrong.length, wrong.slice(0, 2)]).toEqual([0, []]);
  expect(failed.size).toBeGreaterThan(2);
});
