import type { Difference, Statement } from "../model/access.ts";
import { addressOf } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";

/** Whoever administers access control may give themselves the rest: what the guard `escalation` found is told before it. */
export function administeringFirst(
  statements: readonly Statement[],
  { violations, lifted }: Pick<Plan, "violations" | "lifted">,
): { readonly administering: readonly Statement[]; readonly others: readonly Statement[] } {
  const found = [...violations, ...lifted].filter(({ rule }) => rule === "escalation");
  const addresses = new Set(found.flatMap((one) => one.addresses));
  const isByThese = ({ kind, via }: Difference): boolean =>
    via !== undefined &&
    (kind === "gained" || kind === "may-gain") &&
    [
      addressOf("roles", via.role),
      addressOf("role_mappings", via.role),
      ...via.groups.map((name) => addressOf("action_groups", name)),
    ].some((address) => addresses.has(address));
  const [administering, others]: [Statement[], Statement[]] = [[], []];
  for (const statement of statements) {
    (statement.differences.some(isByThese) ? administering : others).push(statement);
  }
  return { administering, others };
}
