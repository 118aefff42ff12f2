import type { Code } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** The longest text that variables may make, in characters. */
export const longestText = 1_000_000;

interface Explanation {
  readonly code: Code;
  readonly userMessage: Required<Pick<Diagnostic, "what" | "why" | "fix">>;
}

export function explainLongText(): Explanation {
  const userMessage = {
    what: `With its variables replaced, this text has more than ${longestText.toLocaleString("en")} characters.`,
    why: "Variables of variables multiply; no name, pattern or query is that long.",
    fix: "Write out what is meant.",
  };
  return { code: "large-variables", userMessage };
}

/** A key of an item where there is none. */
export function explainNoTemplate(reference: string): Explanation["userMessage"] {
  return {
    what: `${reference} is outside of a template.`,
    why: "Only below generate: are there items to take it from; the server would store this text literally.",
    fix: `Move the entry below generate:, or write $${reference} if the text itself is meant.`,
  };
}

export function refuseSecretOfItem(): Explanation {
  const userMessage = {
    what: "One text holds a secret and a key of an item.",
    why: "What is generated is shown in plans, and a secret is not.",
    fix: "Make the secret the whole of its value.",
  };
  return { code: "misplaced-secret", userMessage };
}

export function explainUnclosed(reference: string): Explanation {
  const userMessage = {
    what: "A reference is opened here, and never closed.",
    why: "The server would store these characters as they are.",
    fix: `Write ${reference.trimEnd()}}, or $$ instead of $ if no reference is meant.`,
  };
  return { code: "unknown-variable", userMessage };
}

export function explainMoreThanName(): Explanation["userMessage"] {
  return {
    what: "This reference has more than the name of an environment variable.",
    why: "No variable is called like that, and what follows its name may be a secret.",
    fix: "Write ${env:NAME}, or ${env:NAME:-default}.",
  };
}

/** In `PW-hunter2` the rest may be a default, as a shell writes it. */
export function explainUnset(name: string, isEmpty: boolean): Explanation["userMessage"] {
  const [what, fix] = name.includes("-")
    ? ["variable of this reference", "it where gate-sync runs; a default begins with :-"]
    : [`variable ${name}`, `${name} where gate-sync runs`];
  return {
    what: `The environment ${what} is ${isEmpty ? "empty" : "not set"}.`,
    why: "The secret that it should hold cannot be compared or sent.",
    fix: `Set ${fix}.`,
  };
}
