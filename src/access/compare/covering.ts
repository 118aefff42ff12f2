import { indexPattern } from "../coverage.ts";
import type { Granted } from "../groups.ts";
import type { Held } from "../judge.ts";
import { type limitsBy, restrictionKey, restrictionPattern } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import type { IndexRule } from "../roles.ts";
import type { Subject } from "../subject.ts";
import type { Verdict } from "../verdict.ts";
import { verdictOf, verdicts } from "./codes.ts";
import type { Parts } from "./parts.ts";

/** An element of a role that covers an index, or may. */
export interface Covering {
  readonly code: number;
  readonly depends: string;
  readonly actions: readonly Granted[];
  /** The same for what says the same of actions and restrictions, and covers an index in the same way. */
  readonly signature: string;
  /** What it leaves to be seen, and how surely it does. */
  readonly limits?: LimitsCovering;
}

type LimitsCovering = Parameters<typeof limitsBy>[0][number];

export interface Coverings {
  /** What covers the indices of a part. */
  readonly covering: (index: number) => readonly Covering[];
  /** What takes from the indices of a part. */
  readonly excluding: (index: number) => readonly Covering[];
}

/** How an element of a role meets the parts of the indices. */
interface Reach {
  readonly codes: Uint8Array;
  /** On what it depends whether it meets a part, where that is unknown. */
  readonly depends: (index: number) => string;
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
    return typeof meant === "string" ? indices.metBy(meant) : none.map(() => verdicts.unknown);
  });
  const reachOf = (role: string, holds: Verdict, patterns: readonly string[], hinges: IndexRule["hinges"]): Reach => {
    const all = patterns.map(met);
    const found = either(indices, all);
    const doubt = hinges ? fieldOf[hinges] : holds === "unknown" ? `role ${role}` : undefined;
    return {
      codes: doubt === undefined ? found : atMost(found, verdicts.unknown),
      depends(index) {
        if (found[index] === verdicts.yes) return doubt ?? "";
        return patterns.find((_, at) => all[at]?.[index] === verdicts.unknown) ?? "";
      },
    };
  };
  const reaching = held.flatMap(({ holding: { role, verdict }, rules }) =>
    rules.index.map((rule) => {
      const { patterns, hinges } = rule;
      const meant = patterns.map(restrictionPattern);
      const by = reachOf(role, verdict, patterns, hinges);
      const limiting = patterns.includes("_all") ? reachOf(role, verdict, meant, hinges) : by;
      const keys = uniqueKeys(meant);
      return { role, rule, meant, keys, by, limiting, text: numberOf(rule), known: new Map<string, Covering>() };
    }),
  );
  const coveringAt = (
    { role, rule, meant, keys: all, by, limiting, text, known }: (typeof reaching)[number],
    index: number,
  ): Covering => {
    const keys = all.length === 1 ? all : uniqueKeys(meant.filter((pattern) => met(pattern)[index]));
    const code = by.codes[index] ?? verdicts.no;
    const depends = code === verdicts.unknown ? by.depends(index) : "";
    const limit = limiting.codes[index];
    // What has a variable may cover hundreds of indices, all in the same way.
    const key = `${code} ${limit} ${all.length === 1 ? depends : JSON.stringify([keys, depends])}`;
    const found = known.get(key);
    if (found) return found;
    const limits = { role, verdict: verdictOf(limit), restricts: rule.restricts, keys };
    const signature = signatureOf(text, code, depends, keys);
    const made: Covering = { code, depends, actions: rule.actions, signature, limits };
    known.set(key, made);
    return made;
  };
  const refusing = held.flatMap(({ holding: { role, verdict }, rules }) =>
    rules.notIndex.map((rule) => {
      return { actions: rule.actions, by: reachOf(role, verdict, rule.patterns, undefined), text: numberOf(rule) };
    }),
  );
  return {
    // Hardly any of them covers it, and there are many: nothing is made for those that do not.
    covering: memo((index) =>
      reaching.filter(({ limiting }) => limiting.codes[index]).map((one) => coveringAt(one, index)),
    ),
    excluding: memo((index) =>
      refusing
        .filter(({ by }) => by.codes[index])
        .map(({ by, actions, text }): Covering => {
          const code = by.codes[index] ?? verdicts.no;
          const depends = code === verdicts.unknown ? by.depends(index) : "";
          return { code, depends, actions, signature: signatureOf(text, code, depends, []) };
        }),
    ),
  };
}

function signatureOf(text: number, code: number, depends: string, keys: readonly string[]): string {
  return `${text} ${code} ${JSON.stringify([depends, keys])}`;
}

function uniqueKeys(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.map(restrictionKey))].sort();
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
