import type { Region, Term } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { resolveIndexPattern } from "./coverage.ts";
import { listHeldRules, listPerhapsHeld } from "./permission.ts";

/**
 * Index patterns that hold the value of an internal user's attribute, each with the pattern as roles have it. What the
 * server keeps of a user is used to evaluate access, and never shown.
 */
export type HiddenPatterns = ReadonlyMap<string, string>;

export function findHiddenPatterns(models: readonly AccessModel[], subject: Subject): HiddenPatterns {
  if (!subject.hiddenAttributes || subject.hiddenAttributes.length === 0) return none;
  const hidden = new Set(subject.hiddenAttributes);
  const shown = Object.entries(subject.attributes ?? {}).filter(([name]) => !hidden.has(name));
  const asShown: Subject = { ...subject, attributes: Object.fromEntries(shown) };
  const found = new Map<string, string>();
  for (const model of models) {
    const { semantics } = model.state;
    for (const { rules } of [...listHeldRules(model, subject), ...listPerhapsHeld(model, subject)]) {
      for (const pattern of [...rules.index, ...rules.notIndex].flatMap(({ patterns }) => patterns)) {
        const [meant, safe] = [
          resolveIndexPattern(pattern, semantics, subject),
          resolveIndexPattern(pattern, semantics, asShown),
        ];
        if (typeof meant === "string" && meant !== safe) found.set(meant, typeof safe === "string" ? safe : pattern);
      }
    }
  }
  return found;
}

const none: HiddenPatterns = new Map();

export function restorePattern(pattern: string, hidden: HiddenPatterns): string {
  return hidden.get(pattern) ?? pattern;
}

export function restoreTerm({ allOf, noneOf }: Term, hidden: HiddenPatterns): Term {
  const shown = (patterns: readonly string[]) => patterns.map((pattern) => restorePattern(pattern, hidden));
  return { allOf: shown(allOf), noneOf: shown(noneOf) };
}

export function restoreRegion({ terms, examples }: Region, hidden: HiddenPatterns): Region {
  return {
    terms: terms.map((term) => restoreTerm(term, hidden)),
    examples: [...new Set(examples.map((name) => restoreExample(name, hidden)))],
  };
}

/** An example of what such a pattern matches shows the value, too. */
export function restoreExample(name: string, hidden: HiddenPatterns): string {
  for (const [pattern, written] of hidden) if (matchesPattern(pattern, name) !== "no") return written;
  return name;
}
