import { expect, test } from "vitest";
import { dialectFor } from "../../../src/dialects/index.ts";
import { validateValues } from "../../../src/validate/values.ts";
import { repositoryOf } from "../../support/nodes.ts";

function check(text: string, ...expected: readonly string[]): void {
  const found = validateValues(repositoryOf({ "state.yml": text }), dialectFor("gate", "7.x-43.0.0"));
  expect(
    found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`),
  ).toEqual(expected);
}

test("two words for one thing cannot both count", () =>
  check("config: {dynamic: {kibana: {index: a}, dashboard: {index: b}}}", "error exclusive-fields dashboard"));

test("a license inside the config is not managed", () => {
  check("config: {dynamic: {license: abc}}", "warning unsupported-here license");
  check("config: {dynamic: {license: null}}");
});
