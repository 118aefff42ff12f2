/** The guards that a person may waive, by `--allow` or by a waiver in the repository. */
export const liftableRules = [
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

export type WaivableRule = (typeof liftableRules)[number];

export function isLiftable(rule: string): rule is WaivableRule {
  return (liftableRules as readonly string[]).includes(rule);
}
