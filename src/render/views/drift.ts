import { getPosition } from "../../diagnostics/source.ts";
import {
  type DriftDifference,
  type DriftReport,
  type DriftSide,
  isDrift,
  isUnnamed,
  type ListedApiKey,
} from "../../model/drift.ts";
import { createAddress, type Family } from "../../model/names.ts";
import { escapeInvisible } from "../escape.ts";
import { type ChangeView, createChangeView, reasonWords, unknownWords } from "./change.ts";
import type { Remark } from "./change-parts.ts";
import { type DiagnosticsView, noDiagnostics } from "./diagnostics.ts";
import { countInSync, countUnknownPasswords, formatInSync, getFamilyTitle, groupByFamily } from "./family.ts";
import { createTargetView, type TargetView } from "./target.ts";
import { passwordsAreUnknown, pluralise } from "./words.ts";

/** Everything that a format shows of a drift report. Texts are fit to be shown. */
export interface DriftView {
  readonly target: TargetView;
  /** What the server was compared with. */
  readonly baseline: string;
  /** What the signs of the differences say; empty where there are none. */
  readonly legend: string;
  /** `Drift: 2 changed on the server, 1 changed in both.`, and what else there is. */
  readonly summary: string;
  readonly isDrift: boolean;
  /** How many users are in sync but for their passwords, which are unknown. */
  readonly unknownPasswords: number;
  readonly families: readonly DriftFamilyView[];
  readonly notes: readonly string[];
  /** Of a run that asks for them; `notes` have them, too. */
  readonly apiKeys?: readonly ApiKeyView[];
  /** What the files do that is no error. */
  readonly warnings: DiagnosticsView;
  /** As the model has it, for programs. */
  readonly report: Omit<DriftReport, "differences" | "changes">;
}

export interface DriftFamilyView {
  readonly family: Family;
  /** `Role mappings`. */
  readonly title: string;
  readonly inSync: number;
  /** `41 in sync`, `2 in sync but for passwords`. */
  readonly inSyncCounts: string;
  readonly hasUnknownPasswords: boolean;
  readonly differences: readonly DifferenceView[];
}

/**
 * An entry that is not as it is declared. Signs and fields show what the side that changed did: from the declaration to
 * what the server holds, and the other way round where only git changed.
 */
export interface DifferenceView extends ChangeView, Pick<DriftDifference, "moved" | "counts" | "author"> {
  /** What a plan would do about it: from what the server holds to the declaration. */
  readonly planned: ChangeView;
  readonly isDrift: boolean;
  /** `roles/hr_reader`, fit to be shown. */
  readonly address: string;
  /** Where it is declared. */
  readonly declaredAt?: { readonly file: string; readonly line: number };
  /** `changed on the server: added on the server`; of what is only observed, that too. */
  readonly whoMoved: string;
  /** `declared by Ann (0123456789ab)`; empty where that is unknown. */
  readonly declaredBy: string;
  /** `not on the server`, `not declared`, `differs`. */
  readonly difference: string;
}

/** An API key of the server. Texts are fit to be shown. */
export interface ApiKeyView {
  readonly name: string;
  /** `not named by api_keys of the target; asleep, …`. */
  readonly what: string;
  readonly sentence: string;
  readonly isDrift: boolean;
}

export function createDriftView(report: DriftReport, warnings = noDiagnostics): DriftView {
  const apiKeys = report.apiKeys && listApiKeyViews(report.apiKeys);
  const differences = report.differences.map(createDifferenceView);
  return {
    target: createTargetView(report.target),
    baseline: formatBaseline(report.baseline),
    // Of a password there is nothing to show.
    legend: formatLegend(report.differences.filter(({ change }) => change.reason !== "not-rotated")),
    summary: formatSummary(report),
    isDrift: differences.some(isDrift) || apiKeys?.some((key) => key.isDrift) === true,
    unknownPasswords: countUnknownPasswords(report.changes),
    families: groupByFamily(report.changes).map(({ family, changes }) => ({
      family,
      title: getFamilyTitle(family),
      inSync: countInSync(changes),
      inSyncCounts: formatInSync(countInSync(changes), countUnknownPasswords(changes)) || "0 in sync",
      hasUnknownPasswords: countUnknownPasswords(changes) > 0,
      differences: differences.filter((difference) => difference.family === family),
    })),
    notes: [...formatApiKeys(apiKeys), ...report.notes.map(escapeInvisible)],
    ...(apiKeys && { apiKeys }),
    warnings,
    report,
  };
}

