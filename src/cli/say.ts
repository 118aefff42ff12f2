import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import type { RunError } from "../diagnostics/failure.ts";
import { diagnosticsToJson, errorToJson } from "../render/json.ts";
import { jsonBlocks, jsonText } from "../render/json-text.ts";
import { failureToMarkdown } from "../render/markdown-messages.ts";
import { diagnosticsToText, letterToText } from "../render/text.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, styleFor } from "./options.ts";

/** Notices and warnings: for people, on stderr, and only where they were not asked for in another form. */
export function sayAside(
  io: Io,
  flags: CommonFlags,
  { notices, diagnostics, files }: { notices: readonly string[]; diagnostics: readonly Diagnostic[]; files: number },
): void {
  if (flags.quiet || flags.format === "json") return;
  for (const notice of notices) io.stderr.write(`${notice}\n`);
  if (diagnostics.length === 0) return;
  const consequence = "";
  io.stderr.write(`${diagnosticsToText(diagnostics, { files, consequence }, styleFor(io.stderr, io, flags))}\n`);
}

/** A run that ended early, in the form that was asked for; its exit code. */
export function sayFailure(io: Io, flags: CommonFlags, error: RunError): number {
  if (flags.format === "json") {
    io.stdout.write(jsonText(errorToJson(error)));
    return error.exitCode;
  }
  if (flags.format === "markdown") io.stdout.write(`${failureToMarkdown(error)}\n`);
  const style = styleFor(io.stderr, io, flags);
  if (error.diagnostics.length > 0) {
    const files = new Set(error.diagnostics.map((diagnostic) => diagnostic.range?.file.path ?? diagnostic.path)).size;
    const summary = { files, consequence: error.letter.why ?? "" };
    io.stderr.write(`${diagnosticsToText(error.diagnostics, summary, style)}\n`);
    return error.exitCode;
  }
  io.stderr.write(`${letterToText(error, style)}\n`);
  return error.exitCode;
}

export function asJson(value: object, diagnostics: readonly Diagnostic[]): Iterable<string> {
  return jsonBlocks({ ...diagnosticsToJson(diagnostics), ...value });
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}
