// gate-sync against a server that knows nothing but api.md, in every way in which that document leaves a choice.
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/json/value.ts";
import { type FixtureOptions, generateFixture, type Random, randomFrom } from "../fixtures/index.ts";
import {
  countedBy,
  expectedChangeOutcomes,
  expectedWrites,
  plannedChangeOutcomes,
  wrongs,
} from "../properties/oracle.ts";
import { seeds } from "../properties/seed.ts";
import { withVendorFields } from "../properties/vendor.ts";
import { everyNth, isFull } from "../support/extent.ts";
import { license } from "../support/license.ts";
import type { More } from "../support/workspace.ts";
import { play, rawOf, taken, useWorkspace, type Variant } from "./play.ts";

const workspace = useWorkspace();

const recordIn = (text: string): Json => JSON.parse(Buffer.from(text, "base64").toString("utf8"));

/** What GET shows of an installed license, which api.md leaves open. */
const licenseShown = {
  "that there is one": () => ({ installed: true }),
  "its record": recordIn,
  "its record, under a key": (text: string): Json => ({ gate_license: recordIn(text) }),
} as const;

const axes = {
  release: ["7.x-43.0.0", "6.x-25"],
  putCreates: [200, 201],
  patchAnswer: ["json", "empty", "text"],
  notFoundBody: [true, false],
  slash: ["either", "required", "refused"],
  flags: ["present", "absent"],
  defaults: ["stored", "filled", "omitted"],
  patchSees: ["shown", "stored"],
  unknownField: [false, true],
  license: ["that there is one", "its record", "its record, under a key"],
} as const;

type Choice = { readonly [Axis in keyof typeof axes]?: (typeof axes)[Axis][number] };

/** Every choice alone, the others as they are by default. */
const alone = Object.entries(axes).flatMap(([axis, choices]) => choices.map((choice): Choice => ({ [axis]: choice })));

function combination(random: Random): Choice {
  return Object.fromEntries(Object.entries(axes).map(([axis, choices]) => [axis, random.pick<unknown>(choices)]));
}

/** A fixture of all seven, with names that break tools, against one variant. */
async function check(seed: number, { license: shown, ...choice }: Choice, explained: More = {}) {
  const variant: Variant = { ...choice, ...(shown && { showLicense: licenseShown[shown] }) };
  const { release = "7.x-43.0.0", flags } = variant;
  // Without flags, what is the server's own is unknown.
  const serverOwned = flags !== "absent";
  const options: FixtureOptions = { seed, size: 9, drift: 0.6, nastyNames: 0.2, config: "drift", release, serverOwned };
  const fixture = generateFixture(options);
  const text = license(`seed ${seed}`);
  const files = { "license.json": { license: { text } } };
  const { server, planned, report, before } = await play(workspace(), fixture, variant, { files, explained });
  const writes = countedBy(taken(server, variant).map(({ family }) => family));
  expect(plannedChangeOutcomes(planned.plan), fixture.seed).toEqual(expectedChangeOutcomes(fixture));
  expect(writes, fixture.seed).toEqual({ ...expectedWrites(fixture), license: 1 });
  expect(wrongs(fixture, before, rawOf(server)), fixture.seed).toEqual([]);
  expect(server.state().licenseText).toBe(text);
  expect(report.verified).toBe(true);
}

describe("one choice alone", () => {
  test.each(alone)("%j", async (choice) => {
    for (const seed of seeds(isFull ? 3 : 1)) await check(seed, choice);
  });
  test.each(alone)("%j, the release stated", async (choice) => {
    const [seed = 1] = seeds(1);
    await check(seed, choice, { product: "gate", release: choice.release ?? "7.x-43.0.0" });
  });
});

describe("choices together", () => {
  const combinations = everyNth(2, seeds(60)).map(
    (seed) => [seed, combination(randomFrom(`variant ${seed}`))] as const,
  );
  test.each(combinations)("seed %i: %j", check);
});

describe("fields that api.md does not have, in every resource, outlive their update", () => {
  const variants = axes.defaults.flatMap((defaults) => axes.patchSees.map((patchSees) => ({ defaults, patchSees })));
  test.each(variants)("%j", async (variant) => {
    for (const seed of seeds(2)) {
      const made = generateFixture({ seed, size: 6, drift: 0.8, nastyNames: 0.2 });
      const fixture = withVendorFields(made, { a: 1, b: [2, 1] });
      const { server, before } = await play(workspace(), fixture, variant);
      expect(wrongs(fixture, before, rawOf(server)), fixture.seed).toEqual([]);
    }
  });
});
