/** The guards that a person may waive, by `--allow` or by a waiver in the repository. */
export const waivableRules = [
  "deletions",
  "changes",
  "protected",
  "wildcard",
  "escalation",
  "order",
  "login",
  "lock-out",
  "plain-secrets",
] as const;

export type WaivableRule = (typeof waivableRules)[number];

export function isWaivable(rule: string): rule is WaivableRule {
  return (waivableRules as readonly string[]).includes(rule);
}
