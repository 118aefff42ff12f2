import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { escapeAsYaml } from "../../json/invisible.ts";
import { quoteForShell } from "../../json/quoted.ts";
import type { Address } from "../../model/names.ts";
import type { Violation } from "../../model/plan.ts";
import type { Waiver } from "../../model/waiver.ts";
import type { Finding } from "./guard.ts";
import { waivableRules } from "./rules.ts";

export interface WaiverInput {
  /** `RULE`, `RULE=TYPE` or `RULE=ADDRESS`, for this run. */
  readonly allowed: readonly string[];
  /** Of the repository; absent where no file could hold one, as for a rollback. */
  readonly waivers?: readonly Waiver[] | undefined;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** Rules that could not be checked here: their waivers may be needed in another run. */
  readonly unchecked?: readonly string[] | undefined;
}

export interface WaivedViolations {
  readonly violations: readonly Violation[];
  readonly waived: readonly Finding[];
  /** What was waived, by whom. */
  readonly notes: readonly string[];
  /** Waivers that waive nothing, or no longer. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A violation is waived when all of its addresses are: one more address than was waived, and it refuses again. */
export function waiveViolations(
  findings: readonly Finding[],
  { allowed, waivers, today, unchecked = [] }: WaiverInput,
): WaivedViolations {
  const written = waivers ?? [];
  const isValid = ({ until }: Waiver) => until === undefined || today <= until;
  const valid = written.filter(isValid);
  const violated = violatedByRule(findings);
  const evaluated = findings.map((finding) => evaluate(finding, allowed, waivers && valid));
  return {
    violations: evaluated.flatMap(({ violation }) => (violation ? [violation] : [])),
    waived: evaluated.flatMap(({ waived }) => (waived ? [waived] : [])),
    notes: [...evaluated.flatMap(({ notes }) => notes), ...idleWords(allowed, findings, unchecked)],
    diagnostics: [
      ...written.filter((waiver) => !isValid(waiver)).map(expired),
      ...valid.filter(({ rule }) => !unchecked.includes(rule)).flatMap((waiver) => unused(waiver, violated)),
    ],
  };
}

function evaluate(
  finding: Finding,
  allowed: readonly string[],
  waivers: readonly Waiver[] | undefined,
): { readonly violation?: Violation; readonly waived?: Finding; readonly notes: readonly string[] } {
  const { rule, addresses, what } = finding;
  // Of what names no entry nothing can be agreed to.
  if (!waivableRules.includes(rule) || addresses.length === 0)
    return { violation: { ...finding, remedies: [] }, notes: [] };
  const found = new Set(addresses);
  const relevant = (waivers ?? []).filter(
    (waiver) => waiver.rule === rule && waiver.addresses.some((one) => found.has(one)),
  );
  const agreed = new Set(relevant.flatMap((waiver) => waiver.addresses));
  const byFlag = new Set(addresses.filter((address) => !agreed.has(address) && isAllowed(rule, address, allowed)));
  const isWaived = (address: Address): boolean => agreed.has(address) || byFlag.has(address);
  const left = addresses.filter((address) => !isWaived(address));
  if (left.length > 0) {
    const waived = addresses.filter(isWaived);
    return {
      violation: standing(finding, left, waivers !== undefined),
      ...(waived.length > 0 && { waived: { ...finding, addresses: waived } }),
      notes: [],
    };
  }
  return {
    waived: finding,
    notes: [
      ...waiverWords(relevant).map((words) => `${words}: ${what}`),
      ...(byFlag.size > 0 ? [`Allowed for this run (--allow ${rule}): ${what}`] : []),
    ],
  };
}

/** Up to this many are shown one by one; more are grouped by reason. */
const mostExplained = 20;

function waiverWords(waivers: readonly Waiver[]): readonly string[] {
  const byReason = new Map<string, Waiver[]>();
  for (const waiver of waivers) {
    const key = waivers.length <= mostExplained ? String(byReason.size) : waiver.reason;
    const known = byReason.get(key) ?? [];
    known.push(waiver);
    byReason.set(key, known);
  }
  return [...byReason.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${others.length} more place${others.length === 1 ? "" : "s"}`;
    return [`Waived at ${formatLocation(first.origin)}${more} (${first.rule}: ${first.reason})`];
  });
}

function isAllowed(rule: string, address: Address, allowed: readonly string[]): boolean {
  const [family] = address.split("/", 1);
  return allowed.some((word) => word === rule || word === `${rule}=${family}` || word === `${rule}=${address}`);
}

/** An address or a family in no finding was perhaps misspelt; a rule as a whole may be waived in any pipeline. */
function idleWords(
  allowed: readonly string[],
  findings: readonly Finding[],
  unchecked: readonly string[],
): readonly string[] {
  const isIdle = (word: string): boolean =>
    word.includes("=") &&
    !unchecked.some((rule) => word.startsWith(`${rule}=`)) &&
    !findings.some(({ rule, addresses }) => addresses.some((address) => isAllowed(rule, address, [word])));
  return allowed.filter(isIdle).map((word) => `--allow ${quoteForShell(word)} waived nothing.`);
}

function standing(finding: Finding, left: readonly Address[], mayWaiver: boolean): Violation {
  const { rule, family, addresses, why } = finding;
  const agreed = addresses.length - left.length;
  const also = agreed === 0 ? undefined : `${agreed} of them ${agreed === 1 ? "is" : "are"} waived; these are not:`;
  const shown = [why, also].filter((line) => line !== undefined).join(" ");
  const [only, ...others] = left;
  const scope = others.length === 0 ? `=${only}` : family === undefined ? "" : `=${family}`;
  return {
    ...finding,
    ...(shown !== "" && { why: shown }),
    addresses: left,
    remedies: [
      { how: "for this run", text: `--allow ${quoteForShell(`${rule}${scope}`)}` },
      ...(mayWaiver ? [{ how: "in a state file, as long as it is there", text: waiverFor(rule, left) }] : []),
    ],
  };
}

/** To be pasted into a state file, and reviewed like anything else there. */
function waiverFor(rule: string, addresses: readonly Address[]): string {
  const lines = addresses.map(
    (address) => `      - ${/^[\w./-]+$/.test(address) ? address : escapeAsYaml(JSON.stringify(address))}`,
  );
  return ["waivers:", `  - rule: ${rule}`, "    addresses:", ...lines, "    reason: WHY"].join("\n");
}

function expired({ rule, until, origin }: Waiver): Diagnostic {
  return createDiagnostic(origin, "expired-waiver", {
    what: `The waiver to ${rule} counted until ${until}.`,
    why: "It waives nothing any more.",
    fix: "Remove it, or give it another date.",
  });
}

function violatedByRule(findings: readonly Finding[]): ReadonlyMap<string, ReadonlySet<Address>> {
  const violated = new Map<string, Set<Address>>();
  for (const { rule, addresses } of findings) {
    const known = violated.get(rule) ?? new Set();
    for (const address of addresses) known.add(address);
    violated.set(rule, known);
  }
  return violated;
}

function unused(
  { rule, addresses, origin }: Waiver,
  violated: ReadonlyMap<string, ReadonlySet<Address>>,
): readonly Diagnostic[] {
  const idle = addresses.filter((address) => !violated.get(rule)?.has(address));
  if (idle.length === 0) return [];
  const of = idle.length === addresses.length ? "" : ` for ${idle.join(", ")}`;
  return [
    createDiagnostic(origin, "unused-waiver", {
      what: `The waiver to ${rule} waives nothing${of}.`,
      why: "What was agreed to is done, or never came. Left there, it would waive a later accident.",
      fix: "Take it out, or into a state file of the target that it is meant for.",
    }),
  ];
}
