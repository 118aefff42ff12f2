// Files, families, names, keys, sets and listings in another order, on both sides: not one byte of the plan changes.

import { expect, test } from "vitest";
import type { Plan } from "../../src/index.ts";
import { withSortedKeys } from "../../src/json/canonical.ts";
import { isList, type Json, type JsonObject, reveal, type Value } from "../../src/json/value.ts";
import { type Fixture, generateFixture, shuffleFixture, smallFixtures } from "../fixtures/index.ts";
import { planJson, planMarkdown, planText } from "../support/rendered.ts";
import { isMap } from "../support/strict/json.ts";
import { filesOf } from "../support/workspace.ts";
import { useHarness } from "./harness.ts";
import { meaning, stage } from "./oracle.ts";
import { seed, seeds } from "./seed.ts";
import { withVendorFields } from "./vendor.ts";

const harness = useHarness();

/** All that a plan says and would send, but for where things are declared: that has to move when the files do. */
async function reportedOf(fixture: Fixture): Promise<Record<string, string>> {
  const { emulator, workspace } = harness();
  stage(fixture, emulator);
  workspace.write(filesOf(fixture));
  const planned = await workspace.plan(emulator.url);
  const plan = { ...planned.plan, changes: planned.plan.changes.map(({ origin: _, ...change }) => change) };
  const style = { color: false, width: 100, full: true, verbose: true };
  return {
    json: JSON.stringify(planJson(plan), null, 1),
    text: planText(plan, style),
    markdown: planMarkdown(plan),
    requests: JSON.stringify(requestsOf(plan), null, 1),
  };
}

function requestsOf({ operations }: Plan): JsonObject[] {
  return operations.map(({ family, method, path, body = null, names, reason = "" }) => {
    // A config goes back in the order in which its server lists things: that order may mean something to the server.
    const sent = family === "config" ? withSortedKeys(body) : body;
    return { method, path, body: isList(sent) ? sent.map(stepMeant) : reveal(sent), names, reason };
  });
}

/** A test repeats the lists of the server in the order in which it holds them: with another order it would fail. */
function stepMeant(step: Value): Json {
  const sent = reveal(step);
  return isMap(sent) && sent.op === "test" ? { ...sent, value: meaning(sent.value ?? null) } : sent;
}

async function check(fixture: Fixture, times: number) {
  const reported = await reportedOf(fixture);
  for (let each = 1; each <= times; each++) {
    const other = shuffleFixture(fixture, each);
    expect(await reportedOf(other), other.seed).toEqual(reported);
  }
}

test.each(seeds(5))("a dozen in each family and the config, seed %i", (each) =>
  check(generateFixture({ seed: each, size: 12, nastyNames: 0.3, config: "drift" }), 3),
);

test.each(seeds(4))("unknown fields, seed %i", (each) => {
  const fixture = generateFixture({ seed: each, size: 8, drift: 0.7 });
  // Only keys can move in it: in an unknown list the order may mean something.
  return check(withVendorFields(fixture, { b: 1, a: { d: "x", c: "y" } }), 2);
});

test.each(seeds(2))("a hundred in each family, seed %i", (each) =>
  check(generateFixture({ seed: each, size: 100 }), 2),
);

test(`a sample of the small fixtures, seed ${seed}`, async () => {
  const fixtures = [...smallFixtures({ conflicts: false, seed })];
  for (let index = seed % 19; index < fixtures.length; index += 19) await check(fixtures[index] as Fixture, 1);
});
