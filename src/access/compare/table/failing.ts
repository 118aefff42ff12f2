// What takes away from grants because a server fails over a restriction: known to the access diff as it is to questions.
import { memoise, memoiseByKey } from "../../../json/memoise.ts";
import type { HeldRole } from "../../evaluate/permission.ts";
import {
  hasFaults,
  listFailuresOfAll,
  listFailuresOfUpdates,
  listQueryFailures,
  type QueryFailure,
} from "../../evaluate/query-failures.ts";
import type { AccessModel } from "../../model/access-model.ts";
import { isRestricting } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { toVerdict } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import { type CoveringRules, type CoveringsOfParts, getClusterSignature, type KnownCoverings } from "./covering.ts";
import { listLimiting } from "./evaluator.ts";

export interface FailingRules {
  /** On the indices of a part. */
  readonly at: (index: number) => readonly CoveringRules[];
  readonly ofCluster: () => readonly CoveringRules[];
}

interface Source {
  readonly model: AccessModel;
  readonly held: readonly HeldRole[];
  readonly subject: Subject;
}

export function findFailing(
  { model, held, subject }: Source,
  { covering }: CoveringsOfParts,
  { next }: Pick<KnownCoverings, "next">,
): FailingRules {
  const mayFail = held.some(({ rules }) => hasFaults(rules, model.state.semantics, subject));
  const isOpen = !held.some(({ rules }) => rules.index.some(({ restricts }) => isRestricting(restricts)));
  if (isOpen) return { at: () => [], ofCluster: () => [] };
  return {
    at: memoiseByKey((index) => {
      const limiting = listLimiting(covering(index));
      const byQuery = mayFail ? listQueryFailures(limiting, model, subject) : [];
      return [...byQuery, ...listFailuresOfUpdates(limiting, model)].map((one) => toCovering(one, next()));
    }),
    ofCluster: memoise(() => listFailuresOfAll(held, model, subject).map((one) => toCovering(one, next()))),
  };
}

function toCovering({ role, actions, when }: QueryFailure, number: number): CoveringRules {
  const code = verdicts[toVerdict(when)];
  const depends = code === verdicts.unknown && ({ depends: { kind: "role", role } } as const);
  return { number, role, code, when, ...depends, actions, signature: getClusterSignature(actions, when) };
}
