import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { FoundProblem } from "../../engine/editor/check-project.ts";
import { escapeInvisible } from "../../render/escape.ts";
import { createDiagnosticView } from "../../render/views/diagnostics.ts";
import { convertToRange, createFileUri } from "./places.ts";
import type { ShownDiagnostic } from "./protocol.ts";

const severities = { error: 1, warning: 2 } as const;
const fileStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * A problem as editors show it.
 *
 * @param folder to which paths are relative
 * @param describe where a rule is described, if it is
 */
export function showProblem(
  { diagnostic, targets }: FoundProblem,
  folder: string,
  describe: (code: string) => string | undefined,
): ShownDiagnostic {
  const about = targets ? [`This is so for ${listTargetNames(targets)}.`] : [];
  if (!("code" in diagnostic)) {
    const { what, why, fix } = diagnostic;
    const sentences = [what, why, fix].flatMap((one) => (one === undefined ? [] : [escapeInvisible(one)]));
    return { range: fileStart, severity: severities.error, source, message: [...sentences, ...about].join("\n") };
  }
  const { code, severity, range, sentences, related } = createDiagnosticView(diagnostic);
  const places = [...related, ...listItems(diagnostic)];
  const href = describe(code);
  return {
    range: range ? convertToRange(range) : fileStart,
    severity: severities[severity],
    source,
    code,
    ...(href !== undefined && { codeDescription: { href } }),
    message: [...sentences, ...about].join("\n"),
    ...(places.length > 0 && {
      relatedInformation: places.map((place) => ({
        location: { uri: createFileUri(resolve(folder, place.range.file.path)), range: convertToRange(place.range) },
        message: place.sentence,
      })),
    }),
  };
}

const source = "gate-sync";

/** Of what a template generates, the item. */
function listItems({ range }: Diagnostic) {
  return range?.generatedFor ? [{ range: range.generatedFor, sentence: "generated for this item" }] : [];
}

/** There may be thousands. */
function listTargetNames(targets: readonly string[]): string {
  const [shown, left] = [targets.slice(0, mostNamed), targets.length - mostNamed];
  const names = escapeInvisible(shown.join(", "));
  const noun = targets.length === 1 ? "target" : "targets";
  return left > 0 ? `${targets.length} targets, such as ${names}` : `${noun} ${names}`;
}

const mostNamed = 3;
