import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { matchesName } from "../families/scope.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { TargetFlags } from "./target-words.ts";
import { toUrlList } from "./url.ts";

/**
 * The name of the target that is meant: the one named, the default one, or the only one. Without any, flags make one that is
 * named after the host.
 *
 * @param config gate-sync.yaml
 * @throws RunError `usage` where several come into question, or the named one does not exist
 */
export function chooseTarget(config: Node | undefined, flags: TargetFlags): string {
  const names = config ? listTargets(config) : [];
  const usual = findMapEntry(config, "default_target")?.value;
  const name =
    flags.target ?? (usual?.kind === "scalar" ? `${usual.value}` : names.length === 1 ? names[0] : undefined);
  if (name === undefined && names.length > 1 && !flags.needsNoTarget) throw severalTargets(names);
  if (name === undefined) return hostOf(toUrlList(flags.url)[0]) ?? "default";
  if (names.includes(name)) return name;
  if (isTargetPattern(name) && names.some((one) => matchesName(name, one))) throw ofOneTarget(name);
  throw unknownTarget(name, names, config !== undefined);
}

/** Their names, in the order of gate-sync.yaml. */
export function listTargets(config: Node): readonly string[] {
  const targets = findMapEntry(config, "targets")?.value;
  return targets?.kind === "map" ? targets.entries.map(({ key }) => key) : [];
}

/** Which targets a run is about; patterns know `*` and `?`. */
export interface TargetChoice {
  /** Absent: all. */
  readonly named?: readonly string[] | undefined;
  readonly except: readonly string[];
}

/**
 * The targets that are chosen, in the order of gate-sync.yaml.
 *
 * @throws RunError `usage` where a name or pattern matches none, or none is left
 */
export function chooseTargets(config: Node | undefined, { named, except }: TargetChoice): readonly string[] {
  const names = config ? listTargets(config) : [];
  for (const pattern of [...(named ?? []), ...except]) {
    if (names.some((name) => matchesName(pattern, name))) continue;
    if (!isTargetPattern(pattern) || !config) throw unknownTarget(pattern, names, config !== undefined);
    throw new RunError("usage", {
      what: `No target matches ${pattern}.`,
      why: "A run that leaves out what was meant would look as if all were well.",
      fix: names.length > 0 ? `The targets are ${listSome(names)}.` : "gate-sync.yaml names no targets.",
    });
  }
  const isAny = (patterns: readonly string[], name: string) => patterns.some((pattern) => matchesName(pattern, name));
  const chosen = names.filter((name) => (named === undefined || isAny(named, name)) && !isAny(except, name));
  if (chosen.length > 0) return chosen;
  throw new RunError("usage", {
    what: names.length === 0 ? "gate-sync.yaml names no targets." : "Every target that is chosen is excluded again.",
    why: "There is nothing to do.",
    fix: names.length === 0 ? "Name clusters under targets." : "Exclude fewer of them.",
  });
}

/** Whether it may match several targets. */
export function isTargetPattern(name: string): boolean {
  return /[*?]/.test(name);
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname || undefined : undefined;
}

function severalTargets(names: readonly string[]): RunError {
  return new RunError("usage", {
    what: `gate-sync.yaml has ${names.length} targets, and none is chosen: ${listSome(names)}.`,
    why: "Each is a cluster of its own.",
    fix: `Choose one with --target ${names[0]}, or set default_target. Most commands also take several: --target with a pattern, or --all-targets.`,
  });
}

function ofOneTarget(pattern: string): RunError {
  return new RunError("usage", {
    what: `This command is about one target, and ${pattern} is a pattern.`,
    fix: "Name one of those that it matches.",
  });
}

/** There may be thousands. */
function listSome(names: readonly string[]): string {
  const left = names.length - mostNamed;
  return left > 1 ? `${names.slice(0, mostNamed).join(", ")} and ${left} more` : names.join(", ");
}

const mostNamed = 12;

function unknownTarget(name: string, names: readonly string[], hasConfig: boolean): RunError {
  const listed = names.length > 0 ? `The targets are ${listSome(names)}.` : "gate-sync.yaml names no targets.";
  return new RunError("usage", {
    what: `There is no target "${name}".${suggestNearest(name, names)}`,
    fix: hasConfig ? listed : "Targets are named in gate-sync.yaml, and this folder has none; use --url instead.",
  });
}
