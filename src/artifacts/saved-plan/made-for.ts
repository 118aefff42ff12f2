import { RunError } from "../../diagnostics/failure.ts";
import type { MadeFor } from "../../model/plan-file.ts";

/**
 * @param made what the file says
 * @param asked what this run asks for; what it does not name is not compared
 * @throws RunError `usage` for a plan that was made for another change, or does not say for which
 */
export function refuseOtherChange(path: string, made: MadeFor = {}, asked: MadeFor = {}): void {
  const held = new Map(Object.entries(made));
  const [key, wanted] = Object.entries(asked).find(([name, value]) => held.get(name) !== value) ?? [];
  if (key === undefined) return;
  const value = held.get(key);
  const wantedPair = JSON.stringify(`${key}=${wanted}`);
  throw new RunError("usage", {
    what:
      value === undefined
        ? `${path} does not say for which ${key} it was made, and this run is for ${wantedPair}.`
        : `${path} was made for ${JSON.stringify(`${key}=${value}`)}, and this run is for ${wantedPair}.`,
    why: "What was reviewed for one change says nothing about another. Nothing was sent.",
    fix: "Apply the plan of this change; where it has none, plan again with the same --made-for.",
  });
}
