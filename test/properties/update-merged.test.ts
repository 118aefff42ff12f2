// `export --update` against what was applied last: after any edits of files and server, the files hold what a reference says that
// looks at one part at a time: nothing that only the files changed is lost, and all that only the server changed is taken.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/json/value.ts";
import { onHarness } from "../cli/harness.ts";
import { randomFrom } from "../fixtures/index.ts";
import { commitAll } from "../support/committed.ts";
import { seeds } from "./seed.ts";

type Random = ReturnType<typeof randomFrom>;
const parts = ["description", "cluster_permissions", "log", "pay"] as const;
/** What each part holds; without an entry, it is not there. */
type Entry = ReadonlyMap<string, string>;
type State = ReadonlyMap<string, Entry>;
const names = ["a", "b", "c", "d", "e"];

const drawEntry = (random: Random): Entry =>
  new Map(parts.filter(() => random.chance(0.7)).map((part) => [part, random.pick(["p", "q", "r"])]));

function drawState(random: Random): State {
  return new Map(names.filter(() => random.chance(0.7)).map((name) => [name, drawEntry(random)]));
}

/** Most of it stays as it is. */
function alter(random: Random, state: State): State {
  const other = drawState(random);
  return new Map(
    names.flatMap((name): [string, Entry][] => {
      const [entry, drawn] = [state.get(name), other.get(name)];
      if (random.chance(0.15)) return drawn ? [[name, drawn]] : [];
      if (!entry) return [];
      const changed = parts.flatMap((part): [string, string][] => {
        const content = (random.chance(0.25) ? (drawn ?? drawEntry(random)) : entry).get(part);
        return content === undefined ? [] : [[part, content]];
      });
      return [[name, new Map(changed)]];
    }),
  );
}

function write(state: State): JsonObject {
  const entries = [...state].map(([name, entry]): [string, JsonObject] => {
    const [description, permission] = [entry.get("description"), entry.get("cluster_permissions")];
    const lists = ["log", "pay"].flatMap((about) => {
      const content = entry.get(about);
      return content === undefined
        ? []
        : [{ index_patterns: [`${about}-*`], allowed_actions: [`${about}:${content}`] }];
    });
    const body = {
      ...(description !== undefined && { description }),
      ...(permission !== undefined && { cluster_permissions: ["all", permission] }),
      ...(lists.length > 0 && { index_permissions: lists }),
    };
    return [name, body];
  });
  return { ...Object.fromEntries(entries), other: {} };
}

/** What the files hold after it, and whether something is listed. */
function merge(base: State, files: State, live: State) {
  let isListed = false;
  const list = <T>(kept: T): T => {
    isListed = true;
    return kept;
  };
  const isSame = (a: Entry | undefined, b: Entry | undefined) =>
    JSON.stringify(a && [...a].sort()) === JSON.stringify(b && [...b].sort());
  const mergeEntry = (was: Entry | undefined, own: Entry | undefined, other: Entry | undefined): Entry | undefined => {
    if (isSame(own, other) || isSame(was, other)) return own;
    if (isSame(was, own)) return other;
    if (!own || !other) return list(own);
    const all = parts.flatMap((part): [string, string][] => {
      const [a, b, c] = [was, own, other].map((entry) => entry?.get(part));
      const content = b === c || a === c ? b : a === b ? c : list(b);
      return content === undefined ? [] : [[part, content]];
    });
    return new Map(all);
  };
  const merged = names.flatMap((name): [string, Entry][] => {
    const entry = mergeEntry(base.get(name), files.get(name), live.get(name));
    return entry ? [[name, entry]] : [];
  });
  return { state: new Map(merged), isListed };
}

/** Lists of permissions mean the same in any order. */
const sorted = (roles: JsonObject) =>
  Object.fromEntries(
    Object.entries(roles).map(([name, body]) => {
      const { index_permissions: lists, ...fields } = body as JsonObject;
      const rest = Object.fromEntries(
        Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0),
      );
      return [
        name,
        {
          ...rest,
          ...(Array.isArray(lists) &&
            lists.length > 0 && { index_permissions: [...lists].map((one) => JSON.stringify(one)).sort() }),
        },
      ];
    }),
  );

test.each(seeds(60, 12))("seed %i", async (seed) => {
  const random = randomFrom(`update merged ${seed}`);
  const base = drawState(random);
  const [files, live] = [alter(random, base), alter(random, base)];
  const byCommit = random.chance(0.5);
  await onHarness({ state: { roles: write(base) } }, async ({ folder, url, run, emulator }) => {
    const path = join(folder, "roles.yml");
    const put = (state: State) => writeFileSync(path, `${JSON.stringify({ roles: write(state) }, null, 2)}\n`);
    const targets = { t: { url, product: "gate", state: ["roles.yml"], families: { roles: { mode: "manage" } } } };
    writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ targets }));
    put(base);
    if (byCommit) {
      commitAll(folder);
      put(files);
      commitAll(folder);
    } else {
      emulator.replaceState({ roles: {} });
      expect((await run("apply --yes --no-access")).code).toBe(0);
      put(files);
    }
    emulator.replaceState({ roles: write(live) });
    const line = `export --update --prune${byCommit ? " --applied-ref HEAD~" : ""}`;
    const { state, isListed } = merge(base, files, live);
    const first = await run(line);
    const after = readFileSync(path, "utf8");
    expect(sorted((parse(after) as { roles: JsonObject }).roles), first.stdout + first.stderr).toEqual(
      sorted(write(state)),
    );
    expect(first.code, first.stdout).toBe(isListed ? 2 : 0);
    await run(line);
    expect(readFileSync(path, "utf8")).toBe(after);
  });
});
