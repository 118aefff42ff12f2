import { catalogue, type LintCode, lintCodes, neverSilent } from "../diagnostics/catalogue.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { findPlacesInStrings, type Node } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";

/** A comment `# gate-sync-ignore CODE reason`: at the end of a line it silences what is reported for that line. */
export interface Ignore {
  readonly code: LintCode;
  /** The comment itself. */
  readonly range: SourceRange;
  /** From 1. */
  readonly line: number;
}

const word = "gate-sync-ignore";
const comment =
  /(?<=^|[ \t])#[ \t]*gate-sync-ignore(?![\w-])[ \t]*([^\s#]*)((?:(?![ \t]#[ \t]*gate-sync-ignore)[^\r\n])*)/gm;

/** All such comments of the files, and what is wrong with them. Parsers drop comments: they are taken from the text. */
export function parseIgnores(documents: readonly StateDocument[]): {
  readonly ignores: readonly Ignore[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const ignores: Ignore[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [file, roots] of rootsOf(documents)) {
    const found = [...file.text.matchAll(comment)];
    const quoted = findPlacesInStrings(
      roots,
      found.map(({ index }) => index),
    );
    for (const { index, 0: all, 1: code = "", 2: reason = "" } of found) {
      if (quoted.has(index)) continue;
      const range = { file, start: index, end: index + all.trimEnd().length };
      const fault = faultOf(code, reason.trim());
      if (fault) diagnostics.push(createDiagnostic(range, "bad-ignore", fault));
      else ignores.push({ code: code as LintCode, range, line: getPosition(file, index).line });
    }
  }
  return { ignores, diagnostics };
}

function rootsOf(documents: readonly StateDocument[]): ReadonlyMap<SourceFile, readonly Node[]> {
  const roots = new Map<SourceFile, Node[]>();
  for (const { file, root } of documents) {
    // Looked for once in each file: hardly any has one.
    const known = roots.get(file);
    if (known) known.push(root);
    else if (file.text.includes(word)) roots.set(file, [root]);
  }
  return roots;
}

function faultOf(code: string, reason: string): Pick<Diagnostic, "what" | "why" | "fix"> | undefined {
  const form = "Write # gate-sync-ignore CODE reason.";
  if (code === "") {
    return { what: "The comment does not say what is to be ignored.", why: "It silences nothing.", fix: form };
  }
  if (!isLintCode(code) || neverSilent.has(code)) {
    return {
      what: Object.hasOwn(catalogue, code)
        ? `${code} cannot be silenced.`
        : `There is no warning ${JSON.stringify(code)}.${suggestNearest(code, lintCodes)}`,
      why: "The comment silences nothing.",
      fix: "Write the code that follows the word warning.",
    };
  }
  if (reason !== "") return undefined;
  return {
    what: `The comment does not say why ${code} is to be ignored here.`,
    why: "Without a reason it silences nothing: later readers have to know.",
    fix: form,
  };
}

export function isLintCode(code: string): code is LintCode {
  return (lintCodes as readonly string[]).includes(code);
}
