// What each entry is compared with: after any runs, whole, in part, undone, of some entries, and changes by hand, `drift` says of each
// difference who moved as a model does that only remembers, address by address, what was seen to take effect. And `plan` refuses exactly
// the deletions of what that model does not know as declared.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onHarness } from "../cli/harness.ts";
import { randomFrom } from "../fixtures/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { seeds } from "./seed.ts";

type Random = ReturnType<typeof randomFrom>;
const names = ["a", "b", "c", "d"];
const families = ["tenants", "roles"] as const;
type Family = (typeof families)[number];
/** By address; what is not there has no entry. */
type State = ReadonlyMap<string, string>;

const addresses = families.flatMap((family) => names.map((name) => `${family}/${name}`));
const familyOf = (address: string) => address.split("/")[0];
const bodyOf = (family: Family, value: string) =>
  family === "roles" ? { cluster_permissions: [value] } : { description: value };

function drawState(random: Random, of: readonly string[] = addresses): State {
  return new Map(of.filter(() => random.chance(0.6)).map((address) => [address, random.pick(["c:1", "c:2", "c:3"])]));
}

/** Most of it stays as it is. */
function alter(random: Random, state: State): State {
  const other = drawState(random);
  return new Map(
    addresses.flatMap((address): [string, string][] => {
      const value = (random.chance(0.2) ? other : state).get(address);
      return value === undefined ? [] : [[address, value]];
    }),
  );
}

function bodies(state: State, family: Family) {
  const own = [...state].filter(([address]) => familyOf(address) === family);
  return Object.fromEntries(own.map(([address, value]) => [address.slice(family.length + 1), bodyOf(family, value)]));
}

const settings = `targets: { t: { url: "URL", state: [access], families: { roles: { mode: manage }, tenants: { mode: manage } } } }\n`;
const apply = "apply --yes --allow deletions --allow not-ours";

