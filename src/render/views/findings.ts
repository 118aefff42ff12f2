import type { SourceRange } from "../../diagnostics/source.ts";
import { groupItems } from "../../json/collections.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { AccessBlock, AccessView } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";
import type { TestsView } from "./access-tests.ts";
import { createDiagnosticView, type DiagnosticsView } from "./diagnostics.ts";
import type { DriftView } from "./drift.ts";
import type { PlanView } from "./plan.ts";

/**
 * What a reviewer should see beside a line of a file, for the services that show such things: mistakes and warnings, what
 * refuses a plan, who gains access by it, drift, access tests that fail. What is waived is none.
 */
export interface ReviewFinding {
  /** What `gate-sync explain` knows it by: a code, a lint rule, a guard. */
  readonly rule: string;
  readonly level: FindingLevel;
  /** Fit to be shown, without secrets; the first says what is wrong. */
  readonly sentences: readonly string[];
  /** Absent where no file is to blame: it belongs to the target. */
  readonly range?: SourceRange;
  /** The file as a whole, where there is no range. */
  readonly path?: string;
  readonly related: readonly { readonly range: SourceRange; readonly sentence: string }[];
}

export type FindingLevel = "error" | "warning" | "note";

export function listDiagnosticFindings({ diagnostics }: DiagnosticsView): readonly ReviewFinding[] {
  return diagnostics.map((one) => {
    const { code, severity, range, sentences, related, diagnostic } = createDiagnosticView(one);
    const { path } = diagnostic;
    return {
      rule: code,
      level: severity,
      sentences,
      ...(range ? { range } : path !== undefined && { path }),
      related,
    };
  });
}

export function listPlanFindings(view: PlanView): readonly ReviewFinding[] {
  const origins = findPendingOrigins(view);
  const violations = view.violations.map(({ violation, rule, what, why, addresses }): ReviewFinding => {
    const places = [violation.origin, ...violation.addresses.map((address) => origins.get(address))];
    const names = addresses.length === 0 ? [] : [`${listSome(addresses)}.`];
    return {
      rule,
      level: "error",
      sentences: [what, ...(why === undefined ? [] : [why]), ...names],
      ...inFirst(places),
      related: [],
    };
  });
  return [
    ...listDiagnosticFindings(view.warnings),
    ...violations,
    ...(view.access ? listAccessFindings(view.access, origins) : []),
  ];
}

export function listDriftFindings({ families, warnings }: DriftView): readonly ReviewFinding[] {
  const drifted = families.flatMap(({ differences }) => differences.filter(({ isDrift }) => isDrift));
  return [
    ...listDiagnosticFindings(warnings),
    ...drifted.map(
      ({ address, whoMoved, declaredBy, origin }): ReviewFinding => ({
        rule: "drifted-entry",
        level: "warning",
        sentences: [`${address}: ${whoMoved}.`, ...(declaredBy === "" ? [] : [`It was ${declaredBy}.`])],
        ...(origin && { range: origin }),
        related: [],
      }),
    ),
  ];
}

export function listTestFindings({ tests }: TestsView): readonly ReviewFinding[] {
  return tests
    .filter(({ passes }) => !passes)
    .map(({ title, findings, tested }) => ({
      rule: "failed-access-test",
      level: "error",
      sentences: [
        `The access test "${title}" fails.`,
        ...findings.map(({ what, why }) => (why === "" ? what : `${what}: ${why}`)),
      ],
      range: tested.test.origin,
      related: [],
    }));
}

type Origins = ReadonlyMap<Address, SourceRange | undefined>;

/** Of what the plan changes, where it is declared; of what it deletes, nowhere. */
function findPendingOrigins({ families }: PlanView): Origins {
  const pending = families.flatMap(({ changes }) => changes.filter(({ state }) => state !== "left"));
  return new Map(pending.map(({ family, name, origin }) => [createAddress(family, name), origin]));
}

function listAccessFindings(access: AccessView, origins: Origins): readonly ReviewFinding[] {
  const blocks = [...access.administering, ...access.others, ...access.pairs, ...access.unknown];
  const found = [
    ...blocks.flatMap(({ who, lines }) => lines.flatMap((line) => gainOf(line, who, origins))),
    ...access.blocked.flatMap((line) => gainOf(line, "", origins)),
  ];
  return groupItems(found, ({ rule, sentences }) => JSON.stringify([rule, sentences])).map(([first]) => first);
}

function gainOf(line: AccessLine, who: AccessBlock["who"], origins: Origins): readonly ReviewFinding[] {
  const { sign, sentence, details, difference } = line;
  const isUnknown = sign === "?" && (difference?.kind === "may-gain" || difference?.kind === "may-change");
  if (sign !== "+" && !isUnknown) return [];
  return [
    {
      rule: isUnknown ? "access-may-be-gained" : "access-gained",
      level: "note",
      sentences: [who === "" ? sentence : `${who}: ${sentence}`, ...details],
      ...inFirst([...listChainPlaces(line, origins), ...listCauses(line).map((address) => origins.get(address))]),
      related: [],
    },
  ];
}

/** The lines that give it, of entries that the plan changes: where files declare them is known to some views. */
function listChainPlaces({ chain }: AccessLine, origins: Origins): readonly (SourceRange | undefined)[] {
  return chain.flatMap(({ kind, name, place }) => {
    const family = chainFamilies[kind];
    return family && origins.has(createAddress(family, name)) ? [place] : [];
  });
}

const chainFamilies = {
  itself: undefined,
  api_key: undefined,
  mapping: "role_mappings",
  role: "roles",
  group: "action_groups",
  permission: undefined,
} as const;

/** The entries on the way from the principal to what is gained: one of them is what the plan changes. */
function listCauses({ difference, tenants }: AccessLine): readonly Address[] {
  const via = difference?.via;
  const roles = [...(via ? [via.role] : []), ...(difference?.viaParts?.roles ?? [])];
  return [
    ...roles.flatMap((role) => [createAddress("role_mappings", role), createAddress("roles", role)]),
    ...(via?.groups ?? []).map((name) => createAddress("action_groups", name)),
    ...(tenants ?? []).map(({ tenant }) => createAddress("tenants", tenant)),
  ];
}

function inFirst(places: readonly (SourceRange | undefined)[]): { readonly range?: SourceRange } {
  const range = places.find((place) => place !== undefined);
  return range ? { range } : {};
}

function listSome(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  return names.length === shown.length ? shown.join(", ") : `${shown.join(", ")} and ${names.length - 10} more`;
}
