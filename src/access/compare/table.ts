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
  /** What it leaves to be seen, and how surely it does. */
  readonly limits?: LimitsCovering;
}

type LimitsCovering = Parameters<typeof limitsBy>[0][number];

function columnOf(model: AccessModel, held: readonly Held[], subject: Subject, indices: Parts, actions: Parts): Column {
  const { judging, blocks } = model.state;
  const enters = verdicts[not(isShutOut([...blocks.values()], subject))];
  const grants = memo((list: readonly Granted[]) =>
    either(
      actions,
      list.map(({ pattern }) => actions.metBy(pattern)),
    ),
  );
  const meaning = memo((pattern: string) => indexPattern(pattern, judging, subject));
  const coveringBy = (index: number, role: string, holds: Verdict, patterns: readonly string[], isTyped: boolean) => {
    let [code, depends] = [verdicts.no, ""];
    for (const pattern of patterns) {
      const meant = meaning(pattern);
      if (meant === undefined) continue;
      const met = typeof meant === "string" ? (indices.metBy(meant)[index] ?? verdicts.no) : verdicts.unknown;
      if (met === verdicts.unknown) depends ||= pattern;
      code = Math.max(code, met);
    }
    if (isTyped && code === verdicts.yes) [code, depends] = [verdicts.unknown, "document_types"];
    if (holds === "unknown" && code === verdicts.yes) [code, depends] = [verdicts.unknown, `role ${role}`];
    return { code, depends: code === verdicts.unknown ? depends : "" };
  };
  const covering = memo((index: number) =>
    held.flatMap(({ holding: { role, verdict }, rules }): readonly Covering[] =>
      rules.index.flatMap(({ patterns, actions: granted, restricts, typed }) => {
        const by = coveringBy(index, role, verdict, patterns, typed);
        const meant = patterns.map(restrictionPattern);
        const limiting = patterns.includes("_all") ? coveringBy(index, role, verdict, meant, typed) : by;
        if (limiting.code === verdicts.no) return [];
        const met = meant.filter((pattern) => coveringBy(index, role, "yes", [pattern], false).code !== verdicts.no);
        const keys = [...new Set(met.map(restrictionKey))].sort();
        const limits = { role, verdict: verdictOf(limiting.code), restricts, keys };
        return [{ role, ...by, actions: granted, limits }];
      }),
    ),
  );
  const excluding = memo((index: number) =>
    held.flatMap(({ holding: { role, verdict }, rules }): readonly Covering[] =>
      rules.notIndex.flatMap(({ patterns, actions: refused }) => {
        const by = coveringBy(index, role, verdict, patterns, false);
        return by.code === verdicts.no ? [] : [{ role, ...by, actions: refused }];
      }),
    ),
  );
  const ofCluster = (field: "cluster" | "notCluster"): readonly Covering[] =>
    held.map(({ holding: { role, verdict }, rules }) => ({
      role,
      code: verdicts[verdict],
      depends: verdict === "unknown" ? `role ${role}` : "",
      actions: rules[field],
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
    signature: memo((index) =>
      JSON.stringify([
        enters,
        [covering(index), excluding(index)].map((all) =>
          all.map(({ code, depends, actions: list, limits }) => [
            code,
            depends,
            textOf(list),
            limits?.restricts,
            limits?.keys,
          ]),
        ),
      ]),
    ),
    depends: (action, index) => {
      const all =
        index === undefined
          ? [...ofCluster("cluster"), ...ofCluster("notCluster")]
          : [...covering(index), ...excluding(index)];
      const reasons = all.flatMap((one) => {
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

const texts = new WeakMap<readonly Granted[], string>();

function textOf(list: readonly Granted[]): string {
  const text = texts.get(list) ?? list.map(({ pattern }) => pattern).join(" ");
  texts.set(list, text);
  return text;
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