describe("the baseline of each entry", () => {
  test.each(seeds(24, 4))("seed %i", async (each) => {
    const random = randomFrom(`baseline ${each}`);
    let [declared, live] = [drawState(random), drawState(random)];
    const state = { roles: bodies(live, "roles"), tenants: bodies(live, "tenants") };
    await onHarness({ state }, async ({ folder, url, emulator }) => {
      /** What the model remembers: undefined is unknown. */
      const base = new Map<string, string | "absent">();
      let hasRecords = false;
      /** Whether any run wrote something, or found it as declared. */
      let isAnyDone = false;
      /** What a run without a baseline was to delete, and did not. */
      const agreed = new Map<string, string | undefined>();
      const run = (line: string) => gateSyncWithin(line.split(" "), { cwd: folder });
      const declare = () => {
        for (const family of families) {
          const text = `${JSON.stringify({ [family]: bodies(declared, family) })}\n`;
          writeFileSync(join(folder, `access-${family}.yml`), text);
        }
      };
      const readLive = (): State => {
        const held = emulator.state();
        return new Map(
          addresses.flatMap((address): [string, string][] => {
            const [family, name] = address.split("/") as [Family, string];
            const entry = held[family].get(name) as Record<string, unknown> | undefined;
            if (!entry) return [];
            return [
              [address, String(family === "roles" ? (entry.cluster_permissions as string[])[0] : entry.description)],
            ];
          }),
        );
      };
      /** After a run about some addresses: what it was to change counts where it took effect, the rest as it was looked at. */
      const learn = (about: readonly string[], looksAtOthers = true) => {
        const before = live;
        live = readLive();
        if (!hasRecords && addresses.every((one) => before.get(one) === live.get(one)) && !fails) return;
        for (const address of about) {
          const [is, was, wanted] = [live.get(address), before.get(address), declared.get(address)];
          if (was !== wanted ? is === wanted : looksAtOthers || (wanted === undefined && changed(before, address)))
            base.set(address, wanted ?? "absent");
          isAnyDone ||= was !== wanted ? is === wanted : looksAtOthers && wanted !== undefined;
        }
        hasRecords = true;
      };
      const changed = (before: State, address: string) =>
        addresses.some((one) => familyOf(one) === familyOf(address) && before.get(one) !== declared.get(one));
      let fails = false;

      writeFileSync(
        join(folder, "gate-sync.yaml"),
        settings.replace("URL", url).replace("[access]", "[access-roles.yml, access-tenants.yml]"),
      );
      declare();
      for (let step = 0; step < 14; step += 1) {
        const isPending = addresses.some((one) => declared.get(one) !== live.get(one));
        const what = random.pick([
          "files",
          "files",
          "hand",
          "hand",
          "whole",
          "part",
          "only",
          "family",
          "rollback",
          "plan",
        ]);
        fails = what === "part";
        if (what === "files") {
          declared = alter(random, declared);
          declare();
        } else if (what === "hand") {
          live = alter(random, live);
          emulator.replaceState({ roles: bodies(live, "roles"), tenants: bodies(live, "tenants") });
        } else if (what === "whole") {
          expect((await run(apply)).code).toBe(0);
          learn(addresses);
        } else if (what === "part" && isPending) {
          const refused = random.pick(families);
          emulator.fault = ({ method, path }) =>
            method !== "GET" && path.includes(refused)
              ? { at: "before", answer: { status: 403, body: "{}" } }
              : undefined;
          await run(apply);
          emulator.fault = () => undefined;
          const [before, had] = [live, isAnyDone];
          learn(addresses);
          for (const address of addresses)
            if (!had && !declared.has(address) && live.has(address)) agreed.set(address, before.get(address));
        } else if (what === "only") {
          const address = random.pick(addresses);
          if (!declared.has(address) && !live.has(address)) continue;
          expect((await run(`${apply} --only ${address}`)).code).toBe(0);
          learn([address]);
        } else if (what === "family") {
          const family = random.pick(families);
          expect((await run(`${apply} --family ${family}`)).code).toBe(0);
          learn(addresses.filter((one) => familyOf(one) === family));
        } else if (what === "plan" && isPending) {
          const planned = await run("plan --out plan.json --allow deletions --allow not-ours");
          expect(planned.code).toBe(0);
          expect((await run("apply plan.json")).code).toBe(0);
          learn(addresses, false);
        } else if (what === "rollback" && hasRecords) {
          const before = live;
          const { code } = await run("rollback --yes --allow deletions");
          live = readLive();
          if (code !== 0) expect(live).toEqual(before);
          for (const address of addresses)
            if (before.get(address) !== live.get(address)) base.set(address, live.get(address) ?? "absent");
        }
        const drifted = JSON.parse((await run("drift --format json")).stdout);
        const found = drifted.differences.map(({ address, moved }: Record<string, string>) => `${address} ${moved}`);
        const expected = addresses.flatMap((address) => {
          const [is, wanted, was] = [live.get(address), declared.get(address), base.get(address)];
          if (is === wanted) return [];
          const isLive = was === (wanted ?? "absent");
          const moved = was === undefined ? "unknown" : was === (is ?? "absent") ? "git" : isLive ? "live" : "both";
          return [`${address} ${moved}`];
        });
        expect([step, what, ...found.sort()]).toEqual([step, what, ...expected.sort()]);

        const planned = JSON.parse((await run("plan --format json --allow deletions")).stdout);
        const refused = planned.violations.flatMap((one: { readonly addresses: readonly string[] }) => one.addresses);
        const foreign = addresses.filter((address) => {
          const was = base.get(address);
          const isKnown =
            (was !== undefined && was !== "absent") || (!was && agreed.get(address) === live.get(address));
          return isAnyDone && live.has(address) && !declared.has(address) && !isKnown;
        });
        expect([step, what, ...refused.sort()]).toEqual([step, what, ...foreign.sort()]);
      }
    });
  });
});
