// What init offers where the server has another version of entries than the files, or the files have none.
import { isPending } from "../model/change.ts";
import { createAddress } from "../model/names.ts";
import { escapeInvisible, formatName } from "../render/escape.ts";
import type { Differences } from "./init-plan.ts";
import type { NextStep } from "./init-step.ts";

/** Of more than these, lines that are to be deleted are no help. */
const mostPicked = 12;

/**
 * `export --update`, after `git add` or a commit, so that git can restore what it changes.
 *
 * @param isMerged whether jobs apply
 */
export function listUpdateSteps(
  { deleted, changed }: Pick<Differences, "deleted" | "changed">,
  target: string,
  isMerged: boolean,
): readonly NextStep[] {
  const addresses = [...deleted, ...changed].map(({ family, name }) => createAddress(family, name));
  if (addresses.length === 0) return [];
  const isApplied = changed.length > 0 && changed.every(isPending);
  const whoApplies = isMerged ? "the merge" : "apply";
  const ofTarget = ["--target", target, "--update"];
  const isPicked =
    changed.length > 0 &&
    addresses.length <= mostPicked &&
    addresses.every((address) => escapeInvisible(address) === address);
  if (!isPicked) {
    const what =
      changed.length === 0
        ? `Takes what only the server has into the files (${deleted.length}): without this, the plan deletes it.`
        : `Only if the server is right in all ${addresses.length}; else name those in which it is with --only TYPE/NAME.`;
    return [{ words: ["npx", "--no", "--", "gate-sync", "export", ...ofTarget], what }];
  }
  const picks = addresses.map((address) => ["--only", address]);
  // Whichever of the lines between are deleted, the command is whole.
  const lines = [["npx", "--no", "--", "gate-sync", "export"], ...picks, ofTarget];
  if (addresses.length === 1) {
    const what = `Only if the server is right about ${addresses.map(formatName).join("")}.`;
    const otherwise = isApplied ? ` Else ${whoApplies} writes yours to it.` : "";
    return [{ words: lines.flat(), what: what + otherwise }];
  }
  const rest = isApplied ? `, which ${whoApplies} then writes to it` : "";
  const lost = deleted.length === 0 ? "" : " Without its line, what only the server has is deleted.";
  const what = `Takes these from the server. Delete the lines where your files are right${rest}; if in all, do not run it.${lost}`;
  return [{ words: lines.flat(), lines, what }];
}
