import { exitCodes, type RunError } from "../../diagnostics/failure.ts";
import type { RecordedTarget } from "../../model/artifact.ts";
import { isPending } from "../../model/change.ts";
import { combineFingerprints } from "../../model/fingerprint.ts";
import { families as allFamilies, type Family } from "../../model/names.ts";
import type { SavedPlan } from "../../model/plan-file.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { countActions, type FamilyView } from "./family.ts";
import type { ReviewFinding } from "./findings.ts";
import { type FleetItem, type FleetPart, groupFleetItems } from "./fleet-parts.ts";
import type { PlanView } from "./plan.ts";
import { formatCounts, pluralise } from "./words.ts";

/** Everything that a format shows of a run about several targets. Texts are fit to be shown. */
export interface FleetView {
  /** `plan`, `apply`. */
  readonly command: string;
  /** In the order of gate-sync.yaml. */
  readonly rows: readonly FleetRow[];
  /** Those in which a target has changes, in the order of a plan. */
  readonly families: readonly Family[];
  /** `30 targets: 27 in sync, 2 with changes, 1 unreachable.` */
  readonly summary: string;
  /** What there is to say of several targets alike, once; what most have in common first. */
  readonly parts: readonly FleetPart[];
  /** The gravest of the rows'. */
  readonly exitCode: number;
  /** Where the run was one of several that share the targets. */
  readonly shard?: FleetShard;
  /** Of the plans of all targets together; absent where there is nothing to agree to. */
  readonly fingerprint?: string;
}

/** Which of several runs this is. */
export interface FleetShard {
  /** From 0. */
  readonly index: number;
  readonly of: number;
  /** The names of the targets of all runs, in the order of gate-sync.yaml. */
  readonly all: readonly string[];
}

/** How a target fares, in the words of a table. */
export type FleetState =
  | "in sync"
  | "valid"
  | "passed"
  | "done"
  | "yes"
  | "no"
  | "unknown"
  | "left open"
  | "drift"
  | "changes"
  | "applied"
  | "refused"
  | "unreachable"
  | "invalid files"
  | "failed"
  | "stopped part-way"
  | "not attempted"
  | "not reported";

export interface FleetRow {
  readonly name: string;
  readonly state: FleetState;
  /** As a run about this target alone would end. */
  readonly exitCode: number;
  /** Absent where the target was not reached. */
  readonly url?: string;
  /** `opensearch 2.19.1`. */
  readonly server?: string;
  readonly families: ReadonlyMap<Family, FleetCell>;
  readonly requests: number;
  /** How many users are in sync but for their passwords, which are unknown; absent where none is. */
  readonly unknownPasswords?: number;
  /** Empty where there is nothing to agree to. */
  readonly fingerprint: string;
}

/** Of one family on one target. */
export interface FleetCell {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  /** Differs and is left as it is. */
  readonly left: number;
}

/** What is known of one target once its run has ended. */
export interface FleetResult {
  readonly row: FleetRow;
  readonly items: readonly FleetItem[];
}

/** What has to be seen to first comes last: the last of those that occur is the exit code of the whole. */
const byGravity: readonly number[] = [
  exitCodes.done,
  exitCodes.pending,
  exitCodes.undecided,
  exitCodes.refused,
  exitCodes.stale,
  exitCodes.interrupted,
  exitCodes.terminated,
  exitCodes.partial,
  exitCodes.failed,
  exitCodes.invalid,
  exitCodes.usage,
];

export function findGravestExit(codes: readonly number[]): number {
  return codes.reduce((worst, code) => (byGravity.indexOf(code) > byGravity.indexOf(worst) ? code : worst), 0);
}

export function createFleetView(command: string, results: readonly FleetResult[], shard?: FleetShard): FleetView {
  const rows = results.map(({ row }) => row);
  const agreed = rows.flatMap(({ fingerprint }) => (fingerprint === "" ? [] : [fingerprint]));
  const changed = new Set(rows.flatMap(({ families }) => [...families].filter(hasChanges).map(([family]) => family)));
  return {
    command,
    rows,
    families: allFamilies.filter((family) => changed.has(family)),
    summary: formatSummary(command, rows, shard),
    parts: groupFleetItems(results.map(({ row, items }) => ({ name: row.name, items }))),
    exitCode: findGravestExit(rows.map(({ exitCode }) => exitCode)),
    ...(shard && { shard }),
    ...(agreed.length > 0 && { fingerprint: combineFingerprints(agreed) }),
  };
}

function formatSummary(command: string, rows: readonly FleetRow[], shard: FleetShard | undefined): string {
  const part = shard ? ` of ${shard.all.length}, part ${shard.index} of parts 0 to ${shard.of - 1}` : "";
  const states = formatStates(rows);
  const unknown = rows.filter(({ unknownPasswords }) => unknownPasswords !== undefined).length;
  // What a saved plan counts is not known to differ still.
  const compared = command === "plan" ? rows.filter(({ state }) => state === "in sync") : [];
  const left = compared.filter(({ families }) => [...families].some(hasChanges)).length;
  return [
    `${pluralise(rows.length, "target")}${part}${states === "" ? "" : `: ${states}`}.`,
    ...(left === 0 ? [] : [`On ${pluralise(left, "target")}, differences are left as they are.`]),
    ...(unknown === 0 ? [] : [`Passwords on ${pluralise(unknown, "target")} are unknown: no server shows them.`]),
  ].join(" ");
}

