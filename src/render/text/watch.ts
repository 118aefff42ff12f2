import type { Step } from "../../model/watch.ts";
import { visible } from "../escape.ts";
import { bytesText, durationText, operationWhat, plural } from "../words.ts";
import { timeText } from "./outcome.ts";

/** What a run is at, for whoever waits for it. */
export type Stage =
  | { readonly kind: "files"; readonly read: number; readonly of: number }
  | { readonly kind: "server"; readonly asked: number; readonly answered: number }
  | { readonly kind: "comparing" }
  | { readonly kind: "sending"; readonly what: string };

/** Undefined where the run is at nothing that takes long. */
export function stageAfter(stage: Stage | undefined, step: Step): Stage | undefined {
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
export function stageText(stage: Stage, elapsed: number): string {
  return `${stageWhat(stage)} ... ${durationText(elapsed)}`;
}

function stageWhat(stage: Stage): string {
  switch (stage.kind) {
    case "files":
      return `Reading files: ${stage.read} of ${stage.of}`;
    case "server":
      return `Reading the server: ${stage.answered} of ${plural(stage.asked, "answer")}`;
    case "comparing":
      return "Comparing";
    case "sending":
      return stage.what;
  }
}

/** What there is to say of a step that has been made, or of a request that is about to be; most say nothing. */
export function stepLine(step: Step, elapsed: number): string | undefined {
  switch (step.step) {
    case "files":
      return step.read === step.of ? `Read ${plural(step.of, "file")}  ${timeText(elapsed)}` : undefined;
    case "answered": {
      const parts = [step.status ?? "no answer", ...(step.bytes > 0 ? [bytesText(step.bytes)] : [])];
      return `GET ${visible(step.path)}  ${parts.join("  ")}  ${timeText(step.milliseconds)}`;
    }
    case "compared":
      return `Compared ${plural(step.resources, "resource")}  ${timeText(elapsed)}`;
    case "sending":
      return sendingText(step);
    default:
      return undefined;
  }
}

function sendingText({ operation, index, total }: Extract<Step, { step: "sending" }>): string {
  const { method, bulk, names } = operation;
  const changes = bulk ? `, ${plural(names.length, "change")}` : "";
  return visible(`Request ${index + 1} of ${total}: ${method} ${operationWhat(operation)}${changes}`);
}
