import { describe, expect, it } from "vitest";
import type { Fields } from "../../../src/json/value.ts";
import { planText } from "../../support/rendered.ts";
import { plain, planOf, update } from "./plans.ts";

/** The lines below the name of a role whose index permissions change. */
function check(before: readonly Fields[], after: readonly Fields[], lines: readonly string[], full = false): void {
  const change = update("roles", "r", { index_permissions: before }, { index_permissions: after });
  const text = planText(planOf({ changes: [change] }), { ...plain, full }).split("\n");
  const start = text.indexOf("  ~ r") + 1;
  expect(text.slice(start, text.indexOf("", start))).toEqual(lines);
}

const on = (patterns: readonly string[], rest: Fields): Fields => ({ index_patterns: patterns, ...rest });

const query = (dept: string) =>
  `{"bool":{"must":[{"term":{"dept":"${dept}"}},{"range":{"date":{"gte":"now-7d"}}}],"filter":{"term":{"public":true}}}}`;

describe("index permissions in a plan", () => {
  it("one changed word is one changed line", () => {
    const others = Array.from({ length: 30 }, (_, index) => on([`i${index}-*`], { allowed_actions: ["READ"] }));
    check(
      [...others, on(["hr-*"], { allowed_actions: ["READ"] })],
      [on(["hr-*"], { allowed_actions: ["READ", "WRITE"] }), ...others],
      ["      index_permissions  hr-*", "        allowed_actions  + WRITE"],
    );
  });
  it("an added and a removed element are shown whole", () => {
    check(
      [on(["a-*", "b-*"], { fls: ["~x"], allowed_actions: ["READ"] })],
      [on(["c-*"], { allowed_actions: ["WRITE"] })],
      [
        "      index_permissions  - a-*, b-*",
        "        fls              - ~x",
        "        allowed_actions  - READ",
        "      index_permissions  + c-*",
        "        allowed_actions  + WRITE",
      ],
    );
  });
  it("a renamed pattern is a changed pattern", () => {
    check(
      [on(["a-*"], { allowed_actions: ["READ"] })],
      [on(["b-*"], { allowed_actions: ["READ"] })],
      ["      index_permissions  a-*", "        index_patterns  - a-*", "                        + b-*"],
    );
  });
  it("of several with the same patterns, the query shows which one changed", () => {
    const one = (dls: string, actions: readonly string[]) => on(["a-*"], { dls, allowed_actions: actions });
    check(
      [one('{"a":1}', ["READ"]), one('{"a":2}', ["READ"])],
      [one('{"a":1}', ["READ"]), one('{"a":2}', ["READ", "WRITE"])],
      ["      index_permissions  a-*", '        dls              = {"a":2}', "        allowed_actions  + WRITE"],
    );
  });
  it("shows a short query as it is stored", () => {
    check(
      [on(["a"], { dls: '{"term": {"dept": "hr"}}' })],
      [on(["a"], { dls: '{"term": {"dept": "it"}}' })],
      [
        "      index_permissions  a",
        '        dls  - {"term": {"dept": "hr"}}',
        '             + {"term": {"dept": "it"}}',
      ],
    );
  });
  it("lays out a long query and marks what differs; all of it when asked", () => {
    const start = [
      "      index_permissions  a",
      "        dls",
      "            {",
      '              "bool": {',
      '                "must": [',
      '          -       {"term": {"dept": "hr"}},',
      '          +       {"term": {"dept": "people"}},',
      '                  {"range": {"date": {"gte": "now-7d"}}}',
      "                ],",
    ];
    const rest = ['                "filter": {"term": {"public": true}}', "              }", "            }"];
    const [before, after] = [on(["a"], { dls: query("hr") }), on(["a"], { dls: query("people") })];
    check([before], [after], [...start, "                ..."]);
    check([before], [after], [...start, ...rest], true);
  });
  it("says when only the bytes of a query differ", () => {
    check(
      [on(["a"], { dls: '{"a":1,"b":2}' })],
      [on(["a"], { dls: '{"b": 2,\n"a": 1}' })],
      [
        "      index_permissions  a",
        '        dls  - {"a":1,"b":2}',
        '             + "{\\"b\\": 2,\\n\\"a\\": 1}"',
        "             = (same query, other bytes)",
      ],
    );
  });
  it("shows a query that is no JSON from where it differs", () => {
    const long = (end: string) => `{"terms":{"role":[\${user.roles}],"x":"${"y".repeat(100)}${end}"}}`;
    check(
      [on(["a"], { dls: long("1") })],
      [on(["a"], { dls: long("2") })],
      [
        "      index_permissions  a",
        '        dls  - ...yyyyyyyyyyyyyyyy1"}}',
        '             + ...yyyyyyyyyyyyyyyy2"}}',
      ],
    );
  });
  it("leaves a query as it is that is nested deeper than any stack", () => {
    const deep = (inner: string) => `${"[".repeat(20_000)}${inner}${"]".repeat(20_000)}`;
    const [before, after] = [on(["a"], { dls: deep("1") }), on(["a"], { dls: deep("1 ") })];
    const cut = (count: number) => `...${"[".repeat(16)}1`.slice(0, count);
    const text = planText(
      planOf({ changes: [update("roles", "r", { index_permissions: [before] }, { index_permissions: [after] })] }),
      plain,
    );
    expect(text).toContain(`dls  - ${cut(5)}`);
    expect(text).toContain("same query");
  });
  it("keeps numbers of a query as they are stored", () => {
    const stored = `{"term":{"id":12345678901234567890},"list":[1.0,1e400,"${"z".repeat(50)}"]}`;
    check(
      [],
      [on(["a"], { dls: stored })],
      [
        "      index_permissions  + a",
        "        dls",
        "          + {",
        '          +   "term": {"id": 12345678901234567890},',
        '          +   "list": [',
        "          +     1.0,",
        "          +     1e400,",
        `          +     "${"z".repeat(50)}"`,
        "          +   ]",
        "          + }",
      ],
    );
  });
});
