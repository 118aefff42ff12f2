import type { ReferencesThen } from "../../access/compare/login-settings.ts";
import { collectReferences } from "../../access/compare/login-settings.ts";
import { findLastRun } from "../../artifacts/journal/file.ts";
import { isWhollyDone } from "../../artifacts/journal/known-run.ts";
import { mayBeSameCluster } from "../../artifacts/same-cluster.ts";
import { Secret } from "../../json/secret.ts";
import { fillSlots } from "../../json/slots.ts";
import { toValue } from "../../model/node.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { Repository } from "../../model/repository.ts";
import { applyOverrides } from "../../normalise/overrides.ts";
import type { PlanRequest } from "../pipeline/context.ts";

/** How the files declare the secrets of the config; undefined where they declare none. */
export function findReferences(repository: Repository): ReferencesThen | undefined {
  const { documents } = applyOverrides(repository).repository;
  const [config] = documents.flatMap(({ sections }) => sections.filter(({ family }) => family === "config"));
  return config && new Map(collectReferences(toValue(config.node)));
}

/** The same of the last run, where it is known to have done all of it. */
export async function findReferencesOfLastRun(
  { stateDir, env }: Pick<PlanRequest, "stateDir" | "env">,
  target: TargetSummary,
): Promise<ReferencesThen | undefined> {
  const run = stateDir === undefined ? undefined : await findLastRun(stateDir, target, env);
  if (!run?.plan || run.begin.command !== "apply" || !isWhollyDone(run)) return undefined;
  const config = mayBeSameCluster(run.target, target) && run.plan.desired.find(({ family }) => family === "config");
  if (!config) return undefined;
  return new Map(collectReferences(fillSlots(config.value, ({ reference }) => new Secret(reference))));
}
