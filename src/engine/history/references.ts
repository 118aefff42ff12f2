import { isAbsolute, resolve } from "node:path";
import type { ReferencesThen } from "../../access/compare/login-settings.ts";
import { collectReferences } from "../../access/compare/login-settings.ts";
import { findLastRun } from "../../artifacts/journal/file.ts";
import { isWhollyDone } from "../../artifacts/journal/known-run.ts";
import { mayBeSameCluster } from "../../artifacts/same-cluster.ts";
import { Secret } from "../../json/secret.ts";
import { fillSlots } from "../../json/slots.ts";
import type { Value } from "../../json/value.ts";
import { createReadable, isOutOfReach } from "../../load/boundary.ts";
import { toValue } from "../../model/node.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { Repository } from "../../model/repository.ts";
import { applyOverrides } from "../../normalise/overrides.ts";
import type { PlanRequest } from "../pipeline/context.ts";

/** How the files declare the secrets of the config; undefined where they declare none. */
export function findReferences(repository: Repository): ReferencesThen | undefined {
  const { documents } = applyOverrides(repository).repository;
  const [config] = documents.flatMap(({ sections }) => sections.filter(({ family }) => family === "config"));
  return config && listReferences(toValue(config.node));
}

function listReferences(config: Value): ReferencesThen {
  return new Map(collectReferences(config).map(([pointer, { reference }]) => [pointer, reference]));
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
  // A record does not say whether there was text around a reference.
  return listReferences(fillSlots(config.value, ({ reference }) => new Secret(reference, undefined, reference)));
}

/** Without those of files that a branch may bring, or choose by a link or by where it has the state file. */
export function omitOwnFiles(
  references: ReferencesThen,
  config: Value,
  { cwd, configPath }: Pick<PlanRequest, "cwd" | "configPath">,
): ReferencesThen {
  const { within } = createReadable(cwd, configPath);
  const own = collectReferences(config).flatMap(([pointer, { reference }]) => {
    const path = /^\$\{file:(.*)\}$/s.exec(reference)?.[1];
    const isOwn = path !== undefined && !(isAbsolute(path) && isOutOfReach(resolve(path), within));
    return isOwn ? [pointer] : [];
  });
  return new Map([...references].filter(([pointer]) => !own.includes(pointer)));
}
