import { writeAtEnd } from "../artifacts/report-file.ts";
import { escapeAsJson } from "../json/invisible.ts";
import type { Io } from "./io.ts";
import type { RunOutputs } from "./outputs.ts";

/** GitHub drops all of a longer summary. */
const mostBytes = 1_000_000;

/** What GitHub Actions shows of a step, and hands to later steps. */
export interface GithubStep {
  /** Markdown. */
  readonly summary?: string;
  readonly outputs: RunOutputs;
}

/** Appends to the files that the runner names; elsewhere it does nothing. */
export async function writeGithubFiles({ env, hide }: Io, { summary, outputs }: GithubStep): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  const { GITHUB_OUTPUT: outputFile, GITHUB_STEP_SUMMARY: summaryFile } = env;
  if (outputFile) await writeAtEnd(outputFile, hide(lines.join("")));
  if (summaryFile && summary !== undefined)
    await writeAtEnd(summaryFile, escapeAsJson(hide(`${cutBlocks(summary)}\n`)));
}

function cutBlocks(markdown: string): string {
  if (Buffer.byteLength(markdown) < mostBytes) return markdown;
  const whole = Buffer.from(markdown)
    .subarray(0, mostBytes - 1_000)
    .toString("utf8");
  return `${whole.slice(0, whole.lastIndexOf("\n\n"))}\n\nThe rest is in the log.`;
}
