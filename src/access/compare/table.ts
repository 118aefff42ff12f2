import { knownActions, levelPatterns } from "../../dialects/requests.ts";
import type { Limits } from "../../model/access.ts";
import { isShutOut } from "../blocked.ts";
import { indexPattern } from "../coverage.ts";
import type { Granted } from "../groups.ts";
import { type Held, heldRules } from "../judge.ts";
import { limitsBy, restrictionKey, restrictionPattern } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import { meets } from "../patterns/meets.ts";
import { isLiteral } from "../patterns/syntax.ts";
import type { IndexRule } from "../roles.ts";
import type { Subject } from "../subject.ts";
import { not, type Verdict } from "../verdict.ts";
import { verdictOf, verdicts } from "./codes.ts";
import { type Parting, type Parts, parting } from "./parts.ts";

/** Everything that a subject may do on indices and the cluster, in each of several states, part by part. */
export interface Table {
  /** Names of indices that the rules of no state tell apart. */
  readonly indices: Parts;
  /** Actions likewise, of either level. */
  readonly actions: Parts;
  readonly columns: readonly Column[];
  readonly part: Parting;
}

/** One state. */
export interface Column {
  /** Whether it holds cluster permissions: a code of a verdict for each part of `actions`. */
  readonly cluster: () => Uint8Array;
  /** The same for permissions on an index, by its part of `indices`. */
  readonly index: (index: number) => Uint8Array;
  /** What it sees of an index. */
  readonly limits: (index: number) => Limits;
  /** The same text for two states in which an index is covered by the same rules. */
  readonly signature: (index: number) => string;
  /** On what it depends, where that is unknown. */
  readonly depends: (action: number, index?: number) => string;
}

/** Of these it matters what is seen, also where nobody knows them by name. */
export const dataReads = "indices:data/read*";

export function tableOf(models: readonly AccessModel[], subject: Subject, part: Parting = parting()): Table {
  const held = models.map((model) => heldRules(model, subject));
  const patterns = new Set<string>();
  const actionPatterns = new Set<string>([...levelPatterns, dataReads, ...knownActions]);
  const addActions = (list: readonly Granted[]): void => {
    for (const { pattern } of list) if (isOfActions(pattern)) actionPatterns.add(pattern);
  };
  for (const [at, { state }] of models.entries()) {
    for (const { rules } of held[at] ?? []) {
      for (const rule of [...rules.index, ...rules.notIndex]) {
        for (const pattern of rule.patterns) {
          const meant = indexPattern(pattern, state.judging, subject);
          if (typeof meant === "string") patterns.add(meant);
        }
        addActions(rule.actions);
      }
      addActions(rules.cluster);
      addActions(rules.notCluster);
    }
  }
  const indices = part(patterns, "index");
  const actions = part(actionPatterns, "text");
  const columns = models.map((model, at) => columnOf(model, held[at] ?? [], subject, indices, actions));
  return { indices, actions, columns, part };
}

/** Names of groups, where they stay patterns, and of groups that are not there meet no action: each has a colon. */
function isOfActions(pattern: string): boolean {
  return pattern.includes(":") || !isLiteral(pattern);
}

/** An element of a role that covers an index, or may. */
interface Covering {
  readonly role: string;
  readonly code: number;
  readonly depends: string;
  readonly actions: readonly Granted[];
  /** The same for elements that say the same of actions and restrictions. */
  readonly text: number;
  /** What it leaves to be seen, and how surely it does. */
  readonly limits?: LimitsCovering;
}

type LimitsCovering = Parameters<typeof limitsBy>[0][number];

/** How an element of a role meets the parts of the indices. */
interface Reach {
  readonly codes: Uint8Array;
  /** On what it depends whether it meets a part, where that is unknown. */
  readonly depends: (index: number) => string;
}