function createDifferenceView(difference: DriftDifference): DifferenceView {
  const { change, moved, counts, author } = difference;
  const { family, name, origin } = change;
  const planned = createChangeView(change);
  return {
    ...(moved === "git" ? planned : reverse(planned)),
    planned,
    aside: origin === undefined ? "not declared" : planned.place,
    moved,
    counts,
    ...(author && { author }),
    isDrift: isDrift(difference),
    address: escapeInvisible(createAddress(family, name)),
    ...(origin && {
      declaredAt: { file: escapeInvisible(origin.file.path), line: getPosition(origin.file, origin.start).line },
    }),
    whoMoved: formatWhoMoved(difference),
    declaredBy: author ? `declared by ${escapeInvisible(author.name)} (${author.commit.slice(0, 12)})` : "",
    difference: formatDifference(difference),
  };
}

function formatLegend(differences: readonly DriftDifference[]): string {
  const ofOneSide = differences.filter(({ moved }) => moved === "git" || moved === "live").length;
  const [byOne, byOthers] = [
    "+ is what the side that changed added, - what it removed",
    "+ is on the server only, - is declared only",
  ];
  if (differences.length === 0) return "";
  if (ofOneSide === 0) return `${byOthers}.`;
  return ofOneSide === differences.length ? `${byOne}.` : `${byOne}; where that is not one side, ${byOthers}.`;
}

const reversedActions = { create: "delete", delete: "create", update: "update", leave: "leave" } as const;
const reversedSigns = { "+": "-", "-": "+", "~": "~", "?": "?" } as const;

function reverse({ before, after, edits, action, sign, managedWhole: _, ...view }: ChangeView): ChangeView {
  return {
    ...view,
    action: reversedActions[action],
    sign: reversedSigns[sign],
    edits: edits.map(({ path, before: was, after: is }) => ({
      path,
      ...(is !== undefined && { before: is }),
      ...(was !== undefined && { after: was }),
    })),
    ...(after && { before: after }),
    ...(before && { after: before }),
  };
}

const movedWords: Readonly<Record<DriftSide, string>> = {
  git: "changed in git",
  live: "changed on the server",
  both: "changed in both",
  unknown: "origin unknown",
};

function formatWhoMoved({ moved, counts, change }: DriftDifference): string {
  const { reason } = change;
  if (reason === "unknown") return "unknown whether the server has it";
  if (reason === "not-rotated")
    return counts ? "password changed in git, not written" : "password changed in git; observed only";
  if (reason === "other-hash") return counts ? "hash differs; origin unknown" : "hash differs; observed only";
  if (change.unknown && change.edits.length === 0) return unknownWords;
  const how = formatHowMoved({ moved, change });
  const explained = how === "" ? movedWords[moved] : `${movedWords[moved]}: ${how}`;
  return counts ? explained : `${explained}; ${reasonWords[reason]}, left as it is`;
}

/** What the side that changed did to a whole entry. */
function formatHowMoved({ moved, change }: Pick<DriftDifference, "moved" | "change">): string {
  const isThere = change.before !== undefined;
  const isDeclared = change.after !== undefined;
  if (isThere === isDeclared) return "";
  if (moved === "live") return isThere ? "added on the server" : "deleted on the server";
  if (moved === "git") return isThere ? "no longer declared" : "newly declared";
  return "";
}

function formatDifference({ change: { before, after, action, reason } }: DriftDifference): string {
  if (reason === "unknown") return "cannot be compared";
  if (action === "create" || (before === undefined && after !== undefined)) return "not on the server";
  return after === undefined && before !== undefined ? "not declared" : "differs";
}

/** Who moved, and who declared it. Where many are only named, the latter is left out, as it may be anybody. */
export function formatDriftRemark({ whoMoved, declaredBy }: DifferenceView, onlyNamed = false): string {
  return onlyNamed || declaredBy === "" ? whoMoved : `${whoMoved}; ${declaredBy}`;
}

