// What the server's own record says of an operation.
import type { Json } from "../../../src/json/value.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { meaning } from "../oracle.ts";
import type { Holds, Passage } from "./memory.ts";
import type { Course, Scene } from "./play.ts";

export interface Facts {
  readonly addresses: readonly string[];
  /** Indices of the passages by which it was sent. */
  readonly sends: readonly number[];
  /** The last of them that changed anything of its own. */
  readonly took: number | undefined;
}

export function factsOf({ before, end }: Scene, { passages }: Course, operation: Operation): Facts {
  const addresses = addressesOf(operation, before, end);
  const sends = passages.flatMap(({ method, path }, index) =>
    method === operation.method && path === operation.path ? [index] : [],
  );
  const took = sends.findLast((index) => {
    const passage = passages[index];
    return passage && addresses.some((address) => passage.before.get(address) !== passage.after.get(address));
  });
  return { addresses, sends, took };
}

export function addressesOf({ family, names }: Operation, before: Holds, end: Holds): readonly string[] {
  if (family === "license") return ["config/license"];
  if (family !== "config") return names.map((name) => `${family}/${name}`);
  return union(before, end).filter(
    (address) =>
      address.startsWith("config/") && address !== "config/license" && before.get(address) !== end.get(address),
  );
}

export function isLook({ method, path, whole }: Passage, operation: Operation): boolean {
  return method === "GET" && whole && collectionIn(path) === collectionIn(operation.path);
}

function collectionIn(path: string): string | undefined {
  return /\/api\/([^/?]+)/.exec(path)?.[1];
}

export function union(a: Holds, b: Holds): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])];
}

export function same(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && meaning(JSON.parse(a) as Json) === meaning(JSON.parse(b) as Json);
}
