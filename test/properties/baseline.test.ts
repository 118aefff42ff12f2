// What each entry is compared with: after any runs, whole, in part, undone, of some entries, and changes by hand, `drift` says of each
// difference who moved as a model does that only remembers, address by address, what was seen to take effect. And `plan` refuses exactly
// the deletions of what that model does not know as declared. Two targets share the cluster and its records, by names, and each type is
// managed, adopted or observed for a while.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
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

const targets = { t: ["a", "b"], u: ["c", "d"] } as const;
type Target = keyof typeof targets;
const targetNames = ["t", "u"] as const;
const modes = ["manage", "manage", "adopt", "observe"] as const;
const isOf = (target: Target) => (address: string) =>
  (targets[target] as readonly string[]).includes(address.replace(/.*\//, ""));
const apply = "apply --yes --allow deletions --allow not-ours";

/** As a run leaves it that is killed after its first request: which entries that was about. */
function cutJournal(folder: string): readonly string[] {
  const journals = join(folder, ".gate-sync/journal");
  const path = join(journals, readdirSync(journals).sort().at(-1) ?? "");
  const lines = readFileSync(path, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"record":"intention"'));
  writeFileSync(path, `${lines.slice(0, at + 1).join("\n")}\n`);
  return JSON.parse(lines[at] ?? "").addresses;
}

describe("the baseline of each entry", () => {
  test.each(seeds(24, 4))("seed %i", async (each) => {
    const random = randomFrom(`baseline ${each}`);
    let [declared, live] = [drawState(random), drawState(random)];
    const state = { roles: bodies(live, "roles"), tenants: bodies(live, "tenants") };
    await onHarness({ state }, async ({ folder, url, emulator }) => {
      /** What the model remembers: undefined is unknown. */
      const base = new Map<string, string | "absent">();
      /** Targets of which there are records. */
      const recorded = new Set<Target>();
      /** Targets of which any run wrote something, or found it as declared. */
      const known = new Set<Target>();
      /** What a run without a baseline was to delete, and did not. */
      const agreed = new Map<string, string | undefined>();
      /** What killed runs were to make of entries, and may have made, since that base. */
      const unsure = new Map<string, readonly string[]>();
      const remember = (address: string, value: string) => {
        base.set(address, value);
        unsure.delete(address);
      };
      const baseOf = (address: string) =>
        (unsure.get(address) ?? []).find((value) => value === (live.get(address) ?? "absent")) ?? base.get(address);
      const mode = new Map<string, (typeof modes)[number]>();
      const modeOf = (target: Target, address: string) => mode.get(`${target} ${familyOf(address)}`) ?? "manage";
      const run = (line: string) => gateSyncWithin(line.split(" "), { cwd: folder });
      const declare = () => {
        for (const target of targetNames)
          for (const family of families) {
            const own = new Map([...declared].filter(([address]) => isOf(target)(address)));
            writeFileSync(join(folder, `${target}-${family}.yml`), JSON.stringify({ [family]: bodies(own, family) }));
          }
      };
      const set = () => {
        const of = (target: Target) => ({
          url,
          state: families.map((family) => `${target}-${family}.yml`),
          families: Object.fromEntries(
            families.map((family) => [family, { mode: modeOf(target, `${family}/`), include: targets[target] }]),
          ),
        });
        writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ targets: { t: of("t"), u: of("u") } }));
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
      const isWritten = (target: Target, address: string) => {
        const [is, wanted, how] = [live.get(address), declared.get(address), modeOf(target, address)];
        return is !== wanted && how !== "observe" && (how !== "adopt" || wanted !== undefined);
      };
      /** After a run about some addresses: what it was to change counts where it took effect, the rest as it was looked at. */
      const learn = (target: Target, about: readonly string[], looksAtOthers = true) => {
        const before = live;
        const written = addresses.filter((address) => isOf(target)(address) && isWritten(target, address));
        live = readLive();
        if (!recorded.has(target) && addresses.every((one) => before.get(one) === live.get(one)) && !fails) return;
        const isChanged = (address: string) => written.some((one) => familyOf(one) === familyOf(address));
        for (const address of about) {
          const [is, was, wanted] = [live.get(address), before.get(address), declared.get(address)];
          const isToWrite = written.includes(address);
          const isLooked = was === wanted && (looksAtOthers || (wanted === undefined && isChanged(address)));
          if (isToWrite ? is === wanted : isLooked) remember(address, wanted ?? "absent");
          if (isToWrite ? is === wanted : isLooked && wanted !== undefined) known.add(target);
        }
        recorded.add(target);
      };
      let fails = false;

      set();
      declare();
      for (let step = 0; step < 14; step += 1) {
        const target = random.pick(targetNames);
        const own = addresses.filter(isOf(target));
        const isPending = own.some((address) => isWritten(target, address));
        const what = random.pick([
          "files",
          "files",
          "hand",
          "hand",
          "modes",
          "whole",
          "part",
          "killed",
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
        } else if (what === "modes") {
          mode.set(`${target} ${random.pick(families)}`, random.pick(modes));
          set();
        } else if (what === "whole") {
          expect((await run(`${apply} --target ${target}`)).code).toBe(0);
          learn(target, own);
        } else if (what === "part" && isPending) {
          const refused = random.pick(families);
          emulator.fault = ({ method, path }) =>
            method !== "GET" && path.includes(refused)
              ? { at: "before", answer: { status: 403, body: "{}" } }
              : undefined;
          const doomed = own.filter((address) => isWritten(target, address) && !declared.has(address));
          await run(`${apply} --target ${target}`);
          emulator.fault = () => undefined;
          const [before, had] = [live, known.has(target)];
          learn(target, own);
          for (const address of doomed) if (!had && live.has(address)) agreed.set(address, before.get(address));
        } else if (what === "killed" && isPending) {
          const [before, had] = [live, known.has(target)];
          const doomed = own.filter((address) => isWritten(target, address) && !declared.has(address));
          const inSync = own.filter((address) => live.get(address) === declared.get(address));
          expect((await run(`${apply} --target ${target}`)).code).toBe(0);
          live = readLive();
          recorded.add(target);
          for (const address of inSync) remember(address, declared.get(address) ?? "absent");
          if (inSync.some((address) => declared.has(address))) known.add(target);
          for (const address of cutJournal(folder))
            unsure.set(address, [declared.get(address) ?? "absent", ...(unsure.get(address) ?? [])]);
          if (!had) for (const address of doomed) agreed.set(address, before.get(address));
        } else if (what === "only") {
          const address = random.pick(own);
          if (!declared.has(address) && !live.has(address)) continue;
          expect((await run(`${apply} --target ${target} --only ${address}`)).code).toBe(0);
          learn(target, [address]);
        } else if (what === "family") {
          const family = random.pick(families);
          expect((await run(`${apply} --target ${target} --family ${family}`)).code).toBe(0);
          learn(
            target,
            own.filter((one) => familyOf(one) === family),
          );
        } else if (what === "plan" && isPending) {
          const planned = await run(`plan --target ${target} --out plan.json --allow deletions --allow not-ours`);
          expect(planned.code).toBe(0);
          expect((await run("apply plan.json")).code).toBe(0);
          learn(target, own, false);
        } else if (what === "rollback" && recorded.has(target)) {
          const before = live;
          const { code } = await run(`rollback --target ${target} --yes --allow deletions`);
          live = readLive();
          if (code !== 0) expect(live).toEqual(before);
          for (const address of addresses)
            if (before.get(address) !== live.get(address)) remember(address, live.get(address) ?? "absent");
        }
        for (const target of targetNames) {
          const own = addresses.filter(isOf(target));
          const drifted = JSON.parse((await run(`drift --target ${target} --format json`)).stdout);
          const found = drifted.differences.map(({ address, moved }: Record<string, string>) => `${address} ${moved}`);
          const expected = own.flatMap((address) => {
            const [is, wanted, was] = [live.get(address), declared.get(address), baseOf(address)];
            if (is === wanted || (modeOf(target, address) === "adopt" && wanted === undefined)) return [];
            const isLive = was === (wanted ?? "absent");
            const moved = was === undefined ? "unknown" : was === (is ?? "absent") ? "git" : isLive ? "live" : "both";
            return [`${address} ${moved}`];
          });
          expect([step, what, target, ...found.sort()]).toEqual([step, what, target, ...expected.sort()]);

          const planned = JSON.parse((await run(`plan --target ${target} --format json --allow deletions`)).stdout);
          const refused = planned.violations.flatMap((one: { readonly addresses: readonly string[] }) => one.addresses);
          const foreign = own.filter((address) => {
            const was = baseOf(address);
            const isKnown =
              (was !== undefined && was !== "absent") || (!was && agreed.get(address) === live.get(address));
            return known.has(target) && isWritten(target, address) && !declared.has(address) && !isKnown;
          });
          expect([step, what, target, ...refused.sort()]).toEqual([step, what, target, ...foreign.sort()]);
        }
      }
    });
  });
});
