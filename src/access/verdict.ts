/** Never a guess: what cannot be decided here is `unknown`. */
export type Verdict = "yes" | "no" | "unknown";

export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("yes")) return "yes";
  return verdicts.includes("unknown") ? "unknown" : "no";
}

export function allOf(verdicts: readonly Verdict[]): Verdict {
  return not(anyOf(verdicts.map(not)));
}

export function not(verdict: Verdict): Verdict {
  if (verdict === "unknown") return verdict;
  return verdict === "yes" ? "no" : "yes";
}
