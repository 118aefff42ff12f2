import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { failedTests } from "./access/failed-tests.ts";
import { judge, offlineDialect } from "./judge.ts";
import { openRepository, openTarget } from "./open.ts";
import type { Request } from "./request.ts";

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
  readonly notices: readonly string[];
  /** What the files were judged for: `gate 7.x-43.0.0 (assumed)`. */
  readonly judgedFor: string;
}

/** Everything that can be said of the files without a server and without the values of secrets. */
export async function validate(request: Request): Promise<Validation> {
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const { repository, diagnostics } = opened;
  const dialect = offlineDialect(target);
  const judged = judge(opened, dialect, target);
  const found = [...diagnostics, ...judged.diagnostics, ...judged.together()];
  return {
    // What the files mean is only known where they are right.
    diagnostics: sortDiagnostics(found.some(isError) ? found : [...found, ...failedTests(opened, judged, dialect)]),
    fileCount: repository.fileCount,
    notices: repository.notices,
    judgedFor: `${dialect.product} ${dialect.release}${target.product && target.release ? "" : " (assumed)"}`,
  };
}
