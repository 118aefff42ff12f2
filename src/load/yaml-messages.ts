// What is wrong with the nodes of a YAML file, whichever parser read it.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { aliasLimit } from "./valid-yaml.ts";

/** Far deeper than any file of this kind; keeps every later walk off the end of the stack. */
export const depthLimit = 100;

export function createDuplicateKeyMessage(key: string, range: SourceRange, first: SourceRange): Diagnostic {
  return createDiagnostic(range, "duplicate-key", {
    what: `The key "${key}" is twice in the same map.`,
    why: "Readers differ on which of the two counts, and a wrongly indented entry often looks like this.",
    fix: "Keep one of the two, or correct the indentation of the lines in between.",
    related: [{ range: first, what: `"${key}" is here first` }],
  });
}

export function createAliasBombMessage(range: SourceRange): Diagnostic {
  return createDiagnostic(range, "alias-bomb", {
    what: `The aliases of this document expand to more than ${aliasLimit.toLocaleString("en")} values.`,
    why: "Aliases of aliases multiply; a file like this can fill the memory of whatever reads it.",
    fix: "Write out what is meant instead of nesting aliases.",
  });
}

export function createTooDeepMessage(range: SourceRange): Diagnostic {
  const what = `Maps and lists are nested more than ${depthLimit} levels deep.`;
  const why = "No state file needs that; what is below is not read.";
  return createDiagnostic(range, "syntax", { what, why, fix: "Check the brackets and the indentation of this place." });
}
