import type { Change } from "../model/change.ts";
import { type Address, createAddress } from "../model/names.ts";
import { type Operation, withExplanation } from "../model/operation.ts";
import { cutToSize, type Estimate, longest, withEstimate } from "./estimate.ts";
import { createOperations, type WireContext } from "./operations.ts";
import { listStages } from "./order/stages.ts";

/** One request, and the changes that it makes. */
export interface PlannedRequest {
  readonly operation: Operation;
  /** At least one, of one family. */
  readonly changes: readonly Change[];
  /** Why the usual order has it where it is; not said of a request that is moved. */
  readonly whyThere?: string | undefined;
}

/** The requests of a plan in the usual order. */
export interface UsualRequests {
  /** All but the license. */
  readonly requests: readonly PlannedRequest[];
  /** So many of the first ones, and of the last ones, stay where they are, whatever they do to access. */
  readonly fixed: { readonly first: number; readonly last: number };
  /** Is sent right after the config, or after what is fixed first where the config stays as it is. */
  readonly license?: Operation | undefined;
  /** The requests for some changes of one family; several where the limit of a body does not let one make them all. */
  readonly operationsFor: (changes: readonly Change[]) => readonly Operation[];
}

/** What requests are made of. */
export interface RequestContext {
  readonly wire: WireContext;
  /** Absent where nothing is known to be slow. */
  readonly estimate: Estimate | undefined;
  /** Changes that let the server load its configuration again: they go first. */
  readonly repairs: ReadonlySet<Address>;
  /** The config decides how requests for data are evaluated: the order has to look at it. */
  readonly isConfigEvaluated: boolean;
}

/**
 * Family after family, in as few requests as the server can take in a bearable time; first what repairs an unloadable
 * configuration.
 */
export function createUsualRequests(pending: readonly Change[], context: RequestContext): UsualRequests {
  const { wire, estimate, isConfigEvaluated } = context;
  const isRepair = ({ family, name }: Change) => context.repairs.has(createAddress(family, name));
  const repairs = createRequests(pending.filter(isRepair), context).map(({ operation, changes }) => ({
    operation: withExplanation(operation, "first, because it ends what keeps the server from loading anything"),
    changes,
  }));
  const others = createRequests(
    pending.filter((change) => !isRepair(change)),
    context,
  );
  const [license] = others.filter(({ operation }) => operation.family === "license");
  const ordered = others.filter((request) => request !== license);
  const config = ordered.findIndex(({ operation }) => operation.family === "config");
  const isConfigLast = config > 0;
  const isConfigFixedFirst = config === 0 && !isConfigEvaluated;
  return {
    requests: [...repairs, ...ordered],
    fixed: { first: repairs.length + (isConfigFixedFirst ? 1 : 0), last: isConfigLast ? 1 : 0 },
    license: license && withExplanation(license.operation, license.whyThere),
    operationsFor: (changes) =>
      createOperations(changes, wire).map((operation) => withEstimate(operation, changes, estimate)),
  };
}

function createRequests(changes: readonly Change[], context: RequestContext): readonly PlannedRequest[] {
  return listStages(changes).flatMap(({ family, reason }) => {
    const own = changes.filter((change) => change.family === family);
    return createRequestsOfFamily(own, context).map((request) => ({ ...request, whyThere: reason }));
  });
}

function createRequestsOfFamily(
  changes: readonly Change[],
  { wire, estimate }: RequestContext,
): readonly PlannedRequest[] {
  const parts = cutToSize(changes, estimate);
  const isCut = parts.length > 1 ? `cut so that no request is estimated above ${longest / 60_000} min` : undefined;
  const byName = new Map(changes.map((change) => [change.name, change]));
  return parts
    .flatMap((part) => createOperations(part, wire))
    .map((operation) => ({
      operation: withEstimate(withExplanation(operation, isCut), changes, estimate),
      changes: operation.names.flatMap((name) => byName.get(name) ?? []),
    }));
}
