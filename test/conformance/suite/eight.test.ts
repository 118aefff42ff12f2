// Eight runs at once that contradict each other in one entry: all have read before the first of them writes.
import { expect } from "vitest";
import type { Run } from "../../support/command.ts";
import { isFull } from "../../support/extent.ts";
import { matching } from "../../support/matching.ts";
import { type Case, onServers, where } from "./case.ts";
import { type Files, inRepository, type Repository, role } from "./repository.ts";
import type { Facts, Stage } from "./stage.ts";

/** Where the emulator plays in npm test, three are enough to be in each other's way. */
const crowd = ({ real }: Facts): number => (real || isFull ? 8 : 3);

onServers("each-product", "eight at once", (_, facts) => [
  ...where(facts.real || isFull, [contradiction(facts, "alone")]),
  contradiction(facts, "second"),
]);

/** @param write whether the PATCH that they contradict each other in is all that they write, or their second request */
function contradiction(facts: Facts, write: "alone" | "second"): Case {
  const is7 = facts.name === "search-guard-7";
  return {
    title: is7
      ? `one wins, the others write nothing over it (exit ${write === "alone" ? 5 : 6}) and name it`
      : `nothing is lost but in the entry, and who finds something else there names it${write === "alone" ? "" : ", as second request"}`,
    steps: (stage) =>
      inAll(stage, crowd(facts), write, [], async (repositories) => {
        await stage.ask({ method: "PUT", path: "roles/suite_shared", send: sharedRole(facts, "base") });
        const together = matching(repositories.length);
        const ended = await Promise.all(
          repositories.map(async ({ gateway, run }) => {
            gateway.meddle(together.arrive);
            if (write === "second") gateway.meddle(async () => {});
            const result = await run("apply", "--yes");
            together.leave();
            return result;
          }),
        );
        const there = await heldBy(stage);
        if (is7) wonByOne(ended, there, write === "alone" ? 5 : 6);
        nothingLost(ended, there, facts);
        for (const repository of repositories) {
          await repository.applied();
          await repository.inSync();
        }
        expect(Object.keys(await heldBy(stage))).toHaveLength(repositories.length + 1);
      }),
  };
}

/** A folder for each of them, all below each other. */
async function inAll(
  stage: Stage,
  runs: number,
  write: "alone" | "second",
  opened: readonly Repository[],
  work: (repositories: readonly Repository[]) => Promise<void>,
): Promise<void> {
  const index = opened.length;
  if (index === runs) return work(opened);
  const include = ["suite_shared", `suite_own_${index}`, `SUITE_GROUP_${index}`];
  const next = (repository: Repository) => inAll(stage, runs, write, [...opened, repository], work);
  await inRepository(stage, filesOf(index, write), next, { include });
}

function filesOf(index: number, write: "alone" | "second"): Files {
  const groups = { [`SUITE_GROUP_${index}`]: { allowed_actions: ["a"] } };
  return {
    "a.json": {
      roles: { suite_shared: role(`of_${index}`), [`suite_own_${index}`]: role("own") },
      ...(write === "second" && { action_groups: groups }),
    },
  };
}

function sharedRole({ name }: Facts, permission: string) {
  return name === "search-guard-6" ? { cluster: [permission] } : role(permission);
}

/** What each role of ours permits. */
async function heldBy(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const { json } = await stage.ask({ method: "GET", path: "roles" });
  const all = json as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  const own = Object.entries(all).filter(([name]) => /^suite_(shared|own_)/.test(name));
  return Object.fromEntries(own.map(([name, fields]) => [name, String(fields.cluster_permissions ?? fields.cluster)]));
}

function wonByOne(ended: readonly Run[], there: Readonly<Record<string, string>>, lost: number): void {
  const winners = ended.flatMap(({ code }, index) => (code === 0 ? [index] : []));
  expect(winners, explained(ended)).toHaveLength(1);
  expect(
    ended.filter(({ code }) => code !== 0).map(({ code }) => code),
    explained(ended),
  ).toEqual(Array(ended.length - 1).fill(lost));
  expect(there).toEqual({ suite_shared: `of_${winners[0]}`, [`suite_own_${winners[0]}`]: "own" });
}

/**
 * Of eight that had all read before, the last to write wins; what is theirs alone is there with every success. Where the
 * server loses writes, one may fail at what is its own: then it says so.
 */
function nothingLost(ended: readonly Run[], there: Readonly<Record<string, string>>, { name }: Facts): void {
  for (const [index, { code, stdout }] of ended.entries()) {
    expect([0, 1, 5, 6], explained(ended)).toContain(code);
    if (code === 0) expect(there[`suite_own_${index}`], explained(ended)).toBe("own");
    else expect(stdout, explained(ended)).toMatch(/roles\/suite_shared|a write at the same time undid it/);
  }
  const last = ended[Number(there.suite_shared?.slice("of_".length))];
  if (name !== "search-guard-6") expect(last?.code, explained(ended)).toBe(0);
}

function explained(ended: readonly Run[]): string {
  return ended.map(({ code, stdout, stderr }, index) => `${index}: ${code}\n${stdout}${stderr}`).join("\n");
}