/** The remark on a difference. Long lists show together only what has one `kind`: who moved. */
export function getDriftRemark(difference: DifferenceView): Remark {
  return { text: formatDriftRemark(difference), kind: difference.whoMoved };
}

export function formatBaseline(baseline: DriftReport["baseline"]): string {
  switch (baseline?.kind) {
    case undefined:
      return "No baseline: which side changed is unknown. Name what was applied by --applied-ref or --baseline.";
    case "commit":
      return `Compared with what was declared at ${escapeInvisible(baseline.ref)} (${baseline.commit.slice(0, 12)}).`;
    case "plan-file":
      return `Compared with what the plan in ${escapeInvisible(baseline.path)} declares (${baseline.fingerprint.slice(0, 12)}). Of what it does not change, the origin is unknown.`;
    case "journal":
      return formatRecorded(baseline);
  }
}

function formatRecorded({ time, run, older }: Extract<DriftReport["baseline"], { readonly kind: "journal" }>): string {
  const last = `${escapeInvisible(time).slice(0, 16).replace("T", " ")} UTC, run ${escapeInvisible(run)}`;
  if (older === undefined) return `Compared with what the last run declared (${last}).`;
  return `Compared with what the last run (${last}) and ${pluralise(older, "run")} before it declared: each entry with the newest that wrote it or found it in sync.`;
}

function noDrift(changes: DriftReport["changes"]): string {
  return countUnknownPasswords(changes) === 0 ? "No drift." : `No drift. ${passwordsAreUnknown}`;
}

const keyStates: Readonly<Record<ListedApiKey["state"], string>> = {
  works: "",
  asleep: "asleep, as api_tokens is off in the config",
  unknown: "whether api_tokens is on is unknown",
  revoked: "revoked",
  expired: "expired",
};

/** Those first that nobody has named. */
function listApiKeyViews(keys: readonly ListedApiKey[]): readonly ApiKeyView[] {
  return keys
    .map((key) => {
      const named = key.isNamed ? "named by api_keys" : "not named by api_keys of the target";
      const by = key.createdBy === undefined ? "" : `, made by ${key.createdBy}`;
      const what = [named, keyStates[key.state]].filter(Boolean).join("; ");
      return {
        name: escapeInvisible(key.name),
        what,
        sentence: escapeInvisible(`API key ${key.name}${by}: ${what}.`),
        isDrift: isUnnamed(key),
      };
    })
    .toSorted((one, other) => Number(other.isDrift) - Number(one.isDrift));
}

function formatApiKeys(keys: readonly ApiKeyView[] | undefined): readonly string[] {
  return keys?.length === 0 ? ["The server has no API keys."] : (keys ?? []).map(({ sentence }) => sentence);
}

function formatSummary({ differences, changes, ceased = 0, apiKeys = [] }: DriftReport): string {
  const drifted = differences.filter(isDrift);
  const counts = (["live", "both", "unknown"] as const).flatMap((moved) => {
    const count = drifted.filter((difference) => difference.moved === moved).length;
    return count === 0 ? [] : [`${count} ${movedWords[moved]}`];
  });
  if (ceased > 0) counts.push(`${ceased === 1 ? "1 resource type" : `${ceased} resource types`} no longer managed`);
  const unnamed = apiKeys.filter(isUnnamed).length;
  if (unnamed > 0) counts.push(`${pluralise(unnamed, "API key")} not named`);
  const inGit = differences.filter(({ moved, counts }) => counts && moved === "git");
  const passwords = inGit.filter(({ change }) => change.reason === "not-rotated").length;
  const pending = inGit.length - passwords;
  const left = differences.filter(({ counts }) => !counts).length;
  return [
    counts.length === 0 ? noDrift(changes) : `Drift: ${counts.join(", ")}.`,
    ...(pending === 0 ? [] : [`${pluralise(pending, "change")} of git not applied yet.`]),
    ...(passwords === 0 ? [] : [`${pluralise(passwords, "password")} changed in git, not written.`]),
    ...(left === 0 ? [] : [`${pluralise(left, "difference")} left as ${left === 1 ? "it is" : "they are"}.`]),
  ].join(" ");
}
