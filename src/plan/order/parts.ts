import { getNoun } from "../../families/index.ts";
import { findEdits } from "../../json/patch.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import { type LeftIntermediate, type Operation, withExplanation } from "../../model/operation.ts";
import type { IntermediateFault } from "./faults.ts";
import type { IntermediateStates } from "./intermediate-states.ts";

/** One request, and the changes that it makes. */
export interface PlannedRequest {
  readonly operation: Operation;
  readonly changes: readonly Change[];
}

/** What is made after each request, and the first fault of the usual order, for which it is another one. */
export interface WriteRoute {
  readonly intermediateStates: IntermediateStates;
  readonly masks: readonly bigint[];
  readonly avoided?: IntermediateFault | undefined;
}

/** How a plan goes through its requests. */
interface RouteInput {
  readonly route: WriteRoute;
  /** By sequence, in the usual order. */
  readonly requests: readonly PlannedRequest[];
  /** The place of the first mask that needs an operation. */
  readonly first: number;
  /** What is wrong first where the requests that are left once some are made go on in the usual order. */
  readonly usualFault: (made: bigint) => IntermediateFault | undefined;
}

/**
 * The operations that lead from one intermediate state to the next: one, unless a part of a request is too long for
 * that.
 */
export function createRouteOperations(
  { route, requests, first, usualFault }: RouteInput,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): readonly (readonly Operation[])[] {
  const { intermediateStates, masks } = route;
  const steps = masks.slice(first).map((next, at) => stepOf(intermediateStates, masks[first + at - 1] ?? 0n, next));
  const isCut = steps.length > requests.length - first;
  const left = new Set([...requests.keys()].slice(first));
  // Where each entry takes a request, hundreds of a family may have the same reason: it is shown once.
  const shown = new Set<Family>();
  return steps.map((step): readonly Operation[] => {
    const request = requests[step.sequence];
    if (!request) return [];
    if (step.isWhole) {
      left.delete(step.sequence);
      const [usual] = left;
      const { family } = request.operation;
      if (isCut || usual === undefined || usual > step.sequence || shown.has(family)) return [request.operation];
      shown.add(family);
      return [withExplanation(request.operation, movedWords(requests[usual], usualFault(step.made)))];
    }
    const own = steps.filter(({ sequence }) => sequence === step.sequence);
    const avoided = step === steps.find(({ isWhole }) => !isWhole) ? route.avoided : undefined;
    const why = splitWords(own.indexOf(step) + 1, own.length, request, avoided);
    return portion(step, request.changes, intermediateStates, operationsFor).map((operation) =>
      withExplanation(operation, why),
    );
  });
}

interface Step {
  readonly sequence: number;
  readonly made: bigint;
  readonly next: bigint;
  readonly isWhole: boolean;
}

function stepOf({ batches }: IntermediateStates, made: bigint, next: bigint): Step {
  const isIn = (bits: bigint, at: number): boolean => (bits & (1n << BigInt(at))) !== 0n;
  const sequence = batches.find((_, at) => isIn(next & ~made, at))?.sequence ?? 0;
  const isWhole = batches.every((batch, at) => batch.sequence !== sequence || isIn(next & ~made, at));
  return { sequence, made, next, isWhole };
}

/** What one request makes of changes of which others make the rest. */
function portion(
  { made, next }: Step,
  changes: readonly Change[],
  { valueAt, bitsOf }: IntermediateStates,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): readonly Operation[] {
  const intermediate = new Map<string, LeftIntermediate>();
  const parts = changes.flatMap((change): readonly Change[] => {
    const bits = bitsOf(change);
    const isBegun = (mask: bigint): boolean => (bits & mask) !== 0n && (bits & mask) !== bits;
    if ((bits & next & ~made) === 0n) return [];
    const [before, after] = [valueAt(change, made), valueAt(change, next)];
    const from = isBegun(made) ? before : undefined;
    const to = isBegun(next) ? after : undefined;
    if (from || to) intermediate.set(change.name, { ...(from && { from }), ...(to && { to }) });
    return [partOf(change, before, after, from !== undefined)];
  });
  return operationsFor(parts).map((operation) => ({ ...operation, intermediate }));
}

/** How the server would show an entry that was written since it was read is unknown: it gets no `test`. */
function partOf(change: Change, before: Fields | undefined, after: Fields | undefined, isWritten: boolean): Change {
  const { live, ...rest } = change;
  const { wire: _, ...unseen } = live ?? {};
  return {
    ...rest,
    action: !before ? "create" : after ? "update" : "delete",
    edits: findEdits(before ?? {}, after ?? {}),
    ...(before && { before }),
    ...(after && { after }),
    ...(live && { live: isWritten ? (unseen as typeof live) : live }),
  };
}

function movedWords(instead: PlannedRequest | undefined, fault: IntermediateFault | undefined): string | undefined {
  return instead && fault && `before the ${familyWords(instead)}: otherwise ${fault.words}`;
}

/** @param at from 1 */
function splitWords(
  at: number,
  parts: number,
  request: PlannedRequest,
  avoided: IntermediateFault | undefined,
): string {
  const which = `part ${at} of ${parts} of the ${familyWords(request)}`;
  return avoided
    ? `${which}, split because no order of whole requests is safe: in the usual order, ${avoided.words}`
    : which;
}

function familyWords({ operation }: PlannedRequest): string {
  return getNoun(operation.family, 2);
}
