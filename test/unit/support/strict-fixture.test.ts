import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/json/value.ts";
import { changedFamilies, type Fixture, generateFixture } from "../../fixtures/index.ts";
import type { FamilyName } from "../../support/strict/forms.ts";
import { type StrictOptions, startStrictServer } from "../../support/strict-server.ts";

const collections: Readonly<Record<FamilyName, string>> = {
  action_groups: "actiongroups",
  tenants: "tenants",
  roles: "roles",
  role_mappings: "rolesmapping",
  blocks: "blocks",
};

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** One bulk PATCH as a client could write it that knew what to expect: fields added whole, nothing compared. */
function stepsOf(fixture: Fixture, family: FamilyName, arrays: boolean): Json[] {
  return [...(fixture.expected.get(family) ?? [])].flatMap(([name, changeOutcome]): Json[] => {
    const path = `/${escaped(name)}`;
    const value = fixture.desired.resources.get(family)?.get(name) ?? {};
    if (changeOutcome === "delete") return [{ op: "remove", path }];
    if (changeOutcome === "create" || (changeOutcome === "update" && arrays)) {
      return [{ op: "add", path, value: arrays ? (value.allowed_actions ?? []) : value }];
    }
    if (changeOutcome !== "update") return [];
    return Object.entries(value).map(([field, item]) => ({ op: "add", path: `${path}/${field}`, value: item }));
  });
}

const variants: readonly Partial<StrictOptions>[] = [
  {},
  { release: "6.x-25", slash: "required", patchAnswer: "empty" },
  { defaults: "filled", slash: "refused", patchAnswer: "text", unknownField: true },
  { defaults: "omitted", patchSees: "stored", notFoundBody: false },
];

test.each(variants)("a fixture with nasty names is brought about by one PATCH per family: %j", async (variant) => {
  const { release = "7.x-43.0.0" } = variant;
  const fixture = generateFixture({ seed: 11, size: 40, nastyNames: 0.5, release });
  const server = await startStrictServer({ state: fixture.live, ...variant });
  const slash = variant.slash === "required" ? "/" : "";
  for (const family of changedFamilies(fixture)) {
    const steps = stepsOf(fixture, family, family === "action_groups" && release === "6.x-25");
    const answer = await fetch(`${server.url}/_gate/api/${collections[family]}${slash}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(steps),
    });
    expect([answer.status, await answer.text()], family).toEqual([200, expect.any(String)]);
  }
  expect(server.violations).toEqual([]);
  expect(server.writes.map(({ family }) => family)).toEqual(changedFamilies(fixture));
  checkState(fixture, server.state().resources);
  await server.close();
});

function checkState(fixture: Fixture, state: ReadonlyMap<FamilyName, ReadonlyMap<string, Json>>): void {
  for (const [family, changeOutcomes] of fixture.expected) {
    for (const [name, changeOutcome] of changeOutcomes) {
      const now = state.get(family)?.get(name);
      if (changeOutcome === "delete") expect(now, name).toBeUndefined();
      else if (changeOutcome === "create" || changeOutcome === "update")
        checkFields(now, fixture.desired.resources.get(family)?.get(name));
      // Untouched to the byte, order of keys included; the vendor's field aside, which the server itself put there.
      else expect(textOf(now), name).toBe(textOf(fixture.live.resources.get(family)?.get(name)));
    }
  }
}

function checkFields(now: Json | undefined, wanted: JsonObject | undefined): void {
  if (Array.isArray(now)) expect(now).toEqual(wanted?.allowed_actions);
  else expect(now).toMatchObject(wanted ?? {});
}

function textOf(value: Json | undefined): string {
  return JSON.stringify(value, (key, item) => (key === "x_vendor" ? undefined : item));
}