function columnOf(model: AccessModel, held: readonly Held[], subject: Subject, indices: Parts, actions: Parts): Column {
  const { judging, blocks } = model.state;
  const enters = verdicts[not(isShutOut([...blocks.values()], subject))];
  const grants = memo((list: readonly Granted[]) =>
    either(
      actions,
      list.map(({ pattern }) => actions.metBy(pattern)),
    ),
  );
  const none = new Uint8Array(indices.atoms.length);
  const met = memo((pattern: string): Uint8Array => {
    const meant = indexPattern(pattern, judging, subject);
    if (meant === undefined) return none;
    return typeof meant === "string" ? indices.metBy(meant) : none.map(() => verdicts.unknown);
  });
  const reachOf = (role: string, holds: Verdict, patterns: readonly string[], isTyped: boolean): Reach => {
    const all = patterns.map(met);
    const found = either(indices, all);
    const doubt = isTyped ? "document_types" : holds === "unknown" ? `role ${role}` : undefined;
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
      const { patterns, typed } = rule;
      const meant = patterns.map(restrictionPattern);
      const by = reachOf(role, verdict, patterns, typed);
      const limiting = patterns.includes("_all") ? reachOf(role, verdict, meant, typed) : by;
      const keys = uniqueKeys(meant);
      return { role, rule, meant, keys, by, limiting, text: numberOf(rule) };
    }),
  );
  const covering = memo((index: number) => {
    const found: Covering[] = [];
    // Hardly any of them covers it, and there are many: nothing is made for those that do not.
    for (const { role, rule, meant, keys: all, by, limiting, text } of reaching) {
      const code = limiting.codes[index];
      if (!code) continue;
      const keys = all.length === 1 ? all : uniqueKeys(meant.filter((pattern) => met(pattern)[index]));
      const limits = { role, verdict: verdictOf(code), restricts: rule.restricts, keys };
      found.push({ role, ...coveringBy(by, index), actions: rule.actions, text, limits });
    }
    return found;
  });
  const refusing = held.flatMap(({ holding: { role, verdict }, rules }) =>
    rules.notIndex.map((rule) => ({
      role,
      actions: rule.actions,
      by: reachOf(role, verdict, rule.patterns, false),
      text: numberOf(rule),
    })),
  );
  const excluding = memo((index: number) =>
    refusing.flatMap(({ by, ...one }): readonly Covering[] =>
      by.codes[index] ? [{ ...one, ...coveringBy(by, index) }] : [],
    ),
  );
  const ofCluster = (field: "cluster" | "notCluster"): readonly Covering[] =>
    held.map(({ holding: { role, verdict }, rules }) => ({
      role,
      code: verdicts[verdict],
      depends: verdict === "unknown" ? `role ${role}` : "",
      actions: rules[field],
      text: 0,
    }));
  const codes = (given: readonly Covering[], refused: readonly Covering[]): Uint8Array => {
    const found = either(
      actions,
      given.map((one) => atMost(grants(one.actions), one.code)),
    );
    const against = either(
      actions,
      refused.map((one) => atMost(grants(one.actions), one.code)),
    );
    return found.map((code, action) => Math.min(code, enters, verdicts.yes - (against[action] ?? 0)));
  };
  const doubtful = memo((index: number | undefined): readonly Covering[] => {
    const all =
      index === undefined
        ? [...ofCluster("cluster"), ...ofCluster("notCluster")]
        : [...covering(index), ...excluding(index)];
    const unsure = all.filter((one) => one.code === verdicts.unknown || grants(one.actions).includes(verdicts.unknown));
    if (index === undefined) return unsure;
    // Many roles say the same of the same pattern.
    return [...new Map(unsure.map((one) => [signed(one), one])).values()];
  });
  const isKept = (index: number): boolean => indices.atoms[index]?.example === judging.securityIndex;
  return {
    cluster: memo0(() => codes(ofCluster("cluster"), ofCluster("notCluster"))),
    index: memo((index) => {
      const found = codes(covering(index), excluding(index));
      if (!isKept(index)) return found;
      return found.map((code, action) => {
        const { example = "" } = actions.atoms[action] ?? {};
        return judging.securityIndexKeeps.some((pattern) => meets(pattern, example) === "yes") ? verdicts.no : code;
      });
    }),
    limits: memo((index) =>
      limitsBy(
        covering(index).flatMap(({ limits }) => limits ?? []),
        model,
      ),
    ),
    signature: memo((index) => {
      const [given, refused] = [covering(index), excluding(index)].map((all) => all.map(signed).join());
      return `${enters} ${given} but ${refused}`;
    }),
    depends: (action, index) => {
      const reasons = doubtful(index).flatMap((one) => {
        const granted = grants(one.actions)[action] ?? 0;
        if (Math.min(granted, one.code) !== verdicts.unknown) return [];
        if (one.code === verdicts.unknown) return [one.depends];
        const { example = "" } = actions.atoms[action] ?? {};
        return one.actions.map(({ pattern }) => pattern).filter((pattern) => meets(pattern, example) === "unknown");
      });
      return [...new Set([...reasons, ...(enters === verdicts.unknown ? ["blocks"] : [])])].sort().join(", ");
    },
  };
}

function uniqueKeys(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.map(restrictionKey))].sort();
}

function coveringBy({ codes, depends }: Reach, index: number): { readonly code: number; readonly depends: string } {
  const code = codes[index] ?? verdicts.no;
  return { code, depends: code === verdicts.unknown ? depends(index) : "" };
}

function signed({ code, depends, text, limits }: Covering): string {
  return `${text} ${code} ${JSON.stringify([depends, limits?.keys])}`;
}

/** What a rule says, but for what it is about. */
type Saying = Pick<IndexRule, "actions"> & Partial<Pick<IndexRule, "restricts">>;

const numbered = new WeakMap<Saying, number>();
const numbers = new Map<string, number>();
const mostNumbers = 100_000;
let last = 0;

function numberOf(rule: Saying): number {
  const known = numbered.get(rule);
  if (known !== undefined) return known;
  const text = JSON.stringify([rule.actions.map(({ pattern }) => pattern), rule.restricts]);
  if (numbers.size >= mostNumbers) numbers.clear();
  const number = numbers.get(text) ?? ++last;
  numbers.set(text, number);
  numbered.set(rule, number);
  return number;
}

function either({ atoms }: Parts, all: readonly Uint8Array[]): Uint8Array {
  const [only] = all;
  if (only && all.length === 1) return only;
  const found = new Uint8Array(atoms.length);
  for (const codes of all)
    for (let at = 0; at < found.length; at++) found[at] = Math.max(found[at] ?? 0, codes[at] ?? 0);
  return found;
}

function atMost(codes: Uint8Array, most: number): Uint8Array {
  return most === verdicts.yes ? codes : codes.map((code) => Math.min(code, most));
}

function memo<K, R>(work: (key: K) => R): (key: K) => R {
  const known = new Map<K, R>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = work(key);
    known.set(key, made);
    return made;
  };
}

function memo0<R>(work: () => R): () => R {
  const known = memo((_: "") => work());
  return () => known("");
}
