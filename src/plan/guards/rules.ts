/** The guards that a person may lift, by `--allow` or by a consent in the repository. */
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

export type LiftableRule = (typeof liftableRules)[number];

export function isLiftable(rule: string): rule is LiftableRule {
  return (liftableRules as readonly string[]).includes(rule);
}
