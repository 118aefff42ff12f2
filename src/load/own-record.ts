import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ArtifactKind } from "../model/artifact.ts";
import { findMapEntry, type MapNode } from "../model/node.ts";

/** Recognises a file that gate-sync itself wrote and that is no state file, by its content, whatever its name. */
export function recogniseOwnRecord(root: MapNode): Diagnostic | undefined {
  const format = findMapEntry(root, "format");
  if (format?.value.kind !== "scalar") return undefined;
  const written = format.value.value;
  const [, explanation] = Object.entries(explanations).find(([kind]) => written === `gate-sync/${kind}`) ?? [];
  return explanation && createDiagnostic(format.keyRange, "unknown-family", explanation);
}

interface Explanation {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

const explanations: Readonly<Record<ArtifactKind, Explanation>> = {
  "plan-file": {
    what: "This is a plan that gate-sync plan --out saved, not a state file.",
    why: "It declares nothing; it is applied by itself.",
    fix: "Move it out of the state folder. To apply it, run gate-sync apply with just this file.",
  },
  "fleet-plan": {
    what: "This is a plan of several targets that gate-sync plan --out saved, not a state file.",
    why: "It declares nothing; it is applied by itself.",
    fix: "Move it out of the state folder. To apply it, run gate-sync apply with just this file.",
  },
  backup: {
    what: "This is the manifest of a backup that gate-sync apply made, not a state file.",
    why: "A backup holds what was there before a run; taken as state, it would undo what came after it.",
    fix: "Move the backup out of the state folder. To go back to it, run gate-sync rollback.",
  },
  snapshot: {
    what: "This is a snapshot that gate-sync export --snapshot made, not a state file.",
    why: "It declares nothing; it says what a server held once.",
    fix: "Move it out of the state folder. To plan against it, name it with gate-sync plan --live.",
  },
  journal: {
    what: "This is the beginning of a journal that gate-sync apply wrote, not a state file.",
    why: "It declares nothing; it says what a run did.",
    fix: "Move it out of the state folder. To read it, run gate-sync status.",
  },
};
