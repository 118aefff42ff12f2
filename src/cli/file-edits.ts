import type { FileEdit } from "../model/file-edit.ts";
import type { Output, ProcessIo } from "./io.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";

/** As unified diffs, secrets masked. */
export async function printDiffs(
  output: Output,
  io: ProcessIo,
  flags: CommonFlags,
  edits: readonly FileEdit[],
): Promise<void> {
  const { renderUnifiedDiff } = await import("../render/text/unified-diff.ts");
  const style = chooseStyle(output, io, flags);
  for (const edit of edits) output.write(`${renderUnifiedDiff(edit, style)}\n`);
}

/** @param report called once each is written */
export async function writeEdits(edits: readonly FileEdit[], report?: (path: string) => void): Promise<void> {
  const { refuseUnwritable, writeEditedFile } = await import("../artifacts/edited-file.ts");
  await refuseUnwritable(edits);
  for (const edit of edits) {
    await writeEditedFile(edit);
    report?.(edit.path);
  }
}
