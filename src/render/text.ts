// What a terminal shows. Every function gives a text without a newline at its end.

export type { Style } from "./style.ts";
export { diagnosticsToText } from "./text/diagnostics.ts";
export { diagnosisToText } from "./text/doctor.ts";
export { driftToText } from "./text/drift.ts";
export { letterToText } from "./text/letter.ts";
export { outcomeLine, startingLine, unansweredLine, waitingLine } from "./text/outcome.ts";
export { planBlocks, planToText } from "./text/plan.ts";
export { reportToText } from "./text/report.ts";
export { statusToText, unfinishedLines } from "./text/status.ts";
