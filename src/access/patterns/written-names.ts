import { combineAny, negate, type Verdict } from "../verdict.ts";
import type { Expression } from "./expression.ts";
import { includes } from "./includes.ts";
import { isLiteral, readPattern } from "./syntax.ts";

/** Whether patterns match a name that none of them writes down, as a literal and `/(ana|bob)/` do. */
export function matchUnwritten(patterns: readonly string[]): Verdict {
  const written = patterns.flatMap((pattern) => (isLiteral(pattern) ? [pattern] : (listWrittenNames(pattern) ?? [])));
  const open = patterns.filter((pattern) => !isLiteral(pattern) && !listWrittenNames(pattern));
  return combineAny(open.map((pattern) => negate(includes(written, pattern))));
}

/** Whether a pattern certainly matches no two names. */
export function matchesOneName(pattern: string): boolean {
  return isLiteral(pattern) || (listWrittenNames(pattern)?.length ?? 2) < 2;
}

const mostWritten = 64;

/** The names that a regular expression spells out, where these are few. */
function listWrittenNames(pattern: string): readonly string[] | undefined {
  const read = readPattern(pattern);
  if (!read?.compiled.every(({ also }) => also.length === 0)) return undefined;
  return listNamesOf(read.expression);
}

function listNamesOf(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case "one": {
      const { chars } = expression;
      let names: string[] = [];
      for (let at = 0; at < chars.length; at += 2) {
        const [from = 0, to = 0] = [chars[at], chars[at + 1]];
        if (names.length + to - from > mostWritten) return undefined;
        names = [...names, ...Array.from({ length: to - from }, (_, more) => String.fromCodePoint(from + more))];
      }
      return names;
    }
    case "sequence":
      return expression.parts.reduce<readonly string[] | undefined>(
        (names, part) => joinNames(names, listNamesOf(part)),
        [""],
      );
    case "choice": {
      const all = expression.options.map(listNamesOf);
      const names = all.flatMap((some) => some ?? []);
      return all.includes(undefined) || names.length > mostWritten ? undefined : names;
    }
    case "repeat": {
      const { least, most } = expression;
      const each = most > mostWritten ? undefined : listNamesOf(expression.of);
      if (!each) return undefined;
      let names: readonly string[] = least === 0 ? [""] : [];
      let power: readonly string[] | undefined = [""];
      for (let time = 1; time <= most; time++) {
        power = joinNames(power, each);
        if (!power || names.length > mostWritten) return undefined;
        if (time >= least) names = [...names, ...power];
      }
      return names;
    }
    case "anchor":
      return [""];
    default:
      return undefined;
  }
}

function joinNames(before: readonly string[] | undefined, after: readonly string[] | undefined) {
  if (!before || !after || before.length * after.length > mostWritten) return undefined;
  return before.flatMap((first) => after.map((second) => first + second));
}
