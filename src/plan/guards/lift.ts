import { type Diagnostic, diagnosticAt } from "../../diagnostics/diagnostic.ts";
import { locationOf } from "../../diagnostics/source.ts";
import type { Consent } from "../../model/consent.ts";
import type { Address } from "../../model/names.ts";
import type { Violation } from "../../model/plan.ts";
import type { Finding } from "./guard.ts";
import { isLiftable } from "./rules.ts";

export interface Lifting {
  /** `RULE`, `RULE=FAMILY` or `RULE=ADDRESS`, for this run. */
  readonly allowed: readonly string[];
  /** Of the repository; absent where none could stand, as a plan of no repository has none. */
  readonly consents?: readonly Consent[] | undefined;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** Rules that nobody could judge here: what lifts them may be needed elsewhere. */
  readonly unjudged?: readonly string[] | undefined;
}

export interface Lifted {
  readonly violations: readonly Violation[];
  readonly lifted: readonly Finding[];
  /** What was lifted, by whom. */
  readonly notes: readonly string[];
  /** Consents that lift nothing, or no longer. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A violation is lifted when all of its addresses are: one more than was agreed to, and it stands again. */
export function lift(findings: readonly Finding[], { allowed, consents, today, unjudged = [] }: Lifting): Lifted {
  const written = consents ?? [];
  const isValid = ({ until }: Consent) => until === undefined || today <= until;
  const valid = written.filter(isValid);
  const violated = violatedByRule(findings);
  const judged = findings.map((finding) => judge(finding, allowed, consents && valid));
  return {
    violations: judged.flatMap(({ violation }) => (violation ? [violation] : [])),
    lifted: findings.filter((_, at) => judged[at]?.violation === undefined),
    notes: [...judged.flatMap(({ notes }) => notes), ...idleWords(allowed, findings, unjudged)],
    diagnostics: [
      ...written.filter((consent) => !isValid(consent)).map(expired),
      ...valid.filter(({ rule }) => !unjudged.includes(rule)).flatMap((consent) => unused(consent, violated)),
    ],
  };
}

function judge(
  finding: Finding,
  allowed: readonly string[],
  consents: readonly Consent[] | undefined,
): { readonly violation?: Violation; readonly notes: readonly string[] } {
  const { rule, addresses, what } = finding;
  if (!isLiftable(rule)) return { violation: { ...finding, remedies: [] }, notes: [] };
  const found = new Set(addresses);
  const ours = (consents ?? []).filter(
    (consent) => consent.rule === rule && consent.addresses.some((one) => found.has(one)),
  );
  const agreed = new Set(ours.flatMap((consent) => consent.addresses));
  const byFlag = new Set(addresses.filter((address) => !agreed.has(address) && isAllowed(rule, address, allowed)));
  const left = addresses.filter((address) => !agreed.has(address) && !byFlag.has(address));
  if (left.length > 0) return { violation: standing(finding, left, consents !== undefined), notes: [] };
  return {
    notes: [
      ...consentWords(ours).map((words) => `${words}: ${what}`),
      ...(byFlag.size > 0 ? [`Allowed for this run (--allow ${rule}): ${what}`] : []),
    ],
  };
}

/** So many are told one by one; of more, those of one reason together. */
const mostTold = 20;

function consentWords(consents: readonly Consent[]): readonly string[] {
  const byReason = new Map<string, Consent[]>();
  for (const consent of consents) {
    const key = consents.length <= mostTold ? String(byReason.size) : consent.reason;
    const known = byReason.get(key) ?? [];
    known.push(consent);
    byReason.set(key, known);
  }
  return [...byReason.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${others.length} more place${others.length === 1 ? "" : "s"}`;
    return [`Consented to at ${locationOf(first.origin)}${more} (${first.rule}: ${first.reason})`];
  });
}

function isAllowed(rule: string, address: Address, allowed: readonly string[]): boolean {
  const [family] = address.split("/", 1);
  return allowed.some((word) => word === rule || word === `${rule}=${family}` || word === `${rule}=${address}`);
}

/** What was named and is in no finding was perhaps misspelt; a rule as a whole may stand in any pipeline. */
function idleWords(
  allowed: readonly string[],
  findings: readonly Finding[],
  unjudged: readonly string[],
): readonly string[] {
  const isIdle = (word: string): boolean =>
    word.includes("=") &&
    !unjudged.some((rule) => word.startsWith(`${rule}=`)) &&
    !findings.some(({ rule, addresses }) => addresses.some((address) => isAllowed(rule, address, [word])));
  return allowed.filter(isIdle).map((word) => `--allow ${shellWord(word)} lifted nothing.`);
}

function standing(finding: Finding, left: readonly Address[], mayConsent: boolean): Violation {
  const { rule, family, addresses, why } = finding;
  const agreed = addresses.length - left.length;
  const also =
    agreed === 0 ? undefined : `${agreed} of them ${agreed === 1 ? "is" : "are"} consented to; these are not:`;
  const told = [why, also].filter((line) => line !== undefined).join(" ");
  const [only, ...others] = left;
  const scope = others.length === 0 ? `=${only}` : family === undefined ? "" : `=${family}`;
  return {
    ...finding,
    ...(told !== "" && { why: told }),
    addresses: left,
    remedies: [
      { how: "for this run", text: `--allow ${shellWord(`${rule}${scope}`)}` },
      ...(mayConsent ? [{ how: "in a state file, as long as it stands there", text: consentFor(rule, left) }] : []),
    ],
  };
}

/** To be pasted into a state file, and reviewed like anything else there. */
function consentFor(rule: string, addresses: readonly Address[]): string {
  const lines = addresses.map((address) => `      - ${/^[\w./-]+$/.test(address) ? address : JSON.stringify(address)}`);
  return ["consents:", `  - rule: ${rule}`, "    addresses:", ...lines, "    reason: WHY"].join("\n");
}

function shellWord(word: string): string {
  return /^[\w=./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function expired({ rule, until, origin }: Consent): Diagnostic {
  return diagnosticAt(origin, "expired-consent", {
    what: `The consent to ${rule} counted until ${until}.`,
    why: "It lifts nothing any more.",
    fix: "Take it out, or agree anew with another date.",
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
  { rule, addresses, origin }: Consent,
  violated: ReadonlyMap<string, ReadonlySet<Address>>,
): readonly Diagnostic[] {
  const idle = addresses.filter((address) => !violated.get(rule)?.has(address));
  if (idle.length === 0) return [];
  const of = idle.length === addresses.length ? "" : ` for ${idle.join(", ")}`;
  return [
    diagnosticAt(origin, "unused-consent", {
      what: `The consent to ${rule} lifts nothing${of}.`,
      why: "What was agreed to is done, or never came. Standing there, it would lift a later accident.",
      fix: "Take it out, or into a state file of the target that it is meant for.",
    }),
  ];
}
