// Whose a change is: the marks of `plan --base` are what two plans made apart say, one of the base's files, one of today's.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/value.ts";
import { git, hasGit, onHistory } from "../cli/history.ts";
import { randomFrom } from "../fixtures/index.ts";
import type { Files } from "../support/command.ts";
import { seeds } from "./seed.ts";

type Random = ReturnType<typeof randomFrom>;
type Fields = JsonObject;
interface Edit {
  readonly path: readonly string[];
  readonly after?: unknown;
}
interface Changed {
  readonly address: string;
  readonly action: string;
  readonly edits: readonly Edit[];
}
const roles = ["a", "b", "c"];
const indices = ["logs-*", "hr-*", "x-1"];
const members = ["dev", "ops"];

function drawState(random: Random): Readonly<Record<"roles" | "role_mappings", Record<string, Fields>>> {
  const drawRole = () => ({
    ...(random.chance(0.5) && { description: random.pick(["one", "two"]) }),
    ...(random.chance(0.5) && {
      cluster_permissions: [random.pick(["cluster:monitor/main", "cluster:monitor/nodes/*"])],
    }),
    ...(random.chance(0.8) && {
      index_permissions: [
        {
          index_patterns: indices.filter(() => random.chance(0.5)).concat("y"),
          allowed_actions: ["indices:data/read/search"],
        },
      ],
    }),
  });
  const some = roles.filter(() => random.chance(0.7));
  return {
    roles: Object.fromEntries(some.map((name) => [name, drawRole()])),
    role_mappings: Object.fromEntries(
      some.map((name) => [name, { backend_roles: members.filter(() => random.chance(0.6)) }]),
    ),
  };
}

/** Most of it stays as it is. */
function alter(random: Random, state: ReturnType<typeof drawState>): ReturnType<typeof drawState> {
  const other = drawState(random);
  const mix = (family: "roles" | "role_mappings") =>
    Object.fromEntries(
      roles.flatMap((name): [string, Fields][] => {
        const value = (random.chance(0.3) ? other : state)[family][name];
        return value ? [[name, value]] : [];
      }),
    );
  const mixed = mix("roles");
  const mapped = Object.entries(mix("role_mappings")).filter(([name]) => name in mixed);
  return { roles: mixed, role_mappings: Object.fromEntries(mapped) };
}

const config = `targets: { t: { url: "URL", state: [access], families: { roles: { mode: manage }, role_mappings: { mode: manage } } } }\n`;
const layOut = (state: object): Files => ({
  "gate-sync.yaml": config,
  "access/r.yml": `${JSON.stringify(state)}\n`,
});
const line = "plan --format json";

describe.skipIf(!hasGit)("marks of plan --base", () => {
  test.each(seeds(30, 6))("seed %i", async (each) => {
    const random = randomFrom(`marks ${each}`);
    const live = drawState(random);
    const was = alter(random, live);
    const now = alter(random, was);
    await onHistory({ was: layOut(was), now: layOut(now), state: live }, async (run, folder) => {
      const marked = JSON.parse((await run(`${line} --base main`)).stdout);
      const alone = JSON.parse((await run(line)).stdout);
      git(folder, "checkout", "-q", "--force", "main");
      const then = JSON.parse((await run(line)).stdout);
      const about = JSON.stringify({ live, was, now });
      expect(marked.changes, about).toEqual(alone.changes);
      expect(marked.fingerprint).toBe(alone.fingerprint);
      expect(shorten(marked.since.pending_before), about).toEqual(meet(alone.changes, then.changes, true));
      expect(shorten(marked.since.taken_back), about).toEqual(meet(then.changes, alone.changes, false));
    });
  });
});

const shorten = (changes: readonly Changed[]) =>
  changes.map(({ address, edits }) => ({ address, edits: edits.map(({ path, after }) => ({ path, after })) }));

/** What of the changes the others have with the same content, or not at all. */
function meet(changes: readonly Changed[], others: readonly Changed[], isAlike: boolean) {
  return shorten(changes).flatMap(({ address, edits }, at) => {
    const other = others.find((one) => one.address === address && one.action === changes[at]?.action);
    const meant = edits.filter(({ path, after }) => {
      const same = other?.edits.find((one) => one.path.join("/") === path.join("/"));
      return isAlike ? same && JSON.stringify(same.after) === JSON.stringify(after) : !same;
    });
    const isMeant = edits.length === 0 ? (other !== undefined) === isAlike : meant.length > 0;
    return isMeant ? [{ address, edits: meant }] : [];
  });
}
