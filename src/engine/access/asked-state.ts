import { RunError } from "../../diagnostics/failure.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { type OpenAccess, openFiles, openServer } from "./open.ts";
import { openPlanned } from "./planned.ts";

/** `planned`: not what is there, but what would be there after the plan. */
export type AskedSource = Source & { readonly planned?: true };

/** @param source absent: the files alone */
export async function openAccess(request: RunRequest, source?: AskedSource): Promise<OpenAccess> {
  if (!source) return openFiles(request);
  return source.planned ? openPlanned(request, source) : openServer(request, source);
}

/** @throws RunError `usage`: what was there is not compared with what is yet to come */
export function refusePlanned(source: AskedSource | undefined): void {
  if (!source?.planned) return;
  throw new RunError("usage", {
    what: "--planned and --since do not go together.",
    why: "Who gains and who loses by the plan is in the plan itself.",
    fix: "Leave --planned out, or ask gate-sync plan.",
  });
}
