import { getDataStream, isVariable, type Semantics } from "../../dialects/semantics.ts";
import type { Subject } from "../model/subject.ts";
import { isDateMath, readDateMath } from "../patterns/date-math.ts";
import { includes } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { replaceNestedVariables } from "../patterns/nested-variables.ts";
import { matchEveryIndex } from "../patterns/partition.ts";
import { isRefusedPattern } from "../patterns/refused-regex.ts";
import { type Condition, combineAny, toCondition, type Verdict } from "../verdict.ts";

/** An index as a request names it, or comes to it. */
export interface IndexName {
  readonly name: string;
  /** The alias by which a request names it, with all others that it leads to. */
  readonly via?: string;
  /** Whether there is such an index is unknown. */
  readonly mayBeMissing?: true;
  /** Any existing index, or an alias that is not named; `name` is the pattern for all of them. */
  readonly anyOne?: "index" | "alias";
  /** All indices that there are, at once; `name` is what the server takes for them. */
  readonly isAll?: true;
  /** Whether the request is about no other index; absent: no. */
  readonly isAlone?: "yes" | "unknown";
}

/** What a server reduces a request to that names no index. */
export const anyIndex: IndexName = { name: "*", anyOne: "index" };

/** What a question names no further that is about one of its aliases. */
export const anyAlias: IndexName = { name: "*", anyOne: "alias" };

/** The pattern that a request for all indices is evaluated with, where the server takes one pattern for it. */
export const everything = "*";

export const allIndices: IndexName = { name: everything, isAll: true };

/** Whether an index pattern of a role covers an index, with the subject's name and attributes put in for variables. */
export function coversIndex(
  pattern: string,
  { name, mayBeMissing, anyOne, isAll }: IndexName,
  semantics: Semantics,
  subject: Subject,
): Verdict {
  if (anyOne) return coversSomeIndex(resolveIndexPattern(pattern, semantics, subject));
  // The pattern is resolved to names of existing indices; the request's own text `_all` is no such name.
  const isResolved = pattern === "_all" || (semantics.resolvesDatesToIndices && isDateMath(pattern));
  if (name === everything && isResolved) return "no";
  const meant = resolveIndexPattern(pattern, semantics, subject);
  if (meant === undefined) return "no";
  if (isAll) return coversAllIndices(meant, semantics);
  const isStarAlone = semantics.everythingTakesStar && name === everything;
  if (isStarAlone && typeof meant === "string") return meant === everything ? "yes" : "no";
  const names = listNamesOf(name, semantics);
  // Another name is refused, also to create it.
  if (isResolved && mayBeMissing && typeof meant === "string")
    return names.every((one) => matchesPattern(meant, one) === "no") ? "no" : "unknown";
  if (typeof meant !== "string") {
    const most = widenPattern(pattern);
    return most !== undefined && names.every((one) => matchesPattern(most, one) === "no") ? "no" : "unknown";
  }
  return combineAny(names.map((one) => matchesPattern(meant, one)));
}

/** By itself; `unknown`: it may match each index that there is, or do so together with others. */
function coversAllIndices(
  meant: string | { readonly depends: string },
  { everythingTakesOnePattern, everythingTakesStar }: Semantics,
): Verdict {
  if (typeof meant !== "string") return isOfOwnName(meant.depends) ? "no" : "unknown";
  if (everythingTakesStar) return meant === everything ? "yes" : "no";
  if (matchEveryIndex([meant])) return "yes";
  return everythingTakesOnePattern && matchesPattern(meant, everything) === "no" ? "no" : "unknown";
}

/** Nobody has a name that means all indices. */
export function isOfOwnName(pattern: string): boolean {
  return /\$\{user[._]name\}/.test(pattern);
}

/** Names that lead to an index: what covers one of them covers the index, whichever a request names. */
export function listOtherNames(index: string, { hasDataStreams, aliases }: Semantics): readonly string[] {
  const stream = hasDataStreams ? getDataStream(index) : undefined;
  return [...new Set([...(aliases?.ofIndex.get(index) ?? []), ...(stream === undefined ? [] : [stream])])];
}

/** The indices that a name of a request comes to. */
export function listIndicesBehind(asked: string, { aliases }: Semantics): readonly string[] {
  return aliases?.members.get(asked) ?? [asked];
}

/** Indices with aliases that a pattern of a request comes to, by their own names or by those of aliases. */
export function listReached(asked: string, { aliases }: Semantics): readonly string[] {
  return [...(aliases?.ofIndex ?? [])].flatMap(([index, others]) =>
    [index, ...others].some((name) => matchesPattern(asked, name) !== "no") ? index : [],
  );
}

/** Whatever patterns of roles are compared with, where a request names this. */
export function listComparedNames(asked: string, semantics: Semantics): readonly string[] {
  const indices = [
    ...listIndicesBehind(asked, semantics),
    ...(asked.includes("*") ? listReached(asked, semantics) : []),
  ];
  return [...new Set(indices.flatMap((index) => listNamesOf(index, semantics)))];
}

/** All names by which patterns cover an index, its own first. */
export function listNamesOf(index: string, semantics: Semantics): readonly string[] {
  return [index, ...listOtherNames(index, semantics)];
}

/** Which indices there are is unknown, but there are some. */
function coversSomeIndex(meant: ReturnType<typeof resolveIndexPattern>): Verdict {
  if (meant === undefined) return "no";
  return typeof meant === "string" && includes([meant], everything) === "yes" ? "yes" : "unknown";
}

