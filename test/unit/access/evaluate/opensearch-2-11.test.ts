// How OpenSearch evaluated requests before 2.19: tried on 2.11.1.
import { expect, it } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateRequest } from "../../../../src/access/evaluate/request.ts";
import { parseQuestion } from "../../../../src/questions/asked.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

type Config =
  | ""
  | "do_not_fail_on_forbidden: true"
  | "do_not_fail_on_forbidden: true, do_not_fail_on_forbidden_empty: true";
type Role = readonly [pattern: string, allowed: string];

function asked(release: string, config: Config, [pattern, allowed]: Role, action: string, index: string) {
  const text = `
roles:
  reader:
    cluster_permissions: [cluster_composite_ops]
    index_permissions: [{ index_patterns: ['${pattern}'], allowed_actions: ['${allowed}'] }]
role_mappings: { reader: { users: [ana] } }
config: { dynamic: { ${config} } }
`;
  const question = parseQuestion({ action, index }, release);
  if (question.of !== "request") throw new Error("no request");
  const model = modelFrom(text, "opensearch", release);
  return evaluateQuestion(model, subjectFrom("ana @1.1.1.1", {}), question.request, question.indices).verdict;
}

const search = "indices:data/read/search*";
const reduced = "do_not_fail_on_forbidden: true";
const emptied = "do_not_fail_on_forbidden: true, do_not_fail_on_forbidden_empty: true";

it.each<[string, Config, Role, action: string, index: string, before: string, since: string]>([
  // Whether there is such an index is unknown here.
  ["_all names every index that there is", "", ["_all", "*"], "search", "hr-1", "unknown", "no"],
  ["and none for a request over all of them", "", ["_all", "*"], "search", "*", "no", "no"],
  ["dates are resolved to indices", "", ["<hr-?>", "*"], "search", "hr-1", "no", "unknown"],
  ["aliases are not reduced", emptied, ["hr-1", "indices:admin/aliases/get"], "get-aliases", "hr-2", "no", "yes"],
  ["msearch itself is asked for on the index", reduced, ["hr-1", search], "msearch", "hr-1", "no", "yes"],
  ["and found there", reduced, ["hr-1", "indices:data/read/*"], "msearch", "hr-1", "yes", "yes"],
])("%s", (_, config, role, action, index, before, since) => {
  expect([asked("2.11", config, role, action, index), asked("2.19", config, role, action, index)]).toEqual([
    before,
    since,
  ]);
});

it("one role holds all that a request takes, where multi_rolespan_enabled is off", () => {
  const text = `
roles:
  one: { index_permissions: [{ index_patterns: [hr-1], allowed_actions: ['*'] }] }
  two: { index_permissions: [{ index_patterns: [hr-2], allowed_actions: ['*'] }] }
role_mappings: { one: { users: [ana] }, two: { users: [ana] } }
config: { dynamic: { multi_rolespan_enabled: false } }
`;
  const verdict = (release: string) => {
    const request = findRequestKind("search", release);
    if (!request) throw new Error("no search");
    const on = ["hr-1", "hr-2"].map((name) => ({ name }));
    return evaluateRequest(modelFrom(text, "opensearch", release), subjectFrom("ana @1.1.1.1", {}), { ...request, on })
      .verdict;
  };
  expect([verdict("2.11"), verdict("2.19")]).toEqual(["no", "yes"]);
});
