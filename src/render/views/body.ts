import { holdsSecret, reveal } from "../../json/value.ts";
import type { Operation } from "../../model/operation.ts";

/** Bytes of an operation's body as JSON; undefined where it has none, or holds a secret: the length of one is part of it. */
export function countBodyBytes({ body }: Operation): number | undefined {
  if (body === undefined || holdsSecret(body)) return undefined;
  return Buffer.byteLength(JSON.stringify(reveal(body)));
}
