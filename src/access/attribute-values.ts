import type { Region, Term } from "../model/access.ts";
import { indexPattern } from "./coverage.ts";
import { heldRules, perhapsHeld } from "./judge.ts";
import type { AccessModel } from "./model.ts";
import { meets } from "./patterns/meets.ts";
import type { Subject } from "./subject.ts";

/**
 * Index patterns that hold the value of an internal user's attribute, each with the pattern as roles have it. What the
 * server keeps of a user is used to evaluate access, and never shown.
 */
export type HiddenPatterns = ReadonlyMap<string, string>;

export function hiddenPatterns(models: readonly AccessModel[], subject: Subject): HiddenPatterns {
  if (!subject.hiddenAttributes || subject.hiddenAttributes.length === 0) return none;
  const hidden = new Set(subject.hiddenAttributes);
  const shown = Object.entries(subject.attributes ?? {}).filter(([name]) => !hidden.has(name));
  const asShown: Subject = { ...subject, attributes: Object.fromEntries(shown) };
  const found = new Map<string, string>();
  for (const model of models) {
    const { judging } = model.state;
    for (const { rules } of [...heldRules(model, subject), ...perhapsHeld(model, subject)]) {
      for (const pattern of [...rules.index, ...rules.notIndex].flatMap(({ patterns }) => patterns)) {
        const [meant, safe] = [indexPattern(pattern, judging, subject), indexPattern(pattern, judging, asShown)];
        if (typeof meant === "string" && meant !== safe) found.set(meant, typeof safe === "string" ? safe : pattern);
      }
    }
  }
  return found;
}

const none: HiddenPatterns = new Map();

export function patternAsWritten(pattern: string, hidden: HiddenPatterns): string {
  return hidden.get(pattern) ?? pattern;
}

export function termAsWritten({ allOf, noneOf }: Term, hidden: HiddenPatterns): Term {
  const shown = (patterns: readonly string[]) => patterns.map((pattern) => patternAsWritten(pattern, hidden));
  return { allOf: shown(allOf), noneOf: shown(noneOf) };
}

export function regionAsWritten({ terms, examples }: Region, hidden: HiddenPatterns): Region {
  return {
    terms: terms.map((term) => termAsWritten(term, hidden)),
    examples: [...new Set(examples.map((name) => nameAsWritten(name, hidden)))],
  };
}

/** An example of what such a pattern matches shows the value, too. */
export function nameAsWritten(name: string, hidden: HiddenPatterns): string {
  for (const [pattern, written] of hidden) if (meets(pattern, name) !== "no") return written;
  return name;
}
