import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../../src/apply/ports.ts";
import {
  apply,
  connectToRead,
  connectToWrite,
  type DecidedPlan,
  type PlanRequest,
  plan,
  type Report,
} from "../../src/index.ts";
import type { Json } from "../../src/json/value.ts";
import type { TargetFlags } from "../../src/load/target.ts";
import type { FamilyPolicy } from "../../src/model/policy.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import { type Fixture, layOut } from "../fixtures/index.ts";
import { families as strictFamilies } from "./strict/forms.ts";

/** A folder as a user has it, and what a user does in it. */
export interface Workspace {
  readonly folder: string;
  /** Replaces everything below `access/` by these paths and texts. */
  write(files: Iterable<readonly [path: string, text: string]>): void;
  /** What `gate-sync plan --url URL access/` is called with; every guard that can be waived is. */
  request(url: string, more?: More): PlanRequest;
  plan(url: string, more?: More): Promise<DecidedPlan>;
  close(): void;
}

/** Flags and the environment. */
export interface More extends Pick<TargetFlags, "product" | "release" | "username" | "passwordEnv"> {
  readonly env?: PlanRequest["env"];
  /** Default true. */
  readonly withoutAccess?: boolean;
}

/** @param policy what gate-sync.yaml says of every resource family */
export function openWorkspace(policy: FamilyPolicy = {}): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
  const families = Object.fromEntries(strictFamilies.map((family) => [family, policy]));
  writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ defaults: { families } }));
  const written = new Set<string>();
  const request = (url: string, { env = {}, withoutAccess = true, ...flags }: More = {}): PlanRequest => ({
    cwd: folder,
    env,
    // Who gains has properties of its own, and in fixtures where everybody has a hundred roles it takes seconds.
    withoutAccess,
    allowed: [...waivableRules],
    flags: { url, statePaths: ["access"], ...flags },
  });
  return {
    folder,
    write(files) {
      const old = new Set(written);
      written.clear();
      for (const [path, text] of files) {
        const file = join(folder, "access", path);
        if (!old.delete(path)) mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        written.add(path);
      }
      for (const path of old) rmSync(join(folder, "access", path));
    },
    request,
    plan: (url, more) => plan(request(url, more), { connect: connectToRead }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The files of a fixture; where it declares nothing there is one all the same, as every state path must match a file. */
export function filesOf(fixture: Fixture, extra: Readonly<Record<string, Json>> = {}): ReadonlyMap<string, string> {
  const files = new Map([...layOut(fixture), ...Object.entries(extra).map(asFile)]);
  return files.size > 0 ? files : new Map([["empty.yaml", "# Nothing is declared yet.\n"]]);
}

function asFile([path, value]: [string, Json]): [string, string] {
  return [path, JSON.stringify(value)];
}

/** Runs the plan as `apply --yes` does, but waits for nothing: its clock runs ahead instead. */
export function applyPlan(planned: DecidedPlan): Promise<Report> {
  return apply(planned, connectToWrite, { settled: () => {}, stopped: () => false }, hastyClock());
}

/** A waiter finds that the time has passed. */
export function hastyClock(chance = 0): Clock {
  let time = 0;
  return {
    now: () => time,
    chance: () => chance,
    wait: async (milliseconds) => {
      time += milliseconds;
    },
  };
}
