import { knownActions, levelPatterns } from "../../dialects/requests.ts";
import type { Limits } from "../../model/access.ts";
import { isShutOut } from "../blocked.ts";
import { indexPattern } from "../coverage.ts";
import type { Granted } from "../groups.ts";
import { type Held, heldRules, isProtected } from "../judge.ts";
import { limitsBy } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import { type Atom, atomsOf } from "../patterns/atoms.ts";
import { meets } from "../patterns/meets.ts";
import { isLiteral } from "../patterns/syntax.ts";
import type { Subject } from "../subject.ts";
import { allOf, anyOf, not, type Verdict } from "../verdict.ts";

/** Everything that a subject may do on indices and the cluster, in each of several states, part by part. */
export interface Table {
  /** Names of indices that the rules of no state tell apart, each with one of them. */
  readonly indices: Parts;
  /** Actions likewise, of either level. */
  readonly actions: Parts;
  readonly columns: readonly Column[];
}

export interface Parts {
  readonly patterns: readonly string[];
  readonly atoms: readonly Atom[];
  /** There were too many to tell them all apart. */
  readonly tooMany: boolean;
}

/** One state. */
export interface Column {
  /** Whether the subject gets in at all. */
  readonly enters: Verdict;
  /** Whether it holds a cluster permission; by its part of `actions`. */
  readonly cluster: (action: number) => Cell;
  readonly index: (index: number, action: number) => Cell;
  /** What it sees of an index; by its part of `indices`. */
  readonly limits: (index: number) => Limits;
  /** The same text for two states in which an index of that part is covered by the same rules. */
  readonly signature: (index: number) => string;
}

export interface Cell {
  readonly verdict: Verdict;
  /** What the verdict depends on, where it is `unknown`. */
  readonly depends: string;
}

/** Of these it matters what is seen, also where nobody knows them by name. */
export const dataReads = "indices:data/read/*";

/** More parts than this are more than anybody reads, and take too long to tell apart. */
const mostParts = 1500;

export function tableOf(models: readonly AccessModel[], subject: Subject): Table {
  const held = models.map((model) => heldRules(model, subject));
  const patterns = new Set<string>();
  const actionPatterns = new Set<string>([...levelPatterns, dataReads, ...knownActions]);
  for (const [at, model] of models.entries()) {
    for (const { rules } of held[at] ?? []) {
      for (const rule of [...rules.index, ...rules.notIndex]) {
        for (const pattern of rule.patterns) {
          const meant = indexPattern(pattern, model.state.judging, subject);
          if (typeof meant === "string") patterns.add(meant);
        }
        for (const { pattern } of rule.actions) if (isOfActions(pattern)) actionPatterns.add(pattern);
      }
      for (const { pattern } of [...rules.cluster, ...rules.notCluster]) {
        if (isOfActions(pattern)) actionPatterns.add(pattern);
      }
    }
  }
  const indices = partsOf([...patterns], "index");
  const actions = partsOf([...actionPatterns], "text");
  return {
    indices,
    actions,
    columns: models.map((model, at) => columnOf(model, held[at] ?? [], subject, indices, actions)),
  };
}

/** Names of groups, where they stay patterns, and of groups that are not there meet no action: each has a colon. */
function isOfActions(pattern: string): boolean {
  return pattern.includes(":") || !isLiteral(pattern);
}

function partsOf(patterns: readonly string[], kind: "index" | "text"): Parts {
  const { atoms, tooMany } = atomsOf(patterns, kind, mostParts);
  // An action is called something.
  return { patterns, atoms: kind === "text" ? atoms.filter(({ example }) => example !== "") : atoms, tooMany };
}

