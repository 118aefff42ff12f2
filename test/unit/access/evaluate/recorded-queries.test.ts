// What can-i says of a search by a role with each query that was tried on real servers: never yes where it failed, and
// never no where documents were found.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { subjectFrom } from "../questions/state.ts";

type Row = Readonly<Record<string, string | number | readonly number[]>>;

const rows = readFileSync(new URL("../../dialects/dls-queries.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row & { readonly query: string })
  // Whose attributes these were is not recorded; a lookup of terms has to name a type for Search Guard 6.
  .filter(({ query }) => !query.includes("${") && !query.includes('"index":"q"'));

test.each([
  ["opensearch", "2.19", "2.19.4"],
  ["search-guard", "7.5.1-38.0.0", "7.5.1-38"],
  ["search-guard", "6.5.4-24", "6.5.4-24"],
] as const)("%s %s", (product, release, recorded) => {
  const wrong = rows.flatMap((row) => {
    const answered = row[recorded];
    const verdict = askSearch(row.query, product, release);
    const isWrong = Array.isArray(answered) ? verdict === "no" : answered === 500 && verdict === "yes";
    return isWrong ? [`${row.query} ${verdict}: ${answered}`] : [];
  });
  expect(wrong).toEqual([]);
  const unsure = rows.filter(
    (row) => Array.isArray(row[recorded]) && askSearch(row.query, product, release) === "unknown",
  );
  // Comments, and queries by spans, scripts and likeness.
  expect(unsure.length).toBeLessThan(33);
});

function askSearch(dls: string, product: "opensearch" | "search-guard", release: string) {
  const dialect = createDialect(product, release);
  const model = createAccessModel({
    semantics: getSemantics(dialect),
    roles: new Map([
      [
        "r",
        {
          cluster_permissions: ["*"],
          index_permissions: [{ index_patterns: ["logs"], allowed_actions: ["*"], dls }],
        },
      ],
    ]),
    mappings: new Map([["r", { users: ["ana"] }]]),
    groups: new Map(),
    tenants: new Map(),
    blocks: new Map(),
    settings: {},
  });
  const search = findRequestKind("search", "2.19");
  if (!search) throw new Error("bug: no search");
  return evaluateQuestion(model, subjectFrom("ana @1.1.1.1", {}), search, ["logs"]).verdict;
}
