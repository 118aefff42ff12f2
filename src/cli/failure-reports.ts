import { RunError } from "../diagnostics/failure.ts";
import { renderFailureHtml } from "../render/html/failure.ts";
import { renderErrorJson } from "../render/json/diagnostics.ts";
import { encodeJson } from "../render/json/encode.ts";
import { renderFailureJunit } from "../render/junit/diagnostics.ts";
import { renderFailureMarkdown } from "../render/markdown/diagnostics.ts";
import { renderDiagnosticsText } from "../render/text/diagnostics.ts";
import { renderMessageText } from "../render/text/message.ts";
import { createFailureView } from "../render/views/diagnostics.ts";
import { listDiagnosticFindings } from "../render/views/findings.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { createFindingReports } from "./finding-reports.ts";
import { writeGithubFiles } from "./github-files.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, readRequestFlags } from "./options.ts";
import { createOutputReport, type RunOutputs } from "./outputs.ts";
import { type RenderReport, writeAnnotations, writeReportFiles } from "./reports.ts";

/** A run that ended early, in the files that were to get its result: who reads them must not see an older one. */
export async function writeFailureReports(
  io: Io,
  flags: CommonFlags,
  failure: RunError,
  command: string,
): Promise<void> {
  const error = maskRunError(failure);
  const { what, why, fix } = error.userMessage;
  const sentences = [what, why, fix].filter((sentence) => sentence !== undefined);
  const view = createFailureView(error, why);
  const outputs: RunOutputs = { result: error.kind };
  const formats: Readonly<Record<string, RenderReport>> = {
    ...createFindingReports({
      command,
      request: readRequestFlags(io, [], { ...flags, family: [] }),
      list: async () => listDiagnosticFindings(view),
      failure: sentences,
    }),
    json: async () => [encodeJson(renderErrorJson(error))],
    markdown: async () => [`${renderFailureMarkdown(error)}\n`],
    html: async () => renderFailureHtml(command, error),
    junit: async () => [`${renderFailureJunit(command, error)}\n`],
    ...createOutputReport(outputs),
    text: async (style) => [
      `${error.diagnostics.length > 0 ? renderDiagnosticsText(view, style) : renderMessageText(error, style)}\n`,
    ],
  };
  // Each by itself: that one cannot be written leaves no older one in the place of another.
  for (const report of flags.reports ?? []) {
    try {
      await writeReportFiles(io, { ...flags, reports: [report] }, formats);
    } catch (second) {
      if (!(second instanceof RunError)) throw second;
      io.stderr.write(`${second.userMessage.what}\n`);
    }
  }
  await writeAnnotations(io, flags, formats);
  if (flags.annotations) await writeGithubFiles(io, { summary: renderFailureMarkdown(error), outputs });
}
