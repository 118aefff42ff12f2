import { catalogue, type LintCode, type Severity, settableErrors } from "../diagnostics/catalogue.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getPosition } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { showsAllByInvalidQuery } from "../dialects/dls-query.ts";
import type { Repository } from "../model/repository.ts";
import type { Lint } from "../model/target.ts";
import { type Ignore, isLintCode, parseIgnores } from "./ignores.ts";

/** How grave the warnings of lint rules are in a repository, and where they are silenced. */
export interface LintResult {
  /** Without those that are off or silenced, the others as grave as is set. What no setting makes better is left alone. */
  readonly kept: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
  /**
   * What is wrong with the comments themselves.
   *
   * @param all everything that was reported for the files, before any of it was silenced
   * @param elsewhere what other runs would report, where a comment has nothing to silence in this one
   * @param isDecided whether a rule that none of these reports applies in no run: then its comment silences nothing
   */
  readonly aboutIgnores: (
    all: readonly Diagnostic[],
    elsewhere: () => readonly Diagnostic[],
    isDecided: (code: LintCode) => boolean,
  ) => readonly Diagnostic[];
}

export function createLint({ documents }: Repository, lint: Lint = {}): LintResult {
  const { ignores, diagnostics } = parseIgnores(documents);
  const silenced = new Set(ignores.map(placeOf));
  return {
    kept: (all) => {
      if (silenced.size === 0 && Object.keys(lint).length === 0) return all;
      return all.flatMap((diagnostic): readonly Diagnostic[] => {
        const { code } = diagnostic;
        if (!isLintCode(code) || (diagnostic.severity === "error" && !settableErrors.has(code))) return [diagnostic];
        const severity = lint[code] ?? diagnostic.severity;
        if (severity === "off" || silenced.has(placeOfUserMessage(diagnostic) ?? "")) return [];
        return [{ ...diagnostic, severity }];
      });
    },
    aboutIgnores: (all, elsewhere, isDecided) => {
      if (ignores.length === 0) return diagnostics;
      const reported = new Set(
        all.filter(({ severity, code }) => severity === "warning" || settableErrors.has(code)).map(placeOfUserMessage),
      );
      const idle = ignores.filter((ignore) => lint[ignore.code] !== "off" && !reported.has(placeOf(ignore)));
      if (idle.length === 0) return diagnostics;
      // What is an error beside one server, and so beyond silencing, may be a warning beside another.
      const useful = new Set(elsewhere().map(placeOfUserMessage));
      const decided = new Set([...new Set(idle.map(({ code }) => code))].filter(isDecided));
      return [
        ...diagnostics,
        ...idle.filter((ignore) => decided.has(ignore.code) && !useful.has(placeOf(ignore))).map(unused),
      ];
    },
  };
}

/** An equal string for a comment and a message about its line. */
function placeOf({ code, line, range: { file } }: Ignore): string {
  return `${code} ${line} ${file.path}`;
}

function placeOfUserMessage({ code, range }: Diagnostic): string | undefined {
  return range && `${code} ${getPosition(range.file, range.start).line} ${range.file.path}`;
}

function unused({ code, range }: Ignore): Diagnostic {
  return createDiagnostic(range, "unused-ignore", {
    what: `Nothing says ${code} of this line.`,
    why: "The comment silences nothing now, and would hide it if it came back.",
    fix: "Take it out, or put it at the end of the line that the warning points at.",
  });
}

/** What a rule says where nothing is set. */
export function getUsualSeverity(code: LintCode, dialect: Dialect): Severity {
  if (code === "unknown-query") return showsAllByInvalidQuery(dialect) ? "error" : "warning";
  if (code === "builtin-named-group") return dialect.product === "opensearch" ? "warning" : "error";
  return catalogue[code].severity;
}
