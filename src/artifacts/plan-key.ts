import { RunError } from "../diagnostics/failure.ts";
import type { Surroundings } from "../model/surroundings.ts";

/** For who reads a plan that is saved, or one that was: an unset key is no error, and must not pass unseen. */
export function listSealNotes(request: Pick<Surroundings, "env">): readonly string[] {
  return planKey(request) === undefined
    ? ["The plan file has no seal, as GATE_SYNC_PLAN_KEY is not set: apply would not notice an edit made on purpose."]
    : [];
}

/** Characters: a shorter key could be guessed from a seal, or from a digest of a secret. */
const shortest = 16;

/**
 * GATE_SYNC_PLAN_KEY, which seals plan files and keys the digests of secrets. An empty one counts as none: some pipelines
 * set a missing variable to that.
 *
 * @throws RunError `usage` for one that could be guessed
 */
export function planKey({ env }: Pick<Surroundings, "env">): string | undefined {
  const key = env.GATE_SYNC_PLAN_KEY || undefined;
  if (key === undefined || key.length >= shortest) return key;
  throw new RunError("usage", {
    what: `GATE_SYNC_PLAN_KEY is too short: less than ${shortest} characters.`,
    why: "An attacker who guesses it can read secrets out of their digests and seal a plan of their own.",
    fix: "Set a long random text, the same for plan and for apply: for example what openssl rand -hex 32 prints.",
  });
}
