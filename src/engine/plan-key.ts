import type { Request } from "./request.ts";

/** What seals plan files and keys the digests of secrets; an empty one is none, as a pipeline without it has. */
export function planKey({ env }: Pick<Request, "env">): string | undefined {
  return env.GATE_SYNC_PLAN_KEY || undefined;
}
