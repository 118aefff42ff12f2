// Whom blocks come to keep out, or no longer do: for every user at every address of a small world, what changes is reported by a
// line that is about it, and each line is true of one of them at least.
import { expect, test } from "vitest";
import { findBlockedDiff } from "../../src/access/compare/blocked-diff.ts";
import type { BlockedDiff } from "../../src/model/access.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Block, Fixture, Person } from "../support/evaluated.ts";
import { isBlocked } from "../support/evaluator.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { seed } from "./seed.ts";

const count = countOf(20_000, 1_500);

const users = ["u1", "u2", "u3", "corp/u1", "corp/ana", "zoe"];
const addresses = [...Array.from({ length: 16 }, (_, at) => `10.0.0.${at}`), "10.0.1.1", "203.0.113.9"];
const everybodyThere = users.flatMap((user) => addresses.map((host): Person => ({ user, host, backendRoles: [] })));

const values = {
  name: ["u1", "u2", "u*", "corp/u1", "corp/*"],
  ip: ["10.0.0.0", "10.0.0.5", "10.0.0.12"],
  net_mask: ["10.0.0.0/8", "10.0.0.0/28", "10.0.0.0/29", "10.0.0.8/29", "10.0.0.3/29", "10.0.0.12/30", "10.0.0.5/32"],
} as const;

function blocksFrom(random: Random): readonly Block[] {
  return Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => {
    const type = random.pick(["name", "ip", "net_mask", "net_mask"] as const);
    const value = random.some([...values[type]], 1, 3);
    return { type, value, verdict: random.chance(0.75) ? "disallow" : "allow" };
  });
}

test(`random blocks, seed ${seed}`, () => {
  const random = randomFrom(`blocked ${seed}`);
  const seen = { changed: 0, lines: 0, parts: 0 };
  for (let at = 0; at < count; at++) {
    const before = blocksFrom(random);
    const after = random.chance(0.3) ? [...before, ...blocksFrom(random)] : blocksFrom(random);
    const diff = findBlockedDiff(modelOfFixture(fixtureOf(before)), modelOfFixture(fixtureOf(after)));
    const changed = everybodyThere.filter(
      (one) => isBlocked({ blocks: before }, one) !== isBlocked({ blocks: after }, one),
    );
    const shown = JSON.stringify({ before, after, diff });
    const unreported = changed.filter((one) => !diff.some((line) => isAbout(line, one, [...before, ...after])));
    expect(unreported, shown).toEqual([]);
    for (const line of diff) {
      const meant = everybodyThere.filter((one) => isAbout(line, one, [...before, ...after]));
      const isTrue =
        line.before === "unknown" || line.after === "unknown" || meant.some((one) => changed.includes(one));
      expect(isTrue, `${JSON.stringify(line)} in ${shown}`).toBe(true);
      if (line.except) seen.parts++;
    }
    seen.changed += changed.length;
    seen.lines += diff.length;
  }
  console.info(`Blocked: ${JSON.stringify(seen)}`);
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(0);
});

function isAbout({ who, except = [] }: BlockedDiff, { user, host = "" }: Person, blocks: readonly Block[]): boolean {
  const hits = (type: Block["type"], value: string) =>
    isBlocked({ blocks: [{ type, value: [value], verdict: "disallow" }] }, { user, host, backendRoles: [] });
  if (who === "everybody") return !blocks.some(({ type, value }) => value.some((one) => hits(type, one)));
  const isExcepted = except.some((one) => hits(one.includes("/") ? "net_mask" : "ip", one));
  return hits(who.type, who.value) && !isExcepted;
}

function fixtureOf(blocks: readonly Block[]): Fixture {
  return { product: "search-guard-7", groups: {}, roles: {}, mappings: {}, blocks };
}
