/**
 * gate-sync as a library: the same steps as the commands, over plain data.
 *
 * `validate`, `plan`, `apply`, `rollback`, `drift`, `status` and `exportState` take what the command line takes, as an object.
 * Problems of the user's files, of the server or of the request are thrown as `RunError`, which carries its exit
 * code, its message and the diagnostics; anything else that is thrown is a bug.
 */

export { saveBackup } from "./artifacts/backup/backup.ts";
export { writeSnapshot } from "./artifacts/snapshot.ts";
export type { Severity } from "./diagnostics/catalogue.ts";
export type { Diagnostic } from "./diagnostics/diagnostic.ts";
export { RunError } from "./diagnostics/failure.ts";
export { type Emulator, type EmulatorOptions, startEmulator } from "./emulator/index.ts";
export { apply } from "./engine/apply.ts";
export { type DriftRequest, type DriftResult, reportDrift } from "./engine/drift.ts";
export { type ExportResult, exportState, takeSnapshot } from "./engine/export.ts";
export { type PlanRequest, plan } from "./engine/plan.ts";
export type { RunRequest } from "./engine/request.ts";
export { planRollback, type RollbackRequest } from "./engine/rollback.ts";
export type { Source } from "./engine/source.ts";
export { readStatus, type StatusRequest } from "./engine/status.ts";
export { type Validation, validate } from "./engine/validate.ts";
export { connectToRead, connectToWrite } from "./live/client/http.ts";
export type { Change } from "./model/change.ts";
export type { DriftReport } from "./model/drift.ts";
export type { Operation } from "./model/operation.ts";
export type { Outcome, Report } from "./model/outcome.ts";
export type { Plan } from "./model/plan.ts";
export type { Status } from "./model/status.ts";
export type { Watch, WatchStep } from "./model/watch.ts";
export type { DecidedPlan } from "./plan/decided-plan.ts";
