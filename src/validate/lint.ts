import { type Code, type TrapCode, traps } from "../diagnostics/catalogue.ts";
import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import { positionOf } from "../diagnostics/source.ts";
import type { Repository } from "../model/repository.ts";
import type { Lint } from "../model/target.ts";
import { type Ignore, ignoresIn } from "./ignores.ts";

/** What a repository makes of warnings about traps: how grave they are, and where they are silenced. */
export interface Linted {
  /** Without those that are off or silenced, the others as grave as is set. What no setting makes better is left alone. */
  readonly kept: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
  /**
   * What is wrong with the comments themselves.
   *
   * @param all everything that was said of the files, before any of it was silenced
   * @param isCertain whether a trap that was not found is none: nobody would say it of this product, or without a server
   */
  readonly aboutIgnores: (all: readonly Diagnostic[], isCertain: (code: TrapCode) => boolean) => readonly Diagnostic[];
}

export function lintOf({ documents }: Repository, lint: Lint = {}): Linted {
  const { ignores, diagnostics } = ignoresIn(documents);
  const silenced = new Set(ignores.map(placeOf));
  return {
    kept: (all) => {
      if (silenced.size === 0 && Object.keys(lint).length === 0) return all;
      return all.flatMap((diagnostic): readonly Diagnostic[] => {
        if (!isTrapCode(diagnostic.code) || diagnostic.severity === "error") return [diagnostic];
        const severity = lint[diagnostic.code] ?? diagnostic.severity;
        if (severity === "off" || silenced.has(placeOfLetter(diagnostic) ?? "")) return [];
        return [{ ...diagnostic, severity }];
      });
    },
    aboutIgnores: (all, isCertain) => {
      if (ignores.length === 0) return diagnostics;
      const said = new Set(all.filter(({ severity }) => severity === "warning").map(placeOfLetter));
      return [
        ...diagnostics,
        ...ignores
          .filter((ignore) => lint[ignore.code] !== "off" && isCertain(ignore.code) && !said.has(placeOf(ignore)))
          .map(unused),
      ];
    },
  };
}

/** The same for a comment and a letter about its line. */
function placeOf({ code, line, range: { file } }: Ignore): string {
  return `${code} ${line} ${file.path}`;
}

function placeOfLetter({ code, range }: Diagnostic): string | undefined {
  return range && `${code} ${positionOf(range.file, range.start).line} ${range.file.path}`;
}

function isTrapCode(code: Code): code is TrapCode {
  return (traps as readonly Code[]).includes(code);
}

function unused({ code, range }: Ignore): Diagnostic {
  return diagnosticAt(range, "unused-ignore", {
    what: `Nothing says ${code} of this line.`,
    why: "The comment silences nothing now, and would hide it if it came back.",
    fix: "Take it out, or put it at the end of the line that the warning points at.",
  });
}
