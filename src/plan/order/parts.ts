import { nounOf } from "../../families/index.ts";
import { editsBetween } from "../../json/patch.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { explained, type Midway, type Operation } from "../../model/operation.ts";
import type { Fault } from "./faults.ts";
import type { Moments } from "./moments.ts";

/** One request, and the changes that it makes. */
export interface Requested {
  readonly operation: Operation;
  readonly changes: readonly Change[];
}

/** What is made after each request, and the fault for which it is not the usual order. */
export interface Route {
  readonly moments: Moments;
  readonly masks: readonly bigint[];
  readonly avoided?: Fault | undefined;
}

/**
 * The operations that lead from one moment to the next: one, but where a part of a request is too long for that.
 *
 * @param requests by lane, in the usual order; what of them is made at once stays as it is
 * @param first the place of the first mask that needs an operation
 */
export function operationsOf(
  route: Route,
  requests: readonly Requested[],
  first: number,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): readonly (readonly Operation[])[] {
  const { moments, masks } = route;
  const steps = masks.slice(first).map((next, at) => stepOf(moments, masks[first + at - 1] ?? 0n, next));
  const isMoved = steps.findIndex(({ lane }, at) => lane !== first + at);
  const isCut = steps.length > requests.length - first;
  return steps.map((step, at): readonly Operation[] => {
    const request = requests[step.lane];
    if (!request) return [];
    if (step.isWhole) {
      const isTold = at === isMoved && !isCut;
      return [isTold ? explained(request.operation, movedWords(requests[first + at], route)) : request.operation];
    }
    const own = steps.filter(({ lane }) => lane === step.lane);
    const avoided = step === steps.find(({ isWhole }) => !isWhole) ? route.avoided : undefined;
    const why = splitWords(own.indexOf(step) + 1, own.length, request, avoided);
    return portion(step, request.changes, moments, operationsFor).map((operation) => explained(operation, why));
  });
}

interface Step {
  readonly lane: number;
  readonly made: bigint;
  readonly next: bigint;
  readonly isWhole: boolean;
}

function stepOf({ pieces }: Moments, made: bigint, next: bigint): Step {
  const isIn = (bits: bigint, at: number): boolean => (bits & (1n << BigInt(at))) !== 0n;
  const lane = pieces.find((_, at) => isIn(next & ~made, at))?.lane ?? 0;
  const isWhole = pieces.every((piece, at) => piece.lane !== lane || isIn(next & ~made, at));
  return { lane, made, next, isWhole };
}

/** What one request makes of changes of which others make the rest. */
function portion(
  { made, next }: Step,
  changes: readonly Change[],
  { valueAt, bitsOf }: Moments,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): readonly Operation[] {
  const midway = new Map<string, Midway>();
  const parts = changes.flatMap((change): readonly Change[] => {
    const bits = bitsOf(change);
    const isBegun = (mask: bigint): boolean => (bits & mask) !== 0n && (bits & mask) !== bits;
    if ((bits & next & ~made) === 0n) return [];
    const [before, after] = [valueAt(change, made), valueAt(change, next)];
    const from = isBegun(made) ? before : undefined;
    const to = isBegun(next) ? after : undefined;
    if (from || to) midway.set(change.name, { ...(from && { from }), ...(to && { to }) });
    return [partOf(change, before, after, from !== undefined)];
  });
  return operationsFor(parts).map((operation) => ({ ...operation, midway }));
}

/** Of an entry that was written since it was read, nobody knows how the server would show it: no `test` is made of that. */
function partOf(change: Change, before: Fields | undefined, after: Fields | undefined, isWritten: boolean): Change {
  const { live, ...rest } = change;
  const { wire: _, ...unseen } = live ?? {};
  return {
    ...rest,
    action: !before ? "create" : after ? "update" : "delete",
    edits: editsBetween(before ?? {}, after ?? {}),
    ...(before && { before }),
    ...(after && { after }),
    ...(live && { live: isWritten ? (unseen as typeof live) : live }),
  };
}

function movedWords(instead: Requested | undefined, { avoided }: Route): string | undefined {
  if (!avoided || !instead) return undefined;
  return `before the ${familyWords(instead)}: else ${avoided.words}`;
}

/** @param at from 1 */
function splitWords(at: number, parts: number, request: Requested, avoided: Fault | undefined): string {
  const which = `part ${at} of ${parts} of the ${familyWords(request)}`;
  return avoided ? `${which}, as no order of whole requests will do: in the usual one, ${avoided.words}` : which;
}

function familyWords({ operation }: Requested): string {
  return nounOf(operation.family, 2);
}
