import { RunError } from "../diagnostics/failure.ts";
import { isTargetPattern } from "../load/chosen-target.ts";
import type { SharedFiles } from "../load/shared-files.ts";
import type { FleetShard } from "../render/views/fleet.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";

/** Targets that are asked at once where no flag says how many: enough to hide that they take time to answer. */
export const usualParallel = 8;

/** Whether a run is about several targets: a pattern is, whatever it matches. */
export function isAboutFleet({ target = [], allTargets, excludeTarget, shard }: CommonFlags): boolean {
  return Boolean(allTargets || excludeTarget || shard) || target.length > 1 || target.some(isTargetPattern);
}

/** The targets that a run is about. */
export interface ChosenFleet {
  /** In the order of gate-sync.yaml; none where a shard happens to have none. */
  readonly names: readonly string[];
  readonly shared: SharedFiles;
  readonly shard?: FleetShard;
}

/**
 * The targets that the flags choose.
 *
 * @throws RunError `usage` for flags that are about one cluster, and where none is chosen
 */
export async function listFleet(io: Io, flags: CommonFlags): Promise<ChosenFleet> {
  const { target, allTargets, excludeTarget = [], config, shard } = flags;
  refuseSingleFlags(flags);
  if (allTargets && target) {
    throw new RunError("usage", {
      what: "--all-targets and --target are both given.",
      why: "Which of them counts is unknown.",
      fix: "Leave one of them out; --exclude-target takes some away.",
    });
  }
  if (!allTargets && !target) {
    throw new RunError("usage", {
      what: `${shard ? "--shard divides" : "--exclude-target takes away"} targets, and none are chosen.`,
      fix: "Add --all-targets, or --target with a pattern.",
    });
  }
  const { chooseFleet } = await import("../engine/fleet/chosen.ts");
  const { createSharedFiles } = await import("../load/shared-files.ts");
  const shared = createSharedFiles(io.cwd, config);
  const place = { cwd: io.cwd, shared, ...(config !== undefined && { configPath: config }) };
  const all = await chooseFleet(place, { named: target, except: excludeTarget });
  if (!shard) return { names: all, shared };
  const { findShard } = await import("../engine/fleet/shard.ts");
  return { shared, names: all.filter((name) => findShard(name, shard.of) === shard.index), shard: { ...shard, all } };
}

/** @throws RunError `usage` for flags that are about one cluster */
export function refuseSingleFlags(flags: CommonFlags): void {
  for (const [flag, value] of listSingleFlags(flags)) if (value !== undefined) throw refuseForSeveral(flag);
}

function listSingleFlags(flags: CommonFlags): readonly (readonly [string, unknown])[] {
  const { url, username, passwordEnv, passwordFile, cert, key, product, release } = flags;
  return [
    ["--url", url],
    ["--username", username],
    ["--password-env", passwordEnv],
    ["--password-file", passwordFile],
    ["--cert", cert],
    ["--key", key],
    ["--product", product],
    ["--release", release],
  ];
}

/** What gate-sync.yaml may say of each target instead. */
const settable: ReadonlySet<string> = new Set(listSingleFlags({} as CommonFlags).map(([flag]) => flag));

/** Of a flag that goes with one target only. */
export function refuseForSeveral(flag: string): RunError {
  return new RunError("usage", {
    what: `${flag} is about one cluster, and several targets are chosen.`,
    why: "It would hold for all of them.",
    fix: settable.has(flag)
      ? "Say it in gate-sync.yaml, of each target or under defaults; or choose one target by its name."
      : "Choose one target by its name.",
  });
}

/** The flags of a run about one of them. */
export function chooseOneOf<F extends CommonFlags>(flags: F, name: string, files: SharedFiles): F {
  const { allTargets: _, excludeTarget: __, shard: ___, ...rest } = flags;
  return { ...rest, target: [name], shared: files } as unknown as F;
}