function hasChanges([, cell]: readonly [Family, FleetCell]): boolean {
  return cell.create + cell.update + cell.delete + cell.left > 0;
}

function formatStates(rows: readonly FleetRow[]): string {
  const count = (state: FleetState) => rows.filter((row) => row.state === state).length;
  return formatCounts(shownStates.map(([state, words]) => [count(state), words]));
}

/** In the order in which they are counted, and how a sentence says it. */
const shownStates: readonly (readonly [FleetState, string])[] = [
  ["in sync", "in sync"],
  ["valid", "valid"],
  ["passed", "passed"],
  ["done", "done"],
  ["yes", "yes"],
  ["no", "no"],
  ["unknown", "unknown"],
  ["applied", "applied"],
  ["changes", "with changes"],
  ["drift", "with drift"],
  ["left open", "with a run that left something open"],
  ["refused", "refused"],
  ["stopped part-way", "stopped part-way"],
  ["invalid files", "with errors in their files"],
  ["failed", "failed"],
  ["unreachable", "unreachable"],
  ["not attempted", "not attempted"],
  ["not reported", "not reported"],
];

export const fleetStates: readonly FleetState[] = shownStates.map(([state]) => state);

/** The row of a target that was planned. */
export function createPlannedRow(view: PlanView, exitCode: number): FleetRow {
  const { target, families, requests, fingerprint, isRefused, unknownPasswords } = view;
  const isPlanned = families.some(({ changes }) => changes.some(isPending));
  return {
    name: view.plan.target.name,
    state: exitCode === exitCodes.invalid ? "invalid files" : isRefused ? "refused" : isPlanned ? "changes" : "in sync",
    exitCode,
    url: target.url,
    server: `${target.product} ${target.release}`,
    families: new Map(families.map((family) => [family.family, createCell(family)])),
    requests: requests.length,
    ...(unknownPasswords > 0 && { unknownPasswords }),
    fingerprint,
  };
}

function createCell({ changes }: FamilyView): FleetCell {
  const { leave, ...counts } = countActions(changes);
  return { ...counts, left: leave };
}

/** The row of a target whose plan was saved. */
export function createSavedRow({ name, url, server }: RecordedTarget, saved: SavedPlan): FleetRow {
  const { changes, operations, fingerprint } = saved;
  const cells = allFamilies.flatMap((family) => {
    const some = changes.filter((change) => change.family === family);
    if (some.length === 0) return [];
    const { leave, ...counts } = countActions(some);
    return [[family, { ...counts, left: leave }] as const];
  });
  return {
    name,
    state: operations.length > 0 ? "changes" : "in sync",
    exitCode: 0,
    url: escapeInvisible(url),
    server: escapeInvisible(`${server.product} ${server.release}`),
    families: new Map(cells),
    requests: operations.length,
    fingerprint: operations.length > 0 ? fingerprint : "",
  };
}

/** The row of a target whose run ended early. */
export function createFailedRow(name: string, error: RunError): FleetRow {
  const states = { invalid: "invalid files", partial: "stopped part-way" } as const;
  const state =
    error.name === "UnreachableError" ? "unreachable" : (states[error.kind as keyof typeof states] ?? "failed");
  return { name, state, exitCode: error.exitCode, families: new Map(), requests: 0, fingerprint: "" };
}

/** `+1 ~2`; `=` where the family is as declared, empty where it is not declared. */
export function formatCell(cell: FleetCell | undefined): string {
  if (!cell) return "";
  const counts = [
    ["+", cell.create],
    ["~", cell.update],
    ["-", cell.delete],
    ["?", cell.left],
  ] as const;
  const shown = counts.flatMap(([sign, count]) => (count === 0 ? [] : [`${sign}${count}`]));
  return shown.length === 0 ? "=" : shown.join(" ");
}

/** Which of all targets something is about: `all 30 targets`, `28 of 30 targets, all but lab and prod-eu`. */
export function formatTargets(names: readonly string[], all: readonly string[]): string {
  if (names.length === 1) return joinNames(names);
  if (names.length === all.length) return `all ${all.length} targets`;
  const chosen = new Set(names);
  const others = all.filter((name) => !chosen.has(name));
  const head = `${names.length} of ${all.length} targets`;
  if (others.length <= mostExceptions && others.length < names.length) return `${head}, all but ${joinNames(others)}`;
  const left = names.length - mostNamed;
  return left > 1
    ? `${head}: ${joinNames(names.slice(0, mostNamed))} and ${left} more`
    : `${head}: ${joinNames(names)}`;
}

const mostExceptions = 4;
const mostNamed = 8;

/** Each finding once, with the targets that it is for where these are not all. */
export function listFleetFindings({ rows, parts }: FleetView): readonly ReviewFinding[] {
  const all = rows.map(({ name }) => name);
  return parts.flatMap(({ targets, findings }) => {
    const about = targets.length === all.length ? [] : [`This is about ${formatTargets(targets, all)}.`];
    return findings.map((finding) => ({ ...finding, sentences: [...finding.sentences, ...about] }));
  });
}