function columnOf(model: AccessModel, held: readonly Held[], subject: Subject, indices: Parts, actions: Parts): Column {
  const { judging, blocks } = model.state;
  const enters = not(isShutOut([...blocks.values()], subject));
  const metIndex = metIn(indices);
  const metAction = metIn(actions);
  const grants = memo(
    (action: number, list: readonly Granted[]): Cell =>
      either(
        list.map(({ pattern }) => {
          const verdict = metAction(action, pattern);
          return { verdict, depends: verdict === "unknown" ? pattern : "" };
        }),
      ),
  );
  const covers = (index: number, patterns: readonly string[]): Cell =>
    either(
      patterns.map((pattern) => {
        const meant = indexPattern(pattern, judging, subject);
        if (meant === undefined) return no;
        const verdict = typeof meant === "string" ? metIndex(index, meant) : "unknown";
        return { verdict, depends: verdict === "unknown" ? pattern : "" };
      }),
    );
  const covering = memoByNumber((index: number) =>
    held.flatMap(({ holding, rules }) =>
      rules.index.flatMap((rule) => {
        const cell = both([
          holds(holding.verdict, holding.role),
          covers(index, rule.patterns),
          rule.typed ? typed : yes,
        ]);
        return cell.verdict === "no" ? [] : [{ role: holding.role, cell, rule }];
      }),
    ),
  );
  const excluding = memoByNumber((index: number) =>
    held.flatMap(({ holding, rules }) =>
      rules.notIndex.flatMap((rule) => {
        const cell = both([holds(holding.verdict, holding.role), covers(index, rule.patterns)]);
        return cell.verdict === "no" ? [] : [{ cell, rule }];
      }),
    ),
  );
  const admitted = (cells: readonly Cell[], refused: readonly Cell[]): Cell =>
    both([{ verdict: enters, depends: "blocks" }, either(cells), negated(either(refused))]);
  return {
    enters,
    cluster: (action) =>
      admitted(
        held.map(({ holding, rules }) => both([holds(holding.verdict, holding.role), grants(action, rules.cluster)])),
        held.map(({ holding, rules }) =>
          both([holds(holding.verdict, holding.role), grants(action, rules.notCluster)]),
        ),
      ),
    index: (index, action) => {
      const { example } = indices.atoms[index] as Atom;
      const permission = {
        level: "index",
        action: actions.atoms[action]?.example ?? "",
        index: { name: example },
      } as const;
      if (isProtected(permission, model)) return no;
      return admitted(
        covering(index).map(({ cell, rule }) => both([cell, grants(action, rule.actions)])),
        excluding(index).map(({ cell, rule }) => both([cell, grants(action, rule.actions)])),
      );
    },
    limits: memoByNumber((index) =>
      limitsBy(
        covering(index).map(({ role, cell, rule }) => ({ role, verdict: cell.verdict, restricts: rule.restricts })),
        model,
      ),
    ),
    signature: (index) =>
      JSON.stringify([
        enters,
        covering(index).map(({ cell, rule }) => [cell, rule.actions.map(({ pattern }) => pattern), rule.restricts]),
        excluding(index).map(({ cell, rule }) => [cell, rule.actions.map(({ pattern }) => pattern)]),
      ]),
  };
}

/** Whether a pattern meets the texts of a part, by its example. */
function metIn({ patterns, atoms }: Parts): (part: number, pattern: string) => Verdict {
  const positions = new Map(patterns.map((pattern, at) => [pattern, at]));
  const sets = atoms.map(({ met }) => new Set(met));
  return (part, pattern) => {
    const at = positions.get(pattern);
    if (at !== undefined && sets[part]?.has(at)) return "yes";
    return meets(pattern, atoms[part]?.example ?? "");
  };
}

const yes: Cell = { verdict: "yes", depends: "" };
const no: Cell = { verdict: "no", depends: "" };
const typed: Cell = { verdict: "unknown", depends: "document_types" };

function holds(verdict: Verdict, role: string): Cell {
  return { verdict, depends: verdict === "unknown" ? `role ${role}` : "" };
}

function either(cells: readonly Cell[]): Cell {
  return joined(anyOf(cells.map(({ verdict }) => verdict)), cells);
}

function both(cells: readonly Cell[]): Cell {
  return joined(allOf(cells.map(({ verdict }) => verdict)), cells);
}

function negated({ verdict, depends }: Cell): Cell {
  return { verdict: not(verdict), depends };
}

function joined(verdict: Verdict, cells: readonly Cell[]): Cell {
  if (verdict !== "unknown") return verdict === "yes" ? yes : no;
  const depends = cells.filter((cell) => cell.verdict === "unknown").map((cell) => cell.depends);
  return { verdict, depends: [...new Set(depends)].sort().join(", ") };
}

function memo<K extends object, R>(work: (part: number, key: K) => R): (part: number, key: K) => R {
  const known = new Map<K, R[]>();
  return (part, key) => {
    const row = known.get(key) ?? [];
    known.set(key, row);
    row[part] ??= work(part, key);
    return row[part] as R;
  };
}

function memoByNumber<R>(work: (part: number) => R): (part: number) => R {
  const known: R[] = [];
  return (part) => {
    known[part] ??= work(part);
    return known[part] as R;
  };
}
