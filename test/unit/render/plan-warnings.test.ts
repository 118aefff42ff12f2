// Which warnings of a plan are shown in full: those at entries that it changes, and what is not about an entry.
import { expect, test } from "vitest";
import type { Code } from "../../../src/diagnostics/catalogue.ts";
import { createDiagnostic, createFileDiagnostic, type Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Family } from "../../../src/model/names.ts";
import { renderDiagnosticsJson } from "../../../src/render/json/diagnostics.ts";
import { renderDiagnosticsText } from "../../../src/render/text/diagnostics.ts";
import { createPlanWarningsView } from "../../../src/render/views/plan-warnings.ts";
import { diagnosticsJson } from "../../support/rendered.ts";
import { create, fileOf, leave, plain, remove } from "./plans.ts";

const file = fileOf("roles.yml", "\n".repeat(100));

function line(number: number) {
  return { file, start: number - 1, end: number - 1 };
}

function warning(number: number, code: Code = "write-without-bulk", related?: Diagnostic["related"]): Diagnostic {
  return createDiagnostic(line(number), code, { what: `Line ${number}.`, ...(related && { related }) });
}

const grants = (group: string) => ({ index_permissions: [{ index_patterns: ["a"], allowed_actions: [group] }] });

function left(family: Family, name: string, after: Fields, at: number): Change {
  return { ...leave(family, name), after, origin: line(at) };
}

const changes: readonly Change[] = [
  left("roles", "kept", grants("READ"), 10),
  create("roles", "made", grants("READ"), line(20)),
  left("roles", "uses_group", grants("mine"), 30),
  create("action_groups", "mine", { allowed_actions: ["READ"] }, line(40)),
  left("role_mappings", "gone", { users: ["ana"] }, 50),
  remove("roles", "gone", grants("READ")),
  left("roles", "last", grants("READ"), 60),
];

test.for<[string, Diagnostic, "shown" | "counted"]>([
  ["at an entry that is created", warning(21), "shown"],
  ["at an entry that is left", warning(11), "counted"],
  ["at the name of an entry that is left", warning(60), "counted"],
  ["before every entry", warning(3), "shown"],
  ["at an entry that names one that is created", warning(31), "shown"],
  ["at a mapping whose role is deleted", warning(51, "unknown-role"), "shown"],
  [
    "at an entry that is left, about one that is created",
    warning(61, "restriction-stays", [{ range: line(22), what: "x" }]),
    "shown",
  ],
  ["of a waiver behind the last entry", warning(70, "unused-waiver"), "shown"],
  ["of an access test behind the last entry", warning(70, "doubtful-access-test"), "shown"],
  ["of a whole file", createFileDiagnostic("roles.yml", "unread-file", { what: "It is not read." }), "shown"],
  [
    "in a file without entries",
    createDiagnostic({ file: fileOf("x.yml", "a"), start: 0, end: 0 }, "two-masks", { what: "x" }),
    "shown",
  ],
  ["that is an error", createDiagnostic(line(61), "write-without-bulk", { what: "x" }, "error"), "shown"],
])("a warning %s is shown or counted", ([, found, outcome], { expect }) => {
  const { cut } = createPlanWarningsView([found], 1, changes);
  expect(cut === undefined ? "shown" : "counted").toBe(outcome);
});

const some = [warning(11), warning(12), warning(21), warning(61)];

test("what is left is counted in one line", () => {
  const text = renderDiagnosticsText(createPlanWarningsView(some, 1, changes), plain);
  expect(text.split("\n")).toEqual([
    "roles.yml:21:1  warning  write-without-bulk",
    "  Line 21.",
    "",
    "3 more warnings about entries that stay as they are: gate-sync plan --full",
    "4 warnings in 1 file.",
    "More: gate-sync explain write-without-bulk",
  ]);
});

test("where the plan changes nothing that is warned of, the line is all", () => {
  const view = createPlanWarningsView([warning(11)], 1, changes);
  expect(renderDiagnosticsText(view, plain)).toBe(
    "1 warning about entries that stay as they are: gate-sync plan --full",
  );
});

test.for(["full", "verbose"] as const)("--%s shows all", (flag, { expect }) => {
  const text = renderDiagnosticsText(createPlanWarningsView(some, 1, changes), { ...plain, [flag]: true });
  expect(text.match(/ warning {2}/g)).toHaveLength(4);
  expect(text).not.toContain("more warnings");
});

test("JSON has all", () => {
  expect(renderDiagnosticsJson(createPlanWarningsView(some, 1, changes))).toEqual(diagnosticsJson(some));
});
