import { getNoun } from "../../families/index.ts";
import { findEdits } from "../../json/patch.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import { type LeftIntermediate, type Operation, withExplanation } from "../../model/operation.ts";
import type { PlannedRequest, UsualRequests } from "../requests.ts";
import type { IntermediateFault } from "./faults.ts";
import type { IntermediateStates } from "./intermediate-states.ts";

/** The states that a plan goes through. */
export interface WriteRoute {
  readonly intermediateStates: IntermediateStates;
  /** The batches that are made after each step, as bits. */
  readonly masks: readonly bigint[];
  /** What is wrong first in the usual order, where this is another one. */
  readonly avoided?: IntermediateFault | undefined;
}

/** From one state of a route to the next. */
export interface Step extends Move {
  readonly request: PlannedRequest;
  /** One; several where a part of the request is too long for one. */
  readonly operations: readonly Operation[];
}

/** What of a request is made at once. */
interface Move {
  /** The place of the request in the usual order. */
  readonly sequence: number;
  /** What is made before it and after it, as bits. */
  readonly made: bigint;
  readonly next: bigint;
  /** All of the request. */
  readonly isWhole: boolean;
}

/** What steps are made of. */
interface StepSource {
  readonly route: WriteRoute;
  readonly usual: UsualRequests;
  /** What is wrong first where the requests that are left once some are made go on in the usual order. */
  readonly usualFault: (made: bigint) => IntermediateFault | undefined;
}

/** The operations of a route, each with the reason why it is there, or is only a part of a request. */
export function createSteps({ route, usual, usualFault }: StepSource): readonly Step[] {
  const { intermediateStates, masks } = route;
  const { requests, operationsFor } = usual;
  const moves = masks.map((next, at) => findMove(intermediateStates, masks[at - 1] ?? 0n, next));
  const isCut = moves.length > requests.length;
  const firstPart = moves.find(({ isWhole }) => !isWhole);
  const left = new Set(requests.keys());
  // Where each entry takes a request, hundreds of a family may have the same reason: it is shown once.
  const shown = new Set<Family>();
  const findReason = (move: Move, request: PlannedRequest): string | undefined => {
    const [overtaken] = left;
    const { family } = request.operation;
    if (overtaken === undefined || overtaken > move.sequence) {
      const isInPlace = moves.slice(0, moves.indexOf(move)).every(({ sequence }) => sequence < move.sequence);
      return isInPlace ? request.whyThere : undefined;
    }
    if (isCut || shown.has(family)) return undefined;
    shown.add(family);
    return explainMove(requests[overtaken], usualFault(move.made));
  };
  return moves.flatMap((move): readonly Step[] => {
    const request = requests[move.sequence];
    if (!request) return [];
    if (move.isWhole) {
      left.delete(move.sequence);
      return [{ ...move, request, operations: [withExplanation(request.operation, findReason(move, request))] }];
    }
    const parts = moves.filter(({ sequence }) => sequence === move.sequence);
    const why = explainPart(parts, move, request, move === firstPart ? route.avoided : undefined);
    const operations = createPart(move, request.changes, intermediateStates, operationsFor);
    return [{ ...move, request, operations: operations.map((operation) => withExplanation(operation, why)) }];
  });
}

function findMove({ batches }: IntermediateStates, made: bigint, next: bigint): Move {
  const isIn = (bits: bigint, at: number): boolean => (bits & (1n << BigInt(at))) !== 0n;
  const sequence = batches.find((_, at) => isIn(next & ~made, at))?.sequence ?? 0;
  const isWhole = batches.every((batch, at) => batch.sequence !== sequence || isIn(next & ~made, at));
  return { sequence, made, next, isWhole };
}

/** The operations that make a part of some changes, of which others make the rest. */
function createPart(
  { made, next }: Move,
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
    return [cutChange(change, before, after, from !== undefined)];
  });
  return operationsFor(parts).map((operation) => ({ ...operation, intermediate }));
}

/** How the server would show an entry that was written since it was read is unknown: it gets no `test`. */
function cutChange(change: Change, before: Fields | undefined, after: Fields | undefined, isWritten: boolean): Change {
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

function explainMove(overtaken: PlannedRequest | undefined, fault: IntermediateFault | undefined): string | undefined {
  return overtaken && fault && `before the ${getFamilyNoun(overtaken)}: otherwise ${fault.words}`;
}

/** @param avoided what is wrong in the usual order, where this is the part to say it at */
function explainPart(
  parts: readonly Move[],
  part: Move,
  request: PlannedRequest,
  avoided: IntermediateFault | undefined,
): string {
  const which = `part ${parts.indexOf(part) + 1} of ${parts.length} of the ${getFamilyNoun(request)}`;
  return avoided
    ? `${which}, split because no order of whole requests is safe: in the usual order, ${avoided.words}`
    : which;
}

function getFamilyNoun({ operation }: PlannedRequest): string {
  return getNoun(operation.family, 2);
}
