import type { Change } from "../model/change.ts";
import { isResourceFamily } from "../model/names.ts";
import { explained, type Operation } from "../model/operation.ts";
import { cutToSize, type Estimate, estimated, longest } from "./estimate.ts";
import type { Treatment } from "./guards/guard.ts";
import { isCure } from "./guards/poisoned.ts";
import { operationsFor, type WireContext } from "./operations.ts";
import type { Requests } from "./order/order.ts";
import type { Requested } from "./order/parts.ts";
import { stages } from "./order/stages.ts";

export interface UsualRequests extends Requests {
  /** The requests for some changes of one family. */
  readonly operationsFor: (changes: readonly Change[]) => readonly Operation[];
}

/** Family after family, in as few requests as the server can take in a bearable time; first what cures it. */
export function usualRequests(
  pending: readonly Change[],
  treatment: Treatment,
  wire: WireContext,
  estimate: Estimate | undefined,
): UsualRequests {
  const inStages = (changes: readonly Change[]): readonly Requested[] =>
    stages(changes).flatMap(({ family, reason }) => {
      const ours = changes.filter((change) => change.family === family);
      return requestsOf(ours, reason, wire, estimate);
    });
  const cure = "first, because it ends what keeps the server from loading anything";
  const cures = inStages(pending.filter((change) => isCure(change, treatment)));
  const others = inStages(pending.filter((change) => !isCure(change, treatment)));
  const isOurs = ({ operation }: Requested): boolean => isResourceFamily(operation.family);
  const first = others.findIndex(isOurs);
  const place = first === -1 ? others.length : first;
  const documents = (from: number, to?: number) =>
    others.slice(from, to).flatMap((request) => (isOurs(request) ? [] : [request.operation]));
  return {
    cures: cures.map(({ operation, changes }) => ({ operation: explained(operation, cure), changes })),
    head: documents(0, place),
    ours: others.filter(isOurs),
    tail: documents(place),
    operationsFor: (changes) =>
      operationsFor(changes, wire).map((operation) => estimated(operation, changes, estimate)),
  };
}

function requestsOf(
  changes: readonly Change[],
  reason: string | undefined,
  wire: WireContext,
  estimate: Estimate | undefined,
): readonly Requested[] {
  const parts = cutToSize(changes, estimate);
  const isCut = parts.length > 1 ? `cut so that no request is estimated above ${longest / 60_000} min` : undefined;
  const byName = new Map(changes.map((change) => [change.name, change]));
  return parts
    .flatMap((part) => operationsFor(part, wire))
    .map((operation) => ({
      operation: estimated(explained(operation, reason, isCut), changes, estimate),
      changes: operation.names.flatMap((name) => byName.get(name) ?? []),
    }));
}
