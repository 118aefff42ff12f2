import { backup, fleet_plan, journal, plan_file, snapshot } from "#artifact-validators";
import type { ArtifactKind } from "../model/artifact.ts";

const validators: Readonly<Record<ArtifactKind, (value: unknown) => boolean>> = {
  "plan-file": plan_file,
  "fleet-plan": fleet_plan,
  backup,
  snapshot,
  journal,
};

/** Whether parsed JSON is one of gate-sync's own files, or a line of a journal, by the schema of that name. */
export function fitsOwnSchema(kind: ArtifactKind, value: unknown): boolean {
  return validators[kind](value);
}
