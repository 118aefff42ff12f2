// Patterns of indices in the words of the other product.
import { isDateMath } from "../access/patterns/date-math.ts";
import { isVariable, type Semantics } from "../dialects/semantics.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** The patterns that match the same indices there; what matches nothing here and something there is left out. */
export function convertIndexPatterns(
  patterns: readonly string[],
  context: Converting,
  note: NoteWriter,
): readonly string[] {
  return [...new Set(patterns.flatMap((pattern) => convertIndexPattern(pattern, context, note)))];
}

function convertIndexPattern(pattern: string, context: Converting, note: NoteWriter): readonly string[] {
  const { from, to, here, there } = context;
  const [was, is] = [from.semantics, to.semantics];
  if (pattern === "_all" && was.allMatchesEverything !== is.allMatchesEverything) {
    if (was.allMatchesEverything) {
      note(
        "changed",
        `The index pattern _all is written as *: ${there} matches nothing with it. By * indices are granted that do not exist yet, too.`,
      );
      return ["*"];
    }
    note(
      "changed",
      `The index pattern _all grants nothing in ${here}, and is left out: ${there} matches everything with it.`,
    );
    return [];
  }
  if (was.dotsMatchNothing && !is.dotsMatchNothing && pattern.includes(".")) {
    note(
      "changed",
      `The index pattern ${pattern} matches nothing in ${here}, because of its dot, and is left out: ${there} would grant by it. Add it if it is meant.`,
    );
    return [];
  }
  if (is.minusExcludes && !was.minusExcludes && pattern.startsWith("-")) {
    note(
      "changed",
      `The index pattern ${pattern} matches nothing in ${here}, and is left out: ${there} excludes by it.`,
    );
    return [];
  }
  if (was.minusExcludes && !is.minusExcludes && pattern.startsWith("-")) {
    note(
      "left",
      `The index pattern ${pattern} takes indices out in ${here}; ${there} has nothing like it, and grants them.`,
    );
    return [];
  }
  if (pattern.trim() === "" && to.dialect.refusesSpaces) {
    note("changed", `A blank index pattern matches nothing, and is left out: ${there} refuses it.`);
    return [];
  }
  if (isDateMath(pattern) && was.resolvesDatesToIndices !== is.resolvesDatesToIndices)
    note(
      "unknown",
      `The index pattern ${pattern} is looked up among the indices that exist by only one of the two products.`,
    );
  reportVariables(pattern, "The index pattern", context, note);
  return [pattern];
}

/** Says of each variable that only one of the two is known to replace. */
export function reportVariables(
  text: string,
  what: string,
  { from, to, there: product }: Converting,
  note: NoteWriter,
  more: readonly (keyof Pick<Semantics, "heldRoleVariables">)[] = [],
): void {
  const isRelease = [from, to].every(({ dialect }) => dialect.product === "opensearch");
  const there = isRelease ? `${product} ${to.dialect.release}` : product;
  const knows = ({ semantics }: Converting["to"], written: string): boolean => {
    const all = [...semantics.variables, ...semantics.roleVariables, ...more.flatMap((list) => semantics[list])];
    // A value for want of one, `${x:-y}`, whatever x is, and variables in the names of variables.
    const [outer = "", ...others] = written.split(/:-|\$\{/);
    if (others.length === 0) return isVariable(written, all);
    return semantics.substitutesVariables && (written.includes(":-") || isVariable(outer, all));
  };
  for (const [variable, name = ""] of text.matchAll(/\$\{((?:[^{}]|\$\{[^{}]*\})*)\}/g)) {
    const [was, is] = [knows(from, name), knows(to, name)];
    if (was && is) continue;
    const who = was
      ? `${there} is not known to replace it`
      : is
        ? `only ${there} is known to replace it`
        : name.startsWith("user.attrs.")
          ? "only Search Guard FLX and later builds of 7.x replace it"
          : "neither product is known to replace it";
    note("unknown", `${what} has ${variable}: ${who}.`);
  }
}
