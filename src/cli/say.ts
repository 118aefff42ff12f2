import type { RunError } from "../diagnostics/failure.ts";
import type { JsonObject } from "../json/value.ts";
import { renderDiagnosticsJson, renderErrorJson } from "../render/json/diagnostics.ts";
import { encodeJson, encodeJsonBlocks } from "../render/json/encode.ts";
import { renderFailureMarkdown } from "../render/markdown/diagnostics.ts";
import { renderDiagnosticsText } from "../render/text/diagnostics.ts";
import { renderMessageText } from "../render/text/message.ts";
import { createFailureView, type DiagnosticsView } from "../render/views/diagnostics.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import type { Io, ProcessIo } from "./io.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";

/** Notices and warnings: for people, on stderr, and only where they were not asked for in another form. */
export function printAside(io: Io, flags: CommonFlags, notices: readonly string[], warnings: DiagnosticsView): void {
  if (flags.quiet || flags.format === "json") return;
  for (const notice of notices) io.stderr.write(`${notice}\n`);
  if (warnings.diagnostics.length === 0) return;
  io.stderr.write(`${renderDiagnosticsText(warnings, chooseStyle(io.stderr, io, flags))}\n`);
}

/** Why warnings ended a run that has said all that it has to say. */
export function printFailing(io: Io, flags: CommonFlags, failing: RunError): void {
  io.stderr.write(`${renderMessageText(failing, chooseStyle(io.stderr, io, flags))}\n`);
}

/** A run that ended early, in the form that was asked for; its exit code. */
export function printFailure(io: ProcessIo, flags: CommonFlags, failure: RunError): number {
  const error = maskRunError(failure);
  if (flags.format === "json") {
    io.stdout.write(encodeJson(renderErrorJson(error)));
    return error.exitCode;
  }
  if (flags.format === "markdown") io.stdout.write(`${renderFailureMarkdown(error)}\n`);
  const style = chooseStyle(io.stderr, io, flags);
  if (error.diagnostics.length > 0) {
    io.stderr.write(`${renderDiagnosticsText(createFailureView(error, error.userMessage.why), style)}\n`);
    return error.exitCode;
  }
  io.stderr.write(`${renderMessageText(error, style)}\n`);
  return error.exitCode;
}

/** A document with its diagnostics at the end: what it is about comes first. */
export function writesJson(value: JsonObject, view: DiagnosticsView): Iterable<string> {
  const { format_version, kind, ...diagnostics } = renderDiagnosticsJson(view);
  return encodeJsonBlocks({ format_version, kind, ...value, ...diagnostics });
}
