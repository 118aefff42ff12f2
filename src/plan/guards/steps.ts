import type { Fields } from "../../json/value.ts";
import { type Address, createAddress, type ResourceFamily } from "../../model/names.ts";
import type { GuardInput } from "./guard.ts";

/** What a family holds once a request of the plan is done. */
export interface StateStep {
  /** `After request 2 of 3 (PATCH /_gate/api/rolesmapping)`. */
  readonly after: string;
  /** Nothing is sent behind it. */
  readonly isLast: boolean;
  readonly held: ReadonlyMap<string, Fields>;
  /** What was changed up to here. */
  readonly changed: readonly Address[];
}

export function getStateBefore(
  family: ResourceFamily,
  { live }: Pick<GuardInput, "live">,
): ReadonlyMap<string, Fields> {
  return new Map([...(live.resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
}

/** Once all of the plan is done. */
export function getStateAfter(
  family: ResourceFamily,
  evaluated: Pick<GuardInput, "live" | "pending">,
): ReadonlyMap<string, Fields> {
  const after = afterIn(family, evaluated);
  return withChanged(getStateBefore(family, evaluated), [...after.keys()], (name) => after.get(name));
}

/** One after each request that writes the family. */
export function listStateSteps(
  family: ResourceFamily,
  evaluated: Pick<GuardInput, "live" | "pending" | "operations">,
): readonly StateStep[] {
  const { operations } = evaluated;
  const after = afterIn(family, evaluated);
  const steps: StateStep[] = [];
  for (const [at, { family: written, method, path, names, intermediate }] of operations.entries()) {
    if (written !== family) continue;
    const previous = steps.at(-1);
    steps.push({
      after:
        operations.length === 1
          ? "Once this is applied"
          : `After request ${at + 1} of ${operations.length} (${method} ${path})`,
      isLast: at === operations.length - 1,
      held: withChanged(
        previous?.held ?? getStateBefore(family, evaluated),
        names,
        (name) => intermediate?.get(name)?.to ?? after.get(name),
      ),
      changed: [...(previous?.changed ?? []), ...names.map((name) => createAddress(family, name))],
    });
  }
  return steps;
}

type After = ReadonlyMap<string, Fields | undefined>;

function afterIn(family: ResourceFamily, { pending }: Pick<GuardInput, "pending">): After {
  return new Map(pending.filter((change) => change.family === family).map(({ name, after }) => [name, after]));
}

function withChanged(
  held: ReadonlyMap<string, Fields>,
  names: readonly string[],
  after: (name: string) => Fields | undefined,
): ReadonlyMap<string, Fields> {
  const now = new Map(held);
  for (const name of names) {
    const value = after(name);
    if (value) now.set(name, value);
    else now.delete(name);
  }
  return now;
}
