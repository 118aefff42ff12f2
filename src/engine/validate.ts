import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { RunError } from "../diagnostics/failure.ts";
import type { Target } from "../model/target.ts";
import { runDeclaredTests } from "../questions/failed-tests.ts";
import { chooseOffline } from "../validate/offline-product.ts";
import { findFailingWarnings } from "./fail-on.ts";
import { openRepository, openTarget } from "./open.ts";
import { type CheckedFiles, checkFiles, checkShares, checkTogether } from "./pipeline/checked-files.ts";
import type { RunRequest } from "./request.ts";

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
  readonly notices: readonly string[];
  /** The product and release that the files were checked for: `gate 7.x-43.0.0 (assumed)`. */
  readonly evaluatedFor: string;
  /** Why warnings end the run, where they are to. */
  readonly failing?: RunError;
  /** Access tests that were not run, as nothing says for which product. */
  readonly testsNotRun: number;
  /** Access tests that are unknown, as only a part of what grants access is declared. */
  readonly testsLeftToPlan: number;
}

/** Every check of the files that needs neither a server nor the values of secrets. */
export async function validate(request: RunRequest): Promise<Validation> {
  return (await validateOpened(request)).validation;
}

/** What was found out about a target's files, and what they hold. */
export interface CheckedTarget {
  readonly target: Target;
  readonly files: CheckedFiles;
  readonly validation: Validation;
}

/** The same, with what was checked. */
export async function validateOpened(request: RunRequest): Promise<CheckedTarget> {
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const { repository, diagnostics } = opened;
  const { dialect, by, title } = chooseOffline(target, repository);
  const files = checkFiles(opened, dialect, target, { asWritten: true });
  const isRun = by !== "nothing";
  const found = [...diagnostics, ...files.diagnostics, ...checkShares(files, target), ...checkTogether(files)];
  // What the files mean is only known where they are right.
  const tested =
    found.some(isError) || !isRun ? { failed: [], leftToPlan: 0 } : runDeclaredTests(files, target.families);
  const all = sortDiagnostics([...found, ...tested.failed]);
  const failing = findFailingWarnings(target, all);
  const validation = {
    diagnostics: all,
    ...(failing && { failing }),
    fileCount: repository.fileCount,
    notices: repository.notices,
    evaluatedFor: title,
    testsNotRun: isRun ? 0 : files.tests.length,
    testsLeftToPlan: tested.leftToPlan,
  };
  return { target, files, validation };
}
