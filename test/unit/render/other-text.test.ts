import { describe, expect, it } from "vitest";
import { decodeOrigin } from "../../../src/artifacts/desired.ts";
import { createDiagnostic, createFileDiagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import type { SourceFile, SourceRange } from "../../../src/diagnostics/source.ts";
import type { Report } from "../../../src/model/outcome.ts";
import { withoutPaint } from "../../../src/render/text/ansi.ts";
import { renderMessageText } from "../../../src/render/text/message.ts";
import { formatOutcomeLine } from "../../../src/render/text/outcome.ts";
import { diagnosticsText, reportText } from "../../support/rendered.ts";
import { applied, fileOf, hrScenario, inSync, plain, refused, reportOf, stopped } from "./plans.ts";

function check(text: string, lines: readonly string[]): void {
  expect(text.split("\n")).toEqual(lines);
}

function find(file: SourceFile, needle: string): SourceRange {
  const start = file.text.indexOf(needle);
  return { file, start, end: start + needle.length };
}

const summary = { files: 14, consequence: "Nothing was read from or sent to a server." };
const hr = fileOf(
  "roles/hr.yml",
  "hr_reader:\n  index_permissions:\n    - alowed_actions: [READ]\n\tdls: x\nwide: 人事 x\n",
);

describe("diagnostics", () => {
  it("show the line, the spot underlined, what, why and how many there are", () => {
    const unknown = createDiagnostic(find(hr, "alowed_actions"), "unknown-field", {
      what: 'An index permission has no field "alowed_actions". Did you mean "allowed_actions"?',
      why: "As it is, the role hr_reader would grant nothing on hr-*.",
    });
    const unread = createFileDiagnostic("state/x.yml", "unread-file", { what: "Nothing reads this file." });
    check(diagnosticsText([unread, unknown], summary, plain), [
      "roles/hr.yml:3:7  error  unknown-field",
      " |",
      "3|     - alowed_actions: [READ]",
      " |       ^^^^^^^^^^^^^^",
      '  An index permission has no field "alowed_actions". Did you mean',
      '  "allowed_actions"?',
      "  As it is, the role hr_reader would grant nothing on hr-*.",
      "",
      "state/x.yml  warning  unread-file",
      "  Nothing reads this file.",
      "",
      "1 error, 1 warning in 14 files. Nothing was read from or sent to a server.",
      "More: gate-sync explain unknown-field",
    ]);
  });
  it("show every place of a name that is declared twice", () => {
    const other = fileOf("a.yml", "hr_reader: {}\n");
    const related = [{ range: find(other, "hr_reader"), what: "first declared here" }];
    const twice = createDiagnostic(find(hr, "hr_reader"), "duplicate-name", { what: "Twice.", related });
    check(diagnosticsText([twice], { files: 1, consequence: "" }, plain), [
      "roles/hr.yml:1:1  error  duplicate-name",
      " |",
      "1| hr_reader:",
      " | ^^^^^^^^^",
      "  Twice.",
      "  a.yml:1:1: first declared here",
      " |",
      "1| hr_reader: {}",
      " | ^^^^^^^^^",
      "",
      "1 error in 1 file.",
      "More: gate-sync explain duplicate-name",
    ]);
  });

  const frame = (range: SourceRange) =>
    diagnosticsText([createDiagnostic(range, "syntax", { what: "x" })], summary, plain)
      .split("\n")
      .slice(2, 4);

  it("do not repeat a password that is on the line", () => {
    const file = { path: "c.yml", text: 'ldap: { bind_password: "hunter2", host: x, password: ${env:P} }' };
    expect(frame({ file, start: 34, end: 38 })[0]).toBe(
      "1| ldap: { bind_password: ********, host: x, password: ${env:P} }",
    );
  });
  it("do not repeat the login in a URL either", () => {
    const file = { path: "c.yml", text: "hosts: [ldap://cn=a:pw@ldap.example, b]" };
    expect(frame(find(file, "b]"))[0]).toBe("1| hosts: [ldap://********@ldap.example, b]");
  });
  it("do not repeat what is sent in headers", () => {
    const file = fileOf("c.yml", "targets:\n  a:\n    headers:\n\n      X-Team: hunter2\n    url: search\n");
    expect(frame(find(file, "X-Team"))[0]).toBe("5|       X-Team: ********");
    expect(frame(find(file, "url"))[0]).toBe("6|     url: search");
    const flow = fileOf("c.yml", "a: { headers: { X-Team: hunter2 } }");
    expect(frame(find(flow, "X-Team"))[0]).toBe("1| a: { headers: { X-Team: ******** } }");
  });
  it("do not repeat a line of a key", () => {
    const file = fileOf("c.yml", "jwt:\n  signing_key: |\n    hunter2 hunter3\n  order: 1\n");
    expect(frame(find(file, "hunter3"))[0]).toBe("3|     ******** ********");
    expect(frame(find(file, "order"))[0]).toBe("4|   order: 1");
  });
  it("show a tab that is meant", () => expect(frame(find(hr, "\t"))).toEqual(["4| \\tdls: x", " | ^^"]));
  it("indent by two for one that is not", () => expect(frame(find(hr, "dls"))).toEqual(["4|   dls: x", " |   ^^^"]));
  it("underline wide characters", () =>
    expect(frame(find(hr, "事 x"))).toEqual(["5| wide: 人事 x", " |         ^^^^"]));
  it("mark the end of a file", () => {
    expect(frame({ file: hr, start: hr.text.length, end: hr.text.length })).toEqual(["6|", " | ^"]);
  });
  it("show no line of a place on record, whose file is not at hand", () =>
    check(
      diagnosticsText(
        [createDiagnostic(decodeOrigin({ path: "a.yml", line: 3, column: 5 }), "syntax", { what: "x" })],
        summary,
        plain,
      ),
      [
        "a.yml:3:5  error  syntax",
        "  x",
        "",
        "1 error in 14 files. Nothing was read from or sent to a server.",
        "More: gate-sync explain syntax",
      ],
    ));
  it("keep the spot of a long line in sight", () => {
    const long = fileOf("x.json", `{${'"x",'.repeat(60)}"bad": ${'"y",'.repeat(60)}}`);
    const [line = "", marks = ""] = frame(find(long, '"bad"'));
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line.slice(marks.indexOf("^"), marks.length)).toBe('"bad"');
  });
  it("let no control character of a file through", () => {
    const file = fileOf("a\u001b[31m.yml", "x: \u001b[2J\u202e\r\n");
    const text = diagnosticsText(
      [createDiagnostic(find(file, "\u001b"), "syntax", { what: "odd \u0007" })],
      summary,
      plain,
    );
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  });
  it("say that there are none", () => {
    check(diagnosticsText([], summary, plain), ["No problems in 14 files. Nothing was read from or sent to a server."]);
  });
});

