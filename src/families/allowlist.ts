import type { FamilyFacts } from "./facts.ts";

/** Both releases' words for the paths that all may use who have no admin certificate. */
export function createAllowlistFacts(word: "allowlist" | "whitelist"): FamilyFacts {
  return {
    noun: [`API ${word}`, `API ${word}s`],
    fields: {
      enabled: { kind: "flag", documented: false, default: false },
      requests: { kind: "lists", documented: false, default: {} },
    },
    mandatory: [],
  };
}
