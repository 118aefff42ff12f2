import type { RunRequest } from "../engine/request.ts";
import { escapeAsJson } from "../json/invisible.ts";
import { escapeInvisible } from "../render/escape.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { ReviewFinding } from "../render/views/findings.ts";
import type { CommonFlags } from "./options.ts";
import type { RenderReport } from "./reports.ts";

/** What a run found, for the formats that show it beside lines of files. */
export interface Findings {
  readonly command: string;
  readonly request: RunRequest;
  readonly list: () => Promise<readonly ReviewFinding[]>;
  /** Why the run ended early. */
  readonly failure?: readonly string[];
}

/** The formats that forges read; all commands that have them have all. */
export const findingFormats = ["sarif", "code-quality", "github"] as const;

/** Whether a run needs findings and their places: for a format of forges, annotations or a page. */
export function needsFindings({ format, reports = [], annotations = false }: CommonFlags): boolean {
  const asked = new Set([format, ...reports.map((report) => report.format)]);
  return annotations || ["html", ...findingFormats].some((one) => asked.has(one));
}

/** What ended a run, or what became of it, where no file is to blame. */
export function createFailureFinding(sentences: readonly string[]): ReviewFinding {
  return { rule: "gate-sync", level: "error", sentences: sentences.map(escapeInvisible), related: [] };
}

export function createFindingReports(
  findings: Findings,
): Readonly<Record<(typeof findingFormats)[number], RenderReport>> {
  const { command, request, list, failure } = findings;
  // What plans are made of is loaded for these formats alone.
  const describe = async () => (await import("../engine/finding-facts.ts")).describeFindings(request);
  return {
    sarif: async () => {
      const { renderSarif } = await import("../render/sarif/log.ts");
      const facts = await describe();
      return [encodeJson(renderSarif({ command, ...facts, findings: await list(), ...(failure && { failure }) }))];
    },
    "code-quality": async () => {
      const { renderCodeQuality } = await import("../render/gitlab/code-quality.ts");
      const { places } = await describe();
      return [`${escapeAsJson(JSON.stringify(renderCodeQuality(await list(), places), null, 2))}\n`];
    },
    github: async () => {
      const { renderAnnotations } = await import("../render/github/annotations.ts");
      const { places } = await describe();
      const found = await list();
      // A step that failed and shows nothing sends its readers to the log.
      const whole = failure && found.length === 0 ? [createFailureFinding(failure)] : found;
      return [renderAnnotations(whole, places)];
    },
  };
}
