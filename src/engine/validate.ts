import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { accessTestsOf } from "../normalise/access-tests.ts";
import { failedTests } from "./access/failed-tests.ts";
import { judge } from "./judge.ts";
import { offlineFor } from "./offline.ts";
import { openRepository, openTarget } from "./open.ts";
import type { Request } from "./request.ts";

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
  readonly notices: readonly string[];
  /** What the files were judged for: `gate 7.x-43.0.0 (assumed)`. */
  readonly judgedFor: string;
  /** Access tests that were not run, as nothing says for which product. */
  readonly testsNotRun: number;
}

/** Everything that can be said of the files without a server and without the values of secrets. */
export async function validate(request: Request): Promise<Validation> {
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const { repository, diagnostics } = opened;
  const { dialect, by, title } = offlineFor(target, repository);
  const judged = judge(opened, dialect, target);
  const tests = accessTestsOf(opened.whole).tests.length;
  const isRun = by !== "nothing";
  const found = [...diagnostics, ...judged.diagnostics, ...judged.together()];
  return {
    // What the files mean is only known where they are right.
    diagnostics: sortDiagnostics(
      found.some(isError) || !isRun ? found : [...found, ...failedTests(opened, judged, dialect)],
    ),
    fileCount: repository.fileCount,
    notices: repository.notices,
    judgedFor: title,
    testsNotRun: isRun ? 0 : tests,
  };
}
