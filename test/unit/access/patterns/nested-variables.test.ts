import { expect, test } from "vitest";
import { replaceNestedVariables } from "../../../../src/access/patterns/nested-variables.ts";

const values: Readonly<Record<string, string | null>> = {
  "user.name": "ann",
  "attr.internal.which": "dept",
  "attr.internal.dept": "hr",
  "attr.internal.as": "${user.name}-x",
  "attr.internal.loop": "${attr.internal.loop}",
  "attr.internal.open": null,
};

/** As the string substitutor of Apache Commons, with substitution in names. */
test.each<[string, string | undefined]>([
  ["logs-${user.name}-*", "logs-ann-*"],
  ["logs-${attr.internal.nope}", "logs-${attr.internal.nope}"],
  ["logs-${attr.internal.nope:-none}", "logs-none"],
  ["logs-${attr.internal.dept:-none}", "logs-hr"],
  ["logs-${attr.internal.nope:-}", "logs-"],
  ["logs-${attr.internal.nope:-${user.name}}", "logs-ann"],
  ["logs-${attr.internal.${attr.internal.which}}", "logs-hr"],
  ["logs-${attr.internal.${attr.internal.nope:-dept}}", "logs-hr"],
  ["${attr.internal.as}", "ann-x"],
  ["$${user.name}-${user.name}", "${user.name}-ann"],
  ["logs-${user.name", "logs-${user.name"],
  ["${attr.internal.open:-x}", undefined],
  ["${attr.internal.loop}", undefined],
])("%s is %s", (text, replaced) => {
  expect(replaceNestedVariables(text, (name) => values[name])).toBe(replaced);
});
