// What a terminal shows. Every function gives a text without a newline at its end.

export type { Style } from "./style.ts";
export { renderDiagnosticsText } from "./text/diagnostics.ts";
export { renderDiagnosisText } from "./text/doctor.ts";
export { renderDriftText } from "./text/drift.ts";
export { renderMessageText } from "./text/message.ts";
export { formatOutcomeLine, formatStartingLine, formatUnansweredLine, formatWaitingLine } from "./text/outcome.ts";
export { planBlocks, renderPlanText } from "./text/plan.ts";
export { reportToText } from "./text/report.ts";
export { formatUnfinishedLines, renderStatusText } from "./text/status.ts";
