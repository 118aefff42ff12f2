// Eight runs at once that contradict each other in one entry: all have read before the first of them writes. Processes in CI.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGateway } from "../conformance/suite/gateway.ts";
import { wireTo } from "../conformance/suite/wire.ts";
import { everyNth } from "../support/extent.ts";
import { matching } from "../support/matching.ts";
import { gateSyncAnyhow, type Harness, onHarness } from "./harness.ts";

const state = { roles: { shared: { cluster_permissions: ["base"] } } };
const everybody = Array.from({ length: 8 }, (_, index) => index);

const cases = [
  ["the PATCH of that entry is all they write: one wins, the others end with 5", [], 5],
  ["each has written something before: one wins, the others end with 6", ["action_groups"], 6],
] as const;

test.each(everyNth(2, cases))(
  "%s",
  (_, earlier, lost) =>
    onHarness({ state }, async ({ folder, emulator }) => {
      const together = matching(everybody.length);
      const ended = await Promise.all(
        everybody.map(async (index) => {
          const cwd = repositoryOf(index, folder, earlier);
          const gateway = await openGateway(wireTo({ url: emulator.url, adminHeader: "x-none" }), false, {});
          // The last that was said is done first: what is written earlier waits for nothing.
          gateway.meddle(together.arrive);
          for (const _each of earlier) gateway.meddle(async () => {});
          const run = await gateSyncAnyhow(["apply", "--yes", "--url", gateway.url, "access"], { cwd });
          together.leave();
          await gateway.close();
          return run;
        }),
      );
      const explained = ended.map(({ code, stdout, stderr }) => `${code}: ${stdout}${stderr}`).join("\n");
      expect(ended.map(({ code }) => code).sort(), explained).toEqual([0, ...Array(7).fill(lost)]);
      const winner = ended.findIndex(({ code }) => code === 0);
      expect(rolesOf(emulator)).toEqual({ shared: `of ${winner}`, [`own_${winner}`]: "own" });
      for (const [index, { stdout }] of ended.entries()) {
        if (index !== winner) expect(stdout).toMatch(/roles\/shared\s+changed\s+on\s+the\s+server/);
      }
    }),
  180_000,
);

function repositoryOf(index: number, folder: string, earlier: readonly "action_groups"[]): string {
  const cwd = join(folder, String(index));
  mkdirSync(join(cwd, "access"), { recursive: true });
  const scope = { include: ["shared", `own_${index}`] };
  writeFileSync(
    join(cwd, "gate-sync.yaml"),
    JSON.stringify({ defaults: { families: { roles: scope, action_groups: scope } } }),
  );
  const declared = {
    roles: { shared: { cluster_permissions: [`of ${index}`] }, [`own_${index}`]: { cluster_permissions: ["own"] } },
    ...(earlier.length > 0 && { action_groups: { [`own_${index}`]: { allowed_actions: ["a"] } } }),
  };
  writeFileSync(join(cwd, "access/all.json"), JSON.stringify(declared));
  return cwd;
}

function rolesOf(emulator: Harness["emulator"]): Readonly<Record<string, string>> {
  const roles = [...emulator.state().roles].map(([name, fields]) => [name, String(fields.cluster_permissions)]);
  return Object.fromEntries(roles);
}
