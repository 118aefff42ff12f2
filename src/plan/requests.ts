import type { Change } from "../model/change.ts";
import { isResourceFamily } from "../model/names.ts";
import { type Operation, withExplanation } from "../model/operation.ts";
import { cutToSize, type Estimate, longest, withEstimate } from "./estimate.ts";
import type { RemedyKind } from "./guards/guard.ts";
import { isRemedy } from "./guards/unloadable.ts";
import { createOperations, type WireContext } from "./operations.ts";
import type { Requests } from "./order/order.ts";
import type { PlannedRequest } from "./order/parts.ts";
import { listStages } from "./order/stages.ts";

export interface UsualRequests extends Requests {
  /** The requests for some changes of one family. */
  readonly operationsFor: (changes: readonly Change[]) => readonly Operation[];
}

/**
 * Family after family, in as few requests as the server can take in a bearable time; first the remedy of an
 * unloadable configuration.
 */
export function createUsualRequests(
  pending: readonly Change[],
  remedyKind: RemedyKind,
  wire: WireContext,
  estimate: Estimate | undefined,
): UsualRequests {
  const inStages = (changes: readonly Change[]): readonly PlannedRequest[] =>
    listStages(changes).flatMap(({ family, reason }) => {
      const relevant = changes.filter((change) => change.family === family);
      return requestsOf(relevant, reason, wire, estimate);
    });
  const remedy = "first, because it ends what keeps the server from loading anything";
  const remedies = inStages(pending.filter((change) => isRemedy(change, remedyKind)));
  const others = inStages(pending.filter((change) => !isRemedy(change, remedyKind)));
  const isResourceRequest = ({ operation }: PlannedRequest): boolean => isResourceFamily(operation.family);
  const first = others.findIndex(isResourceRequest);
  const place = first === -1 ? others.length : first;
  const documents = (from: number, to?: number) =>
    others.slice(from, to).flatMap((request) => (isResourceRequest(request) ? [] : [request.operation]));
  return {
    remedies: remedies.map(({ operation, changes }) => ({ operation: withExplanation(operation, remedy), changes })),
    head: documents(0, place),
    relevant: others.filter(isResourceRequest),
    tail: documents(place),
    operationsFor: (changes) =>
      createOperations(changes, wire).map((operation) => withEstimate(operation, changes, estimate)),
  };
}

function requestsOf(
  changes: readonly Change[],
  reason: string | undefined,
  wire: WireContext,
  estimate: Estimate | undefined,
): readonly PlannedRequest[] {
  const parts = cutToSize(changes, estimate);
  const isCut = parts.length > 1 ? `cut so that no request is estimated above ${longest / 60_000} min` : undefined;
  const byName = new Map(changes.map((change) => [change.name, change]));
  return parts
    .flatMap((part) => createOperations(part, wire))
    .map((operation) => ({
      operation: withEstimate(withExplanation(operation, reason, isCut), changes, estimate),
      changes: operation.names.flatMap((name) => byName.get(name) ?? []),
    }));
}
