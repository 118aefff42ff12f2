import { RunError } from "../diagnostics/failure.ts";

/** The message for a file of gate-sync that could not be written. */
export function createCannotWriteMessage(path: string, error: unknown): RunError {
  if (error instanceof RunError) return error;
  return new RunError("usage", {
    what: `${path === "" ? "An empty path" : path} cannot be written to.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Name another place, or make this one writable.",
  });
}