describe("a message", () => {
  it("says what, why and what to do; a command is not broken", () => {
    const command = `  gate-sync plan --allow ${"x".repeat(80)} --target staging`;
    const error = new RunError("failed", {
      what: `It failed ${"so ".repeat(30)}badly.`,
      why: "Why.",
      fix: `Do:\n${command}`,
    });
    check(renderMessageText(error, plain), [
      `! It failed ${"so ".repeat(22)}so`.trimEnd(),
      `${`  ${"so ".repeat(7)}badly.`.padEnd(74)}exit 1`,
      "  Why.",
      "  Do:",
      `  ${command}`,
    ]);
  });
  it("cannot be forged by a name in it", () => {
    const error = new RunError("failed", { what: "role a\n! all is well\u001b[0m" });
    check(renderMessageText(error, plain), [`${"! role a\\n! all is well\\u001b[0m".padEnd(74)}exit 1`]);
  });
});

describe("a report", () => {
  const linesOf = ({ outcomes }: Report) =>
    outcomes.map((outcome, index) => formatOutcomeLine(outcome, index, outcomes.length, plain));
  it("says what was done, line by line, and then what reading back found", () => {
    check(linesOf(applied).join("\n"), [
      "  1/2  PATCH   roles                         3 changes     done     0.4 s",
      "  2/2  PATCH   role mapping hr_reader                      done     0.4 s",
    ]);
    check(reportText(applied, plain), ["Read back: in sync.", "1 created, 2 changed, 1 deleted."]);
  });
  it("says what is unknown and how to go on", () => {
    const text = reportText(stopped, plain);
    expect(linesOf(stopped).join("\n")).toContain("role mapping hr_reader                      unknown  500  30.0 s\n");
    expect(text).toContain(
      "Stopped. Done: 3 of 4 changes. Unknown: 1.\nRun gate-sync apply again: it reads the server first",
    );
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  });
  it.each([
    ["apply of files", {}, "Run gate-sync apply again: it reads the server first"],
    ["rollback", { command: "gate-sync rollback X", reviewed: false }, "Run gate-sync rollback X again: it reads"],
    ["a plan file", { command: "gate-sync apply plan.json", reviewed: true }, "Plan again with gate-sync plan --out"],
  ])("says how to finish %s", (_what, again, advice) => {
    const report = { ...stopped, ...("command" in again && { again }) };
    expect(reportText(report, { ...plain, width: 200 })).toContain(advice);
  });
  it("counts many requests that were not attempted, and lists them where all is asked for", () => {
    const [operation] = hrScenario.operations;
    if (operation === undefined) throw new Error("the scenario has operations");
    const of = (count: number) =>
      reportOf(hrScenario, [
        { operation, kind: "failed" },
        ...Array.from({ length: count }, () => ({ operation, kind: "not-attempted" }) as const),
      ]);
    const listed = (text: string) => text.match(/^ +\d+\/\d+ .*not attempted$/gm)?.length ?? 0;
    expect(listed(reportText(of(12), plain))).toBe(12);
    const text = reportText(of(13), plain);
    expect(listed(text)).toBe(0);
    expect(text).toContain("  13 of 14 requests: not attempted (--full)\n");
    expect(listed(reportText(of(13), { ...plain, full: true }))).toBe(13);
    expect(listed(reportText(of(13), { ...plain, verbose: true }))).toBe(13);
  });
  it("of a plan file of which nothing was done says to apply it again", () => {
    const [operation] = hrScenario.operations;
    if (operation === undefined) throw new Error("the scenario has operations");
    const again = { command: "gate-sync apply plan.json", reviewed: true };
    const report = { ...reportOf(hrScenario, [{ operation, kind: "failed" }]), again };
    expect(reportText(report, { ...plain, width: 200 })).toContain(
      "run gate-sync apply plan.json again: it continues only if",
    );
  });
  it.each([
    ["has a part that is done, of a change that failed", ["done", "failed"], undefined, "a part of it is done"],
    ["has a part that may be done", ["unknown"], undefined, "a part of it may be done"],
    ["is stale", ["failed"], "stale", "the server has changed since"],
  ] as const)("of a plan file says to plan again where it %s", (_what, kinds, cause, why) => {
    const [operation] = hrScenario.operations;
    if (operation === undefined) throw new Error("the scenario has operations");
    const outcomes = kinds.map((kind) => ({ operation, kind, ...(cause && { cause }) }));
    const again = { command: "gate-sync apply plan.json", reviewed: true };
    const text = reportText({ ...reportOf(hrScenario, outcomes), again }, { ...plain, width: 300 });
    expect(text).toContain(
      `with gate-sync plan --out, and have the new plan reviewed: the old one no longer holds, as ${why}.`,
    );
    expect(text).not.toContain("plan.json again");
  });
  it("counts what was begun, and a change by the worst that became of it", () => {
    const [roles, mapping] = hrScenario.operations;
    if (roles === undefined || mapping === undefined) throw new Error("the scenario has two operations");
    const again = { ...mapping, reason: "a second write of the same mapping" };
    const text = reportText(
      reportOf(hrScenario, [
        { operation: mapping, kind: "done" },
        { operation: roles, kind: "failed", status: 400, detail: "Wrong datatype" },
        { operation: again, kind: "not-attempted" },
      ]),
      plain,
    );
    expect(text).toContain("Stopped. Done: 0 of 4 changes. Done in part: 1. Failed: 3.");
  });
  it("names what still differs", () => {
    const outcomes = refused.operations.map((operation) => ({ operation, kind: "done" as const, milliseconds: 12 }));
    const text = reportText(
      reportOf(refused, outcomes, { verified: false, differing: ["role_mappings/audit"] }),
      plain,
    );
    expect(text).toContain("Read back: 1 still differs: role_mappings/audit. Run gate-sync plan to see how.\n");
  });
  it("is a line when nothing was pending", () => {
    check(reportText(reportOf(inSync, []), plain), ["staging: nothing was pending, nothing was sent."]);
  });
  it("is coloured without saying more", () => {
    for (const report of [applied, stopped]) {
      expect(withoutPaint(reportText(report, { ...plain, color: true }))).toBe(reportText(report, plain));
    }
  });
  it("gives an outcome as it comes, counted from 0", () => {
    const [outcome] = applied.outcomes;
    if (outcome === undefined) throw new Error("the report has outcomes");
    expect(formatOutcomeLine(outcome, 8, 10, plain)).toBe(
      "   9/10  PATCH   roles                         3 changes     done     0.4 s",
    );
  });
});
