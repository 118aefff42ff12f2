import { dirname, resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import { matchesName } from "../../families/scope.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { findMapEntry, toValue } from "../../model/node.ts";
import type { Command } from "../../model/target.ts";
import { findConfig } from "../open.ts";
import type { RunRequest } from "../request.ts";

/** In which order targets are applied. */
export interface Rollout {
  /** Each is begun when the one before is applied and in sync. */
  readonly waves: readonly Wave[];
  /** Runs after each wave; one that fails ends the rollout. */
  readonly check?: Command;
  /** gate-sync.yaml has waves. */
  readonly isStaged: boolean;
}

export interface Wave {
  /** The pattern; the target's name where gate-sync.yaml has no waves. */
  readonly name: string;
  readonly targets: readonly string[];
}

/**
 * `waves` of gate-sync.yaml for these targets, each in the first that matches it; without waves one target after the other.
 *
 * @param names of targets that are there
 * @throws RunError `usage` for a target in no wave, and for a wave that no target of gate-sync.yaml is in
 */
export async function openRollout(
  request: Pick<RunRequest, "cwd" | "configPath" | "env" | "shared">,
  names: readonly string[],
): Promise<Rollout> {
  const { cwd, env } = request;
  const { found } = await findConfig(request);
  const written = findMapEntry(found?.root, "waves")?.value;
  const argv = findMapEntry(found?.root, "check")?.value;
  const check = found &&
    argv && {
      argv: toValue(argv) as readonly string[],
      cwd: dirname(resolve(cwd, found.file.path)),
      env,
    };
  const patterns = written ? (toValue(written) as readonly string[]) : names;
  if (found && written) refuseUnusedWaves(patterns, listTargets(found.root));
  const waves = patterns.map((name) => ({ name, targets: [] as string[] }));
  for (const target of names) {
    const wave = waves.find(({ name }) => (written ? matchesName(name, target) : name === target));
    if (!wave) throw inNoWave(target, patterns);
    wave.targets.push(target);
  }
  const some = waves.filter(({ targets }) => targets.length > 0);
  return { waves: some, isStaged: written !== undefined, ...(check && { check }) };
}

function inNoWave(target: string, patterns: readonly string[]): RunError {
  return new RunError("usage", {
    what: `The target ${JSON.stringify(target)} is in no wave.`,
    why: "When to apply it is not stated. Nothing was sent.",
    fix: `Add it to waves of gate-sync.yaml, which has ${patterns.join(", ")}; or leave it out with --exclude-target.`,
  });
}

function refuseUnusedWaves(patterns: readonly string[], names: readonly string[]): void {
  for (const pattern of patterns) {
    if (names.some((name) => matchesName(pattern, name))) continue;
    throw new RunError("usage", {
      what: `No target is in the wave ${JSON.stringify(pattern)}.${suggestNearest(pattern, names)}`,
      why: "What was meant to be applied there might go with a later wave. Nothing was sent.",
      fix: "Correct waves of gate-sync.yaml, or take it out.",
    });
  }
}
