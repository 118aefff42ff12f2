import type { WatchStep } from "../../model/watch.ts";
import { escapeInvisible } from "../escape.ts";
import { formatRequestTarget } from "../views/request.ts";
import { formatBytes, formatDuration, pluralise } from "../views/words.ts";
import { formatSeconds } from "./outcome.ts";

/** The stage of a run, for users who wait for it. */
export type Stage =
  | { readonly kind: "files"; readonly read: number; readonly of: number }
  | { readonly kind: "server"; readonly asked: number; readonly answered: number }
  | { readonly kind: "comparing" }
  | { readonly kind: "sending"; readonly what: string };

/** Undefined where the run is at nothing that takes long. */
export function getStageAfter(stage: Stage | undefined, step: WatchStep): Stage | undefined {
  const { asked, answered } = stage?.kind === "server" ? stage : { asked: 0, answered: 0 };
  switch (step.step) {
    case "files":
      return { kind: "files", read: step.read, of: step.of };
    case "asked":
      return { kind: "server", asked: asked + 1, answered };
    case "answered":
      return { kind: "server", asked, answered: answered + 1 };
    case "comparing":
      return { kind: "comparing" };
    case "sending":
      return { kind: "sending", what: sendingText(step) };
    case "compared":
    case "sent":
      return undefined;
  }
}

/** `Reading the server: 2 of 5 answers ... 3 s`. */
export function formatStage(stage: Stage, elapsed: number): string {
  return `${stageWhat(stage)} ... ${formatDuration(elapsed)}`;
}

function stageWhat(stage: Stage): string {
  switch (stage.kind) {
    case "files":
      return `Reading files: ${stage.read} of ${stage.of}`;
    case "server":
      return `Reading the server: ${stage.answered} of ${pluralise(stage.asked, "answer")}`;
    case "comparing":
      return "Comparing";
    case "sending":
      return stage.what;
  }
}

/** What there is to say of a step that has been made, or of a request that is about to be; most say nothing. */
export function formatStepLine(step: WatchStep, elapsed: number): string | undefined {
  switch (step.step) {
    case "files":
      return step.read === step.of ? `Read ${pluralise(step.of, "file")}  ${formatSeconds(elapsed)}` : undefined;
    case "answered": {
      const parts = [step.status ?? "no answer", ...(step.bytes > 0 ? [formatBytes(step.bytes)] : [])];
      return `GET ${escapeInvisible(step.path)}  ${parts.join("  ")}  ${formatSeconds(step.milliseconds)}`;
    }
    case "compared":
      return `Compared ${pluralise(step.resources, "resource")}  ${formatSeconds(elapsed)}`;
    case "sending":
      return sendingText(step);
    default:
      return undefined;
  }
}

function sendingText({ operation, index, total }: Extract<WatchStep, { step: "sending" }>): string {
  const { method, bulk, names } = operation;
  const changes = bulk ? `, ${pluralise(names.length, "change")}` : "";
  return escapeInvisible(`Request ${index + 1} of ${total}: ${method} ${formatRequestTarget(operation)}${changes}`);
}
