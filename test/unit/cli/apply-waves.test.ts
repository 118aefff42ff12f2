// Which of several targets are written, in every mix of what is known of them before and of how they end.
import { expect, it, test } from "vitest";
import { applyWaves, omitAll } from "../../../src/cli/apply-waves.ts";
import {
  createFleetView,
  type FleetResult,
  type FleetState,
  findGravestExit,
} from "../../../src/render/views/fleet.ts";
import { ioOf } from "./io.ts";

const quiet = { write: () => {}, isTTY: false, columns: 80 };

/** What is planned, what comes of it, the exit code, and whether that is known before the first write. */
const kinds: readonly (readonly [FleetState, FleetState, number, boolean])[] = [
  ["in sync", "in sync", 0, false],
  ["changes", "applied", 0, false],
  ["changes", "failed", 1, false],
  ["changes", "stopped part-way", 6, false],
  ["unreachable", "unreachable", 1, false],
  ["invalid files", "invalid files", 3, true],
  ["refused", "refused", 4, true],
  ["failed", "failed", 64, true],
  ["failed", "failed", 5, true],
];

type Kind = (typeof kinds)[number];

const gravity = [64, 3, 1, 6, 5, 4, 2, 0];

function resultOf(name: string, state: FleetState, exitCode: number): FleetResult {
  return { row: { name, state, exitCode, families: new Map(), requests: 1, fingerprint: "" }, items: [] };
}

/** Written out: what is sent to which, and the exit code. */
function expectedOf(some: readonly Kind[], waves: readonly (readonly number[])[], most: number) {
  if (some.filter(([, , , isKnown]) => isKnown).length > most) {
    return { sent: [], codes: some.map(([planned, , code]) => (planned === "changes" ? 0 : code)) };
  }
  const sent: number[] = [];
  const codes: number[] = [];
  for (const wave of waves) {
    if (codes.filter((code) => code !== 0).length > most) break;
    for (const at of wave) {
      const [planned, , code] = some[at] as Kind;
      if (planned === "changes") sent.push(at);
      codes.push(code);
    }
  }
  // What was planned in vain is reported in any case.
  return { sent, codes: [...codes, ...some.flatMap(([planned, , code]) => (planned === "changes" ? [] : [code]))] };
}

it("is nothing where more cannot be applied than may fail, else wave by wave as many as that", async () => {
  for (const waves of [
    [[0], [1], [2]],
    [[0, 1], [2]],
  ]) {
    for (const a of kinds)
      for (const b of kinds)
        for (const c of kinds) {
          for (const maxFailures of [0, 1]) {
            const some = [a, b, c];
            const flags = { format: "text", color: "never", maxFailures } as const;
            const planned = some.map(([state, end, code], at) =>
              resultOf(`${at}`, state, state === "changes" ? 0 : end === "in sync" ? 0 : code),
            );
            const sent: number[] = [];
            const apply = async ({ row }: FleetResult) => {
              sent.push(Number(row.name));
              const [, end, code] = some[Number(row.name)] as Kind;
              return resultOf(row.name, end, code);
            };
            const rollout = {
              isStaged: true,
              waves: waves.map((wave, at) => ({ name: `wave ${at}`, targets: wave.map(String) })),
            };
            const io = ioOf({ stdout: quiet, stderr: quiet });
            const results = omitAll(planned, flags) ?? (await applyWaves(io, flags, { rollout, planned, apply }));
            const expected = expectedOf(some, waves, maxFailures);
            const code = gravity.find((one) => expected.codes.includes(one));
            const shown = JSON.stringify([waves, some, maxFailures]);
            expect([shown, sent, createFleetView("apply", results).exitCode]).toEqual([shown, expected.sent, code]);
            const hopeless = some.filter(([state]) => state !== "changes" && state !== "in sync").length;
            for (const { row, items } of results) {
              const isLeft = planned[Number(row.name)]?.row.state === "changes" && !sent.includes(Number(row.name));
              expect(row.state === "not attempted").toBe(isLeft);
              if (!isLeft) continue;
              expect(row.exitCode).not.toBe(0);
              const reported = items.map(({ key }) => key).join();
              const advised = /^Nothing was sent .* --max-failures (\d+)\.$/.exec(reported)?.[1];
              if (advised === undefined) expect(reported).toMatch(/^Not attempted, because others failed before it\./);
              else expect(Number(advised)).toBe(hopeless);
            }
          }
        }
  }
});

test.each(gravity.flatMap((graver, at) => gravity.slice(at).map((other) => [graver, other] as const)))(
  "a run in which targets end with %i and %i ends with the first",
  (graver, other) => {
    expect([findGravestExit([graver, other]), findGravestExit([other, graver])]).toEqual([graver, graver]);
  },
);
