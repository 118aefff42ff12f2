import { expect, test } from "vitest";
import type { NewlyManaged } from "../../../src/model/since.ts";
import { listBecameManaged } from "../../../src/render/views/became-managed.ts";
import { planJson, planMarkdown, planText } from "../../support/rendered.ts";
import { hrScenario, plain, planOf, refused } from "./plans.ts";

const since = (...turned: readonly NewlyManaged[]) => ({
  ref: "origin/main",
  commit: "f".repeat(40),
  turned,
  ceased: [],
});

test.each<[NewlyManaged["family"], NewlyManaged["was"], string]>([
  ["roles", "observe", "roles turned from observe to manage: 1 that only the server has will be deleted."],
  [
    "tenants",
    "adopt",
    "tenants turned from adopt to manage: nothing is deleted by that now. From now on, entries that only the server has are deleted.",
  ],
  [
    "blocks",
    "undeclared",
    "blocks are managed for the first time: nothing is deleted by that now. From now on, entries that only the server has are deleted.",
  ],
  [
    "config",
    "observe",
    "the config turned from observe to manage: what the server holds will be made what is declared.",
  ],
  [
    "license",
    "undeclared",
    "the license is managed for the first time: what the server holds will be made what is declared.",
  ],
])("of %s that was %s", (family, was, text) => {
  const plan = { ...hrScenario, since: since({ family, was }) };
  expect(listBecameManaged(plan)).toEqual([{ text: `Since origin/main, ${text}`, deletes: family === "roles" }]);
});

test("of a refused plan it says what would be", () => {
  const plan = { ...refused, since: since({ family: "config", was: "observe" }) };
  expect(listBecameManaged(plan)[0]?.text).toContain("would be made");
});

test("nothing is said where nothing turned, nor where no commit was named", () => {
  const named = { ...hrScenario, since: since() };
  expect(planText(named, plain)).toBe(planText(hrScenario, plain));
  expect(planMarkdown(named)).toBe(planMarkdown(hrScenario));
  expect(planJson(named).since).toEqual({
    ref: "origin/main",
    commit: "f".repeat(40),
    turned_to_manage: [],
    no_longer_managed: [],
  });
  expect(planJson(hrScenario)).not.toHaveProperty("since");
});

test("a name of a commit that means harm becomes neither markup nor a control character", () => {
  const evil = planOf({ since: { ...since({ family: "roles", was: "adopt" }), ref: "\u001b[31m```@all" } });
  expect(planMarkdown(evil)).toMatch(/````diff\n {2}Since .*```@all, roles/);
  expect(planMarkdown(evil)).not.toContain("\u001b");
  expect(planText(evil, plain)).not.toContain("\u001b");
});
