import { type Fields, isObject, listValues, type Value } from "../json/value.ts";
import type { Family } from "./names.ts";

/** One HTTP request that realises one or more changes; data, so that it can be shown, compared and stored. */
export interface Operation {
  readonly family: Family;
  readonly method: "PUT" | "PATCH" | "DELETE";
  /** From the server's root, encoded: `/_gate/api/roles/hr_reader`. */
  readonly path: string;
  /** Secrets are `Secret` values in it; only the client reveals them. */
  readonly body?: Value;
  /** The names of the changes it makes. */
  readonly names: readonly string[];
  /** Several resources at once: `PATCH` of a collection. */
  readonly bulk: boolean;
  /** Why it is a separate request, or has this position, where that is not the usual order. */
  readonly reason?: string;
  /** Milliseconds that the server will need for it, roughly; only where that is worth knowing. */
  readonly estimate?: number;
  /** By name, the entries of which other requests of the plan make a part. */
  readonly intermediate?: ReadonlyMap<string, LeftIntermediate>;
}

/** What an entry is between the requests that change it, canonical. */
export interface LeftIntermediate {
  /** What earlier requests of the plan made of it; absent where this is the first. */
  readonly from?: Fields;
  /** What this one leaves for later requests; absent where it is the last. */
  readonly to?: Fields;
}

/** What requests leave of an entry for later ones, in their order. */
export function getLeftIntermediate(
  operations: readonly Operation[],
  entry: { readonly family: Family; readonly name: string },
): readonly Fields[] {
  return operations
    .filter(({ family }) => family === entry.family)
    .flatMap(({ intermediate }) => {
      const { to } = intermediate?.get(entry.name) ?? {};
      return to ? [to] : [];
    });
}

/** With the reason for this request and its position added. */
export function withExplanation(operation: Operation, ...reasons: readonly (string | undefined)[]): Operation {
  const given = [operation.reason, ...reasons].filter((reason) => reason !== undefined);
  return given.length === 0 ? operation : { ...operation, reason: given.join("; ") };
}

/** The `test`s of a PATCH guard it and change nothing: the same operation without them. */
export function withoutTests(operation: Operation): Operation {
  return hasTests(operation)
    ? { ...operation, body: listValues(operation.body).filter((step) => !isTest(step)) }
    : operation;
}

export function hasTests({ method, body }: Operation): boolean {
  return method === "PATCH" && listValues(body).some(isTest);
}

function isTest(step: Value): boolean {
  return isObject(step) && step.op === "test";
}
