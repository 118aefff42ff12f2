import { everything, indexPattern, patternCondition, widest } from "../coverage.ts";
import type { Granted } from "../groups.ts";
import { type Holding, holdingCondition } from "../holders.ts";
import type { Held } from "../judge.ts";
import { conditionsOfElement, type Covering as LimitsCovering } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import { placesOf, restrictionPattern } from "../places.ts";
import { type IndexRule, isRestricting } from "../roles.ts";
import type { Subject } from "../subject.ts";
import { type Condition, ifAll, ifAny, keyOf, type Verdict, verdictOf } from "../verdict.ts";
import { verdictOfCode, verdicts } from "./codes.ts";
import type { Parts } from "./parts.ts";

/** An element of a role that covers an index, or may. */
export interface Covering {
  readonly role: string;
  readonly code: number;
  readonly when: Condition;
  /** Of what is unknown, for people to read. */
  readonly depends: string;
  readonly actions: readonly Granted[];
  /** The same for what says the same of actions and restrictions, and covers an index on the same condition. */
  readonly signature: string;
  /** What it leaves to be seen, and on what condition. */
  readonly limits?: LimitsCovering;
}

export interface Coverings {
  /** What covers the indices of a part. */
  readonly covering: (index: number) => readonly Covering[];
  /** What takes from the indices of a part. */
  readonly excluding: (index: number) => readonly Covering[];
}

/** How an element of a role reaches the parts of the indices. */
interface Reach {
  /** Whether its patterns do, for any holder of the role. */
  readonly codes: Uint8Array;
  readonly at: (index: number) => Pick<Covering, "code" | "when" | "depends">;
}

/** The field by which an element hinges on what is not known. */
const fieldOf: Readonly<Record<NonNullable<IndexRule["hinges"]>, string>> = {
  types: "document_types",
  alias: "alias_permissions",
  "data-stream": "data_stream_permissions",
};

/** What of the roles that a subject holds covers each part of the indices. */
export function coveringsOf(model: AccessModel, held: readonly Held[], subject: Subject, indices: Parts): Coverings {
  const { judging } = model.state;
  const meaning = memo((pattern: string) => ({ meant: indexPattern(pattern, judging, subject) }));
  const none = new Uint8Array(indices.atoms.length);
  const met = memo((pattern: string): Uint8Array => {
    const { meant } = meaning(pattern);
    if (meant === undefined) return none;
    if (typeof meant === "string") return indices.metBy(meant);
    const most = widest(pattern);
    return most === undefined ? none.map(() => verdicts.unknown) : atMost(indices.metBy(most), verdicts.unknown);
  });
  const metAt = (pattern: string, index: number): Verdict => verdictOfCode(met(pattern)[index]);
  const reachOf = (
    holding: Holding,
    patterns: readonly string[],
    others: readonly Condition[],
    hinges: IndexRule["hinges"],
  ): Reach => {
    const codes = either(indices, patterns.map(met));
    const isSure = others.every((one) => one === "yes");
    const doubt = hinges ? fieldOf[hinges] : `role ${holding.role}`;
    return {
      codes,
      at(index) {
        const code = Math.min(codes[index] ?? verdicts.no, isSure ? verdicts.yes : verdicts.unknown);
        if (code !== verdicts.unknown) return { code, when: verdictOfCode(code) === "yes" ? "yes" : "no", depends: "" };
        const own = patterns.map((pattern) => patternCondition(pattern, metAt(pattern, index)));
        const unsure = patterns.find((pattern) => metAt(pattern, index) === "unknown") ?? "";
        const depends = codes[index] === verdicts.yes ? doubt : unsure;
        return { code, when: ifAll([...others, ifAny(own)]), depends };
      },
    };
  };
  const reaching = held.flatMap(({ holding, rules }) =>
    rules.index.map((rule) => {
      const { patterns, hinges } = rule;
      const others = conditionsOfElement(holding, rule);
      const by = reachOf(holding, patterns, others, hinges);
      const limiting = patterns.includes("_all")
        ? either(indices, patterns.map(restrictionPattern).map(met))
        : by.codes;
      const isOpen = !isRestricting(rule.restricts) && limiting === by.codes;
      return {
        role: holding.role,
        rule,
        others,
        by,
        limiting,
        isOpen,
        text: numberOf(rule),
        known: new Map<string, Covering>(),
      };
    }),
  );
  const coveringAt = (one: (typeof reaching)[number], index: number): Covering => {
    const { role, rule, others, by, limiting, isOpen, text, known } = one;
    const { patterns, restricts, actions } = rule;
    // Of what restricts nothing, it is all the same by which of its patterns it covers an index for certain.
    const isPlain = isOpen && by.codes[index] === verdicts.yes;
    const metBy = () => patterns.map((pattern) => met(restrictionPattern(pattern))[index]).join("");
    // What has a variable may cover hundreds of indices, all in the same way.
    const key = isPlain ? "" : `${by.codes[index]} ${patterns.length === 1 ? limiting[index] : metBy()}`;
    const found = known.get(key);
    if (found) return found;
    const places = isPlain
      ? placesOf(others, [{ pattern: everything, verdict: "yes" }], judging, subject)
      : placesOf(
          others,
          patterns.map((pattern) => ({ pattern, verdict: metAt(restrictionPattern(pattern), index) })),
          judging,
          subject,
        );
    const reached = by.at(index);
    const isThere = ifAny(places.map(({ when }) => when));
    const limits = { role, verdict: verdictOf(isThere), restricts, by: places };
    const seen = isRestricting(restricts) ? places.map((place) => [place.key, keyOf(place.when)]) : keyOf(isThere);
    const signature = `${signatureOf(text, reached)} ${JSON.stringify(seen)}`;
    const made: Covering = { role, ...reached, actions, signature, limits };
    known.set(key, made);
    return made;
  };
  const refusing = held.flatMap(({ holding, rules }) =>
    rules.notIndex.map((rule) => {
      const by = reachOf(holding, rule.patterns, [holdingCondition(holding)], undefined);
      return { role: holding.role, actions: rule.actions, by, text: numberOf(rule) };
    }),
  );
  return {
    // Hardly any of them covers it, and there are many: nothing is made for those that do not.
    covering: memo((index) => reaching.filter(({ limiting }) => limiting[index]).map((one) => coveringAt(one, index))),
    excluding: memo((index) =>
      refusing
        .filter(({ by }) => by.codes[index])
        .map(({ role, by, actions, text }): Covering => {
          const reached = by.at(index);
          return { role, ...reached, actions, signature: signatureOf(text, reached) };
        }),
    ),
  };
}

