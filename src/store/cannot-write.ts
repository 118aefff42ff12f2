import { RunError } from "../diagnostics/failure.ts";

/** A file of ours that could not be written, as a letter. */
export function createCannotWriteMessage(path: string, error: unknown): RunError {
  if (error instanceof RunError) return error;
  return new RunError("usage", {
    what: `${path === "" ? "An empty path" : path} cannot be written to.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Name another place, or make this one writable.",
  });
}
