import { type Evaluation, listHeldRules, listPerhapsHeld } from "../evaluate/permission.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { includes } from "../patterns/includes.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import type { TenantShare } from "./tenant-shares.ts";

/** What all actions of a level match. */
const everyAction = { cluster: "*", index: "indices:*" } as const;

/**
 * Whether one permission grants every action of its level, also those that have no name here.
 *
 * @param options.evaluation of any one of these actions
 */
export function evaluateEverything(
  model: AccessModel,
  subject: Subject,
  { chains, against }: Evaluation,
  level: keyof typeof everyAction,
): Verdict {
  const refusing = [...listHeldRules(model, subject), ...listPerhapsHeld(model, subject)].some(
    ({ rules }) => (level === "cluster" ? rules.notCluster : rules.notIndex).length > 0,
  );
  if (refusing) return "no";
  const granting = chains.filter(({ granted }) => includes([granted.pattern], everyAction[level]) === "yes");
  return combineAll([
    combineAny(granting.map(({ verdict }) => verdict)),
    ...against.map(({ verdict }) => negate(verdict)),
  ]);
}

/** The verdict on everything, as far as what is known by name agrees. */
export function confirmEverything(everything: Verdict, all: number, can: number, perhaps: number): Verdict {
  if (everything === "yes" && can === all) return "yes";
  return everything !== "no" && perhaps === all ? "unknown" : "no";
}

/** Some may be named that do not exist: each one that does has to be among those that it may write. */
export function evaluateEveryTenant(model: AccessModel, subject: Subject, shares: readonly TenantShare[]): Verdict {
  const { semantics, tenants } = model.state;
  const names = [...new Set([...tenants.keys(), semantics.globalTenant])];
  const shareOf = new Map(shares.map((share) => [share.name, share]));
  const isAll = listHeldRules(model, subject).some(({ rules }) =>
    rules.tenants.some(({ patterns }) => includes(patterns, "*") === "yes"),
  );
  return isAll && !semantics.tenantsAreNames
    ? combineAll(names.map((name) => shareOf.get(name)?.writes ?? "no"))
    : "no";
}
