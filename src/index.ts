/**
 * gate-sync as a library: the same steps as the commands, over plain data.
 *
 * `validate`, `plan`, `apply`, `rollback`, `drift`, `status` and `exportState` take what the command line takes, as an object.
 * Problems of the user's files, of the server or of the request are thrown as `RunError`, which carries its exit
 * code, its message and the diagnostics; anything else that is thrown is a bug. Messages and diagnostics hold no secret
 * of the files that they are about, and may be logged.
 */

import { apply } from "./engine/apply.ts";
import { reportDrift } from "./engine/drift.ts";
import { exportState, takeSnapshot } from "./engine/export.ts";
import { plan } from "./engine/plan.ts";
import { planRollback } from "./engine/rollback.ts";
import { readStatus } from "./engine/status.ts";
import { validate } from "./engine/validate.ts";
import { maskDiagnosticsOf } from "./secrets/masked-message.ts";

const applyMasked = maskDiagnosticsOf(apply);
const exportStateMasked = maskDiagnosticsOf(exportState);
const planMasked = maskDiagnosticsOf(plan);
const planRollbackMasked = maskDiagnosticsOf(planRollback);
const readStatusMasked = maskDiagnosticsOf(readStatus);
const reportDriftMasked = maskDiagnosticsOf(reportDrift);
const takeSnapshotMasked = maskDiagnosticsOf(takeSnapshot);
const validateMasked = maskDiagnosticsOf(validate);

export { saveBackup } from "./artifacts/backup/backup.ts";
export { writeSnapshot } from "./artifacts/snapshot.ts";
export type { Severity } from "./diagnostics/catalogue.ts";
export type { Diagnostic } from "./diagnostics/diagnostic.ts";
export { RunError } from "./diagnostics/failure.ts";
export { type Emulator, type EmulatorOptions, startEmulator } from "./emulator/index.ts";
export type { DriftRequest, DriftResult } from "./engine/drift.ts";
export type { ExportResult } from "./engine/export.ts";
export type { PlanRequest } from "./engine/plan.ts";
export type { RunRequest } from "./engine/request.ts";
export type { RollbackRequest } from "./engine/rollback.ts";
export type { Source } from "./engine/source.ts";
export type { StatusRequest } from "./engine/status.ts";
export type { Validation } from "./engine/validate.ts";
export { connectToRead, connectToWrite } from "./live/client/http.ts";
export type { Change } from "./model/change.ts";
export type { DriftReport } from "./model/drift.ts";
export type { Operation } from "./model/operation.ts";
export type { Outcome, Report } from "./model/outcome.ts";
export type { Plan } from "./model/plan.ts";
export type { Status } from "./model/status.ts";
export type { Watch, WatchStep } from "./model/watch.ts";
export type { DecidedPlan } from "./plan/decided-plan.ts";
export {
  applyMasked as apply,
  exportStateMasked as exportState,
  planMasked as plan,
  planRollbackMasked as planRollback,
  readStatusMasked as readStatus,
  reportDriftMasked as reportDrift,
  takeSnapshotMasked as takeSnapshot,
  validateMasked as validate,
};
