import { knownActions, levelPatterns } from "../../dialects/requests.ts";
import type { Limits } from "../../model/access.ts";
import { isShutOut } from "../blocked.ts";
import { indexPattern } from "../coverage.ts";
import type { Granted } from "../groups.ts";
import { type Held, heldRules } from "../judge.ts";
import { limitsBy } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import { meets } from "../patterns/meets.ts";
import { isLiteral } from "../patterns/syntax.ts";
import type { Subject } from "../subject.ts";
import { not } from "../verdict.ts";
import { verdicts } from "./codes.ts";
import { atMost, type Covering, coveringsOf, either, memo } from "./covering.ts";
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
  /** The same text for two states in which it depends on the same, whatever the action, what is unknown of an index. */
  readonly doubts: (index: number) => string;
  /** On what it depends, where that is unknown. */
  readonly depends: (action: number, index?: number) => string;
}

/** Of these it matters what is seen, also where nobody knows them by name. */
export const dataReads = "indices:data/read*";

/** What it takes to judge by a table, in units of some two microseconds. */
export function workOf({ indices: { atoms } }: Table): number {
  return 150 + (atoms.length * atoms.length) / 10;
}

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

function columnOf(model: AccessModel, held: readonly Held[], subject: Subject, indices: Parts, actions: Parts): Column {
  const { judging, blocks } = model.state;
  const enters = verdicts[not(isShutOut([...blocks.values()], subject))];
  const grants = memo((list: readonly Granted[]) =>
    either(
      actions,
      list.map(({ pattern }) => actions.metBy(pattern)),
    ),
  );
  const { covering, excluding } = coveringsOf(model, held, subject, indices);
  const ofCluster = (field: "cluster" | "notCluster"): readonly Covering[] =>
    held.map(({ holding: { role, verdict }, rules }) => ({
      code: verdicts[verdict],
      depends: verdict === "unknown" ? `role ${role}` : "",
      actions: rules[field],
      signature: "",
    }));
  const perhaps = memo((list: readonly Granted[]) => atMost(grants(list), verdicts.unknown));
  const grantedBy = (all: readonly Covering[]) =>
    all.flatMap(({ actions: list, code }) => {
      if (code === verdicts.no) return [];
      return [code === verdicts.yes ? grants(list) : perhaps(list)];
    });
  const codes = (given: readonly Covering[], refused: readonly Covering[]): Uint8Array => {
    const found = either(actions, grantedBy(given));
    const against = either(actions, grantedBy(refused));
    return found.map((code, action) => Math.min(code, enters, verdicts.yes - (against[action] ?? 0)));
  };
  const isDoubtful = ({ code, actions: list }: Covering): boolean =>
    code === verdicts.unknown || grants(list).includes(verdicts.unknown);
  const doubtfulOfCluster = memo0(() => [...ofCluster("cluster"), ...ofCluster("notCluster")].filter(isDoubtful));
  // Many roles say the same of the same pattern.
  const doubtful = memo((index: number): readonly Covering[] => {
    const all = [...covering(index), ...excluding(index)].filter(isDoubtful);
    return [...new Map(all.map((one) => [one.signature, one])).values()];
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
      const [given, refused] = [covering(index), excluding(index)].map((all) =>
        all.map(({ signature }) => signature).join(),
      );
      return `${enters} ${given} but ${refused}`;
    }),
    doubts: memo((index) => {
      const signatures = doubtful(index).map(({ signature }) => signature);
      return `${enters} ${signatures.sort().join()}`;
    }),
    depends: (action, index) => {
      const reasons = (index === undefined ? doubtfulOfCluster() : doubtful(index)).flatMap((one) => {
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

function memo0<R>(work: () => R): () => R {
  const known = memo((_: "") => work());
  return () => known("");
}
