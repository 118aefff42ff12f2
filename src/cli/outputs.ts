import type { RenderReport } from "./reports.ts";

/** What later steps and jobs of a pipeline decide by: single words, by name. */
export interface RunOutputs {
  readonly result: string;
  readonly changes?: number;
  readonly fingerprint?: string;
}

export function createOutputReport(outputs: RunOutputs): { readonly dotenv: RenderReport } {
  return { dotenv: async () => [(await import("../render/gitlab/dotenv.ts")).renderDotenv({ ...outputs })] };
}
