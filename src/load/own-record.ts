import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findMapEntry, type MapNode } from "../model/node.ts";

/** Recognises a file that gate-sync itself wrote and that is no state file, by its content, whatever its name. */
export function recogniseOwnRecord(root: MapNode): Diagnostic | undefined {
  const has = (...keys: readonly string[]) => keys.every((key) => findMapEntry(root, key));
  const version = findMapEntry(root, "format_version");
  if (!version) return undefined;
  const kind = findMapEntry(root, "kind")?.value;
  const userMessage =
    kind?.kind === "scalar" && kind.value === "plan-file"
      ? planFile
      : has("target", "families", "changes", "config_children")
        ? manifest
        : has("server", "answers")
          ? snapshot
          : undefined;
  return userMessage && createDiagnostic(version.keyRange, "unknown-family", userMessage);
}

const planFile = {
  what: "This is a plan that gate-sync plan --out saved, not a state file.",
  why: "It declares nothing; it is applied by itself.",
  fix: "Move it out of the state folder. To apply it, run gate-sync apply with just this file.",
};

const manifest = {
  what: "This is the manifest of a backup that gate-sync apply made, not a state file.",
  why: "A backup holds what was there before a run; taken as state, it would undo what came after it.",
  fix: "Move the backup out of the state folder. To go back to it, run gate-sync rollback.",
};

const snapshot = {
  what: "This is a snapshot that gate-sync export --snapshot made, not a state file.",
  why: "It declares nothing; it says what a server held once.",
  fix: "Move it out of the state folder. To plan against it, name it with gate-sync plan --live.",
};