function signatureOf(text: number, { code, when }: Pick<Covering, "code" | "when">): string {
  return `${text} ${code} ${keyOf(when)}`;
}

/** The same for cluster permissions that are the same, held on the same condition. */
export function clusterSignature(actions: readonly Granted[], when: Condition): string {
  return `${numberOfText(JSON.stringify(actions.map(({ pattern }) => pattern)))} ${keyOf(when)}`;
}

/** What a rule says, but for what it is about. */
type Saying = Pick<IndexRule, "actions"> & Partial<Pick<IndexRule, "restricts">>;

const numbered = new WeakMap<Saying, number>();
const numbers = new Map<string, number>();
const mostNumbers = 100_000;
let last = 0;

function numberOf(rule: Saying): number {
  const number =
    numbered.get(rule) ?? numberOfText(JSON.stringify([rule.actions.map(({ pattern }) => pattern), rule.restricts]));
  numbered.set(rule, number);
  return number;
}

/** The same for the same text; none is given to another one again. */
function numberOfText(text: string): number {
  if (numbers.size >= mostNumbers) numbers.clear();
  const number = numbers.get(text) ?? ++last;
  numbers.set(text, number);
  return number;
}

export function either({ atoms }: Parts, all: readonly Uint8Array[]): Uint8Array {
  const [only] = all;
  if (only && all.length === 1) return only;
  const found = new Uint8Array(atoms.length);
  for (const codes of all)
    for (let at = 0; at < found.length; at++) found[at] = Math.max(found[at] ?? 0, codes[at] ?? 0);
  return found;
}

export function atMost(codes: Uint8Array, most: number): Uint8Array {
  return most === verdicts.yes ? codes : codes.map((code) => Math.min(code, most));
}

export function memo<K, R>(work: (key: K) => R): (key: K) => R {
  const known = new Map<K, R>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = work(key);
    known.set(key, made);
    return made;
  };
}