/** The condition under which a pattern covers an index, or matches whatever else is asked about. */
export function getPatternCondition(pattern: string, verdict: Verdict): Condition {
  return toCondition(verdict, () => JSON.stringify(["pattern", pattern]));
}

/**
 * An index pattern with its variables filled in. Undefined: it matches nothing; `depends`: on what is unknown of the
 * subject.
 */
export function resolveIndexPattern(
  pattern: string,
  semantics: Semantics,
  subject: Subject,
): string | { readonly depends: string } | undefined {
  if (semantics.dotsMatchNothing && pattern.includes(".")) return undefined;
  if (pattern === "_all") return semantics.allMatchesEverything ? "*" : undefined;
  if (isDateMath(pattern)) return resolveDateMath(pattern, semantics);
  const meant = resolveVariables(pattern, semantics, subject);
  return typeof meant === "string" && isRefusedPattern(meant, semantics) ? undefined : meant;
}

function resolveDateMath(
  pattern: string,
  { resolvesDatesToIndices }: Semantics,
): ReturnType<typeof resolveIndexPattern> {
  const depends = { depends: "the date" };
  // Which of the two is replaced first was not tried.
  if (pattern.includes("${")) return depends;
  const read = readDateMath(pattern);
  // Search Guard answers 500 to all requests of those who have it.
  if (!read) return resolvesDatesToIndices ? depends : undefined;
  // No wildcard where indices are looked up; OpenSearch grants by it as by one, and does not restrict.
  if (pattern.includes("?")) return resolvesDatesToIndices ? undefined : depends;
  return read.hasDate ? depends : read.widest;
}

/**
 * A pattern that matches everything that the given one might match, whatever the values of its variables; undefined:
 * that may be anything.
 */
export function widenPattern(pattern: string): string | undefined {
  if (isDateMath(pattern) && !pattern.includes("${")) return readDateMath(pattern)?.widest;
  // What a value begins with decides whether it is a regular expression.
  return /^(\$\{|[/<])/.test(pattern) ? undefined : pattern.replaceAll(nestedVariable, "*");
}

/** One variable deep, as is usual. */
const nestedVariable = /\$\{(?:[^{}]|\$\{[^{}]*\})*\}/g;

/**
 * With its variables replaced, unquoted as servers do; one that nothing is known of for this user stays as it is. A
 * value may hold variables that servers replace later: first names, then backend roles, then attributes.
 */
export function resolveVariables(
  pattern: string,
  { variables, roleVariables, substitutesVariables }: KnownVariables,
  subject: Subject,
): string | { readonly depends: string } {
  if (!pattern.includes("${")) return pattern;
  if (substitutesVariables) {
    const substituted = replaceNestedVariables(pattern, (variable) =>
      findValue(variable, subject, isExpression(pattern)),
    );
    return substituted ?? { depends: pattern.match(nestedVariable)?.[0] ?? pattern };
  }
  const { user, attributes } = subject;
  let depends: string | undefined;
  const replace = (text: string, valueFor: (variable: string, written: string) => string | undefined): string =>
    text.replace(/\$\{([^}]*)\}/g, (written, variable: string) => {
      const value = valueFor(variable, written);
      if (value === undefined) depends ??= written;
      return value ?? written;
    });
  const isName = (variable: string): boolean => /^user[._]name$/.test(variable) && isVariable(variable, variables);
  const named = replace(pattern, (variable, written) =>
    isName(variable) ? (user && "name" in user ? user.name : undefined) : written,
  );
  const ofRoles = replace(named, (variable, written) =>
    roleVariables.includes(variable) ? quoteRoles(subject, isExpression(pattern)) : written,
  );
  const text = replace(ofRoles, (variable, written) =>
    isVariable(variable, variables) && !isName(variable)
      ? attributes && findAttribute(variable, attributes, written)
      : written,
  );
  return depends === undefined ? text : { depends };
}

type KnownVariables = Pick<Semantics, "variables" | "roleVariables" | "substitutesVariables">;

/** Of a server that takes all variables everywhere. */
function findValue(variable: string, subject: Subject, isExpression: boolean): string | undefined | null {
  const { user, attributes } = subject;
  switch (variable.replace("_", ".")) {
    case "user.name":
      return user && "name" in user ? user.name : null;
    case "user.roles":
      return quoteRoles(subject, isExpression) ?? null;
    case "user.securityRoles":
      return '""';
    default: {
      if (!/^attr[._]/.test(variable)) return undefined;
      const value = attributes && findAttribute(variable, attributes, noValue);
      return value === noValue ? undefined : (value ?? null);
    }
  }
}

const noValue = "\u0000";

/** The order of the list is unknown, and its length where not all is known of the subject. */
function quoteRoles({ backendRoles, mayHaveMore }: Subject, isExpression: boolean): string | undefined {
  if (mayHaveMore !== undefined && (backendRoles.length === 0 || isExpression)) return undefined;
  if (isExpression && (backendRoles.length > 1 || backendRoles.some((who) => "pattern" in who))) return undefined;
  return backendRoles.map((who) => `"${"name" in who ? who.name : "*"}"`).join();
}

function isExpression(pattern: string): boolean {
  return /^\/.*\/$/s.test(pattern);
}

/** By its name, or by that with `_` for each dot; undefined where two have that one. */
function findAttribute(variable: string, attributes: Readonly<Record<string, string>>, written: string) {
  const name = variable.slice("attr.".length);
  if (variable.startsWith("attr.")) return attributes[name] ?? written;
  const found = new Set(
    Object.entries(attributes).flatMap(([key, value]) => (key.replaceAll(".", "_") === name ? value : [])),
  );
  const [value = written] = found;
  return found.size > 1 ? undefined : value;
}
