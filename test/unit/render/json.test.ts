import { describe, expect, it } from "vitest";
import { createDiagnostic, createFileDiagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import type { Json, JsonObject } from "../../../src/json/value.ts";
import { renderErrorJson } from "../../../src/render/json/diagnostics.ts";
import { encodeJson } from "../../../src/render/json/encode.ts";
import { diagnosticsJson, planJson, reportJson } from "../../support/rendered.ts";
import { createAjv, readSchema } from "../../support/schemas.ts";
import { applied, at, documents, hrScenario, inSync, nasty, planOf, refused, secretText, stopped } from "./plans.ts";

type Schema = "plan" | "report" | "diagnostics";

/** Readers must ignore fields they do not know; we must not write any that the schema does not describe. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner && inner.type === "object" ? { ...inner, additionalProperties: false } : inner;
}

function check(name: Schema, output: Json): void {
  const ajv = createAjv({ isStrict: true });
  const validate = ajv.compile(closed(readSchema(name)) as object);
  validate(JSON.parse(JSON.stringify(output)));
  expect(validate.errors).toBeNull();
}

const diagnostics = [
  createDiagnostic(at("b.yml", 3), "unknown-field", {
    what: "b",
    why: "w",
    fix: "f",
    related: [{ range: at("a.yml", 1), what: "there" }],
  }),
  createFileDiagnostic("a/", "unread-file", { what: "a" }),
];

describe("JSON output is what its schema says", () => {
  const turned = [{ family: "roles", was: "undeclared" }] as const;
  const based = planOf({ since: { ref: "main", commit: "f".repeat(40), turned, ceased: ["role_mappings"] } });
  it.each(Object.entries({ hrScenario, inSync, refused, documents, nasty, based, empty: planOf({}) }))(
    "plan %s",
    (_name, plan) => {
      check("plan", planJson(plan));
    },
  );
  it.each(Object.entries({ applied, stopped }))("report %s", (_name, report) => check("report", reportJson(report)));
  it("diagnostics and errors", () => {
    check("diagnostics", diagnosticsJson(diagnostics));
    check("diagnostics", renderErrorJson(new RunError("stale", { what: "It moved." })));
    check("diagnostics", renderErrorJson(new RunError("invalid", { what: "x", why: "y", fix: "z" }, diagnostics)));
  });
  it.each(["plan", "report", "diagnostics"] as const)("the examples of %s too", (name) => {
    for (const example of readSchema(name).examples as readonly Json[]) check(name, example);
  });
  it("the check sees a field that is not described", () => {
    expect(() => check("plan", { ...planJson(hrScenario), extra: 1 })).toThrow();
  });
});

describe("JSON output", () => {
  it("gives edits, both values and the place of a change", () => {
    const changes = planJson(hrScenario).changes as readonly JsonObject[];
    expect(changes.find(({ address }) => address === "role_mappings/hr_reader")).toEqual({
      address: "role_mappings/hr_reader",
      family: "role_mappings",
      name: "hr_reader",
      action: "update",
      reason: "declared",
      origin: { path: "mappings.yml", line: 8, column: 1, end_line: 8, end_column: 1 },
      edits: [{ path: ["backend_roles"], before: ["hr"], after: ["analysts", "hr"] }],
      before: { backend_roles: ["hr"] },
      after: { backend_roles: ["analysts", "hr"] },
    });
  });
  it("begins with the counts, and names what is left as it is only where that is asked for", () => {
    expect(Object.keys(planJson(hrScenario)).slice(0, 3)).toEqual(["format_version", "kind", "summary"]);
    const listed = (unchanged: boolean) => planJson(hrScenario, { unchanged }).changes as readonly JsonObject[];
    expect(listed(false)).toHaveLength(4);
    expect(listed(false).map(({ action }) => action)).not.toContain("leave");
    expect(listed(true)).toHaveLength(107);
    expect(listed(true)).toEqual(expect.arrayContaining([...listed(false)]));
  });
  it("counts and says whether the plan can be applied", () => {
    expect(planJson(hrScenario)).toMatchObject({ format_version: 1, refused: false, applicable: true });
    expect(planJson(hrScenario).summary).toEqual({ create: 1, update: 2, delete: 1, leave: 103, requests: 2 });
    expect(planJson(refused)).toMatchObject({ refused: true, applicable: false });
    expect(planJson(documents)).toMatchObject({ refused: false, applicable: false });
  });
  it("shows a secret by its reference, also where the server holds the same text or one that it replaces", () => {
    const text = JSON.stringify([planJson(documents), planJson(nasty)]);
    expect(text).not.toMatch(new RegExp(`${secretText}|hunter1`));
    const config = (planJson(documents).changes as readonly JsonObject[]).find(({ name }) => name === "config");
    expect(config?.edits).toContainEqual({
      path: ["dynamic", "authc", "ldap.domain", "bind", "note"],
      before: "(secret live)",
      after: "(secret $" + "{env:LDAP_PASSWORD})",
    });
  });
  it("sums up what was done, by change", () => {
    expect(reportJson(stopped).summary).toEqual({
      created: 1,
      changed: 1,
      deleted: 1,
      in_part: 0,
      failed: 0,
      unknown: 1,
      not_attempted: 0,
    });
  });
  it("sorts diagnostics and counts them", () => {
    expect(diagnosticsJson(diagnostics)).toMatchObject({
      errors: 1,
      warnings: 1,
      diagnostics: [{ path: "a/" }, { path: "b.yml", line: 3, column: 1 }],
    });
  });
  it("is printed with everything escaped that would not be seen, and is the same JSON", () => {
    const value = { "a\u202eb": "\u009b31m\u007f\u001b \u2028 \u200b \u{e0001} é 😀", list: ["\n"] };
    const text = encodeJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('"a\\u202eb": "\\u009b31m\\u007f\\u001b \\u2028 \\u200b \\udb40\\udc01 é 😀"');
  });
  it.each<object>([
    {},
    { empty: [], none: {}, left: undefined, "a b": null },
    { list: [1, "a\nb", [], {}, [[{ deep: [true] }]], { text: "\n  " }], last: { list: [[1], 2] } },
    planJson(hrScenario),
    planJson(documents),
  ])("is printed entry by entry as JSON is in one go: %#", (value) => {
    expect(encodeJson(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });
  it("gives the exit code of an error", () => {
    expect(renderErrorJson(new RunError("stale", { what: "It moved." })).error).toEqual({
      kind: "stale",
      exit_code: 5,
      what: "It moved.",
    });
  });
});
