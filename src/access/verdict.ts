/** Never a guess: what is not decided here is `unknown`. */
export type Verdict = "yes" | "no" | "unknown";

export function combineAny(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("yes")) return "yes";
  return verdicts.includes("unknown") ? "unknown" : "no";
}

export function combineAll(verdicts: readonly Verdict[]): Verdict {
  return negate(combineAny(verdicts.map(negate)));
}

export function negate(verdict: Verdict): Verdict {
  if (verdict === "unknown") return verdict;
  return verdict === "yes" ? "no" : "yes";
}

/**
 * A verdict with what it depends on. Two unknown verdicts are the same only where they are the same function of the
 * same facts: that "unknown" is on both sides says nothing.
 */
export type Condition = "yes" | "no" | Open;

/** Facts have names that are the same for the same fact, and are taken to be independent of one another. */
interface Open {
  /** The same for conditions that are written the same. */
  readonly key: string;
  /** Sorted. */
  readonly facts: readonly string[];
  readonly holds: (isFact: (fact: string) => boolean) => boolean;
}

/** Something unknown, by its name: whether a pattern matches a name, whether a subject has a role. */
export function createFact(name: string): Condition {
  return { key: JSON.stringify(name), facts: [name], holds: (isFact) => isFact(name) };
}

/** Holds where at least one of them does; of none, never. */
export function joinAny(conditions: readonly Condition[]): Condition {
  return joinConditions(conditions, "yes");
}

/** Holds where all of them do; of none, always. */
export function joinAll(conditions: readonly Condition[]): Condition {
  return joinConditions(conditions, "no");
}

export function negateCondition(condition: Condition): Condition {
  if (typeof condition === "string") return condition === "yes" ? "no" : "yes";
  return {
    key: `not ${condition.key}`,
    facts: condition.facts,
    holds: (isFact) => !condition.holds(isFact),
  };
}

/** A verdict as a condition: `unknown` becomes one fact of this name, which holds or does not. */
export function toCondition(verdict: Verdict, name: () => string): Condition {
  return verdict === "unknown" ? createFact(name()) : verdict;
}

export function toVerdict(condition: Condition): Verdict {
  return typeof condition === "string" ? condition : "unknown";
}

export function getConditionKey(condition: Condition): string {
  return typeof condition === "string" ? condition : condition.key;
}

/** @param decisive what decides by itself: `yes` where any condition is enough, `no` where all have to hold */
function joinConditions(conditions: readonly Condition[], decisive: "yes" | "no"): Condition {
  const open = new Map<string, Open>();
  for (const condition of conditions) {
    if (condition === decisive) return decisive;
    if (typeof condition !== "string") open.set(condition.key, condition);
  }
  const [only] = open.values();
  if (!only) return decisive === "yes" ? "no" : "yes";
  if (open.size === 1) return only;
  const all = [...open.keys()].sort().flatMap((key) => open.get(key) ?? []);
  return {
    key: `${decisive === "yes" ? "any" : "all"}(${all.map(({ key }) => key).join()})`,
    facts: [...new Set(all.flatMap(({ facts }) => facts))].sort(),
    holds:
      decisive === "yes"
        ? (isFact) => all.some(({ holds }) => holds(isFact))
        : (isFact) => all.every(({ holds }) => holds(isFact)),
  };
}

/** 256 completions; what depends on more facts is compared by its keys alone. */
const mostFacts = 8;

/**
 * Every result that a computation may have, whatever holds of what is unknown; undefined where that depends on too many
 * facts. A result is certain only where it is the only one.
 *
 * @param conditions all that the computation asks about
 */
export function listOutcomes<T>(
  conditions: readonly Condition[],
  of: (holds: (condition: Condition) => boolean) => Iterable<T>,
): ReadonlySet<T> | undefined {
  const facts = [...new Set(conditions.flatMap((one) => (typeof one === "string" ? [] : one.facts)))];
  if (facts.length > mostFacts) return undefined;
  const found = new Set<T>();
  for (let bits = 0; bits < 2 ** facts.length; bits++) {
    const held = new Set(facts.filter((_, at) => bits & (1 << at)));
    const isFact = (name: string): boolean => held.has(name);
    const holds = (one: Condition): boolean => (typeof one === "string" ? one === "yes" : one.holds(isFact));
    for (const result of of(holds)) found.add(result);
  }
  return found;
}

/** How one condition differs from another one. */
export type ConditionChange = "same" | "gained" | "lost" | "may-gain" | "may-lose" | "may-change";

export function compareConditions(before: Condition, after: Condition): ConditionChange {
  if (getConditionKey(before) === getConditionKey(after)) return "same";
  const found = listOutcomes<ConditionChange>([before, after], (holds) => [compareTruths(holds(before), holds(after))]);
  return found
    ? combineChanges(found)
    : combineChanges(
        new Set(listCompletions(before).flatMap((was) => listCompletions(after).map((is) => compareTruths(was, is)))),
      );
}

function listCompletions(condition: Condition): readonly boolean[] {
  return condition === "yes" ? [true] : condition === "no" ? [false] : [true, false];
}

function compareTruths(was: boolean, is: boolean): ConditionChange {
  return was === is ? "same" : is ? "gained" : "lost";
}

/** What may be each of some changes. */
function combineChanges(found: ReadonlySet<ConditionChange>): ConditionChange {
  const [only = "same"] = found;
  if (found.size <= 1) return only;
  if (!found.has("lost")) return "may-gain";
  return found.has("gained") ? "may-change" : "may-lose";
}

/** What is wrong with a state between two others: held without either of them, or missing with both. */
export type Harm = "leak" | "outage" | "unsure";

/** Undefined where nothing is wrong for certain. */
export function findHarm(before: Condition, between: Condition, after: Condition): Harm | undefined {
  const key = getConditionKey(between);
  if (key === getConditionKey(before) || key === getConditionKey(after)) return undefined;
  const found = listOutcomes<Harm | undefined>([before, between, after], (holds) => {
    const [was, now, is] = [holds(before), holds(between), holds(after)];
    return [was !== is || now === was ? undefined : now ? "leak" : "outage"];
  });
  return found ? getOnlyHarm(found) : "unsure";
}

/** Of harms that may be: undefined where there is none, else the one that is certain. */
export function getOnlyHarm(found: ReadonlySet<Harm | undefined>): Harm | undefined {
  const [only] = found;
  return found.size <= 1 ? only : "unsure";
}
