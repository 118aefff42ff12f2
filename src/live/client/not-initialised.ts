import { RunError } from "../../diagnostics/failure.ts";
import type { ServerResponse } from "./connection.ts";

/**
 * The message for a server whose security plugin has no configuration yet: it answers 503 to everybody, and 500 to an
 * admin certificate.
 */
export function createNotInitialisedMessage({ status, text }: ServerResponse, url: string): RunError | undefined {
  if (status !== 503 && status !== 500) return undefined;
  if (!/(Search Guard|Security)( index)? not initialized/.test(text)) return undefined;
  return new RunError("failed", {
    what: `The security plugin of ${url} is not initialised.`,
    why: "As long as it has no configuration, it refuses every login.",
    fix: "Wait, if the cluster has just been started. A new one has to be initialised once: by sgadmin of Search Guard, by securityadmin of OpenSearch.",
  });
}
