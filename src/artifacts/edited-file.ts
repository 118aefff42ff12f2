import { access, chmod, constants, lstat, mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { getErrno } from "../load/errno.ts";
import type { FileEdit } from "../model/file-edit.ts";
import { createCannotWriteMessage, withDraft } from "./durable.ts";

/**
 * Replaces a file of the user's repository, with its permissions, or writes a new one. Other programs see the old
 * text or the new.
 *
 * @throws RunError `failed` where it is not any more as it was read, `usage` where it cannot be written
 */
export async function writeEditedFile({ absolute, path, before, after }: FileEdit): Promise<void> {
  try {
    if (!before) await mkdir(dirname(absolute), { recursive: true });
    await withDraft(dirname(absolute), async (draft) => {
      const written = join(draft, "edited");
      const now = await readNow(absolute);
      const mark = now?.startsWith("\ufeff") ? "\ufeff" : "";
      if (now?.slice(mark.length) !== before?.text) throw createMovedMessage(path);
      if (before) {
        await access(absolute, constants.W_OK);
        // A link that has come since would be replaced by a file.
        if ((await realpath(absolute)) !== absolute) throw createMovedMessage(path);
      }
      await writeFile(written, mark + after.text, { flag: "wx" });
      if (before) await chmod(written, (await lstat(absolute)).mode & 0o7777);
      await rename(written, absolute);
    });
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

/**
 * Asked of all before the first is written.
 *
 * @throws RunError `usage` for the first that cannot be written
 */
export async function refuseUnwritable(edits: readonly FileEdit[]): Promise<void> {
  for (const { absolute, path, before } of edits) {
    if (!before) continue;
    try {
      for (const place of [absolute, dirname(absolute)]) await access(place, constants.W_OK);
    } catch (error) {
      throw createCannotWriteMessage(path, error);
    }
  }
}

async function readNow(absolute: string): Promise<string | undefined> {
  try {
    return await readFile(absolute, "utf8");
  } catch (error) {
    if (getErrno(error) === "ENOENT") return undefined;
    throw error;
  }
}

function createMovedMessage(path: string): RunError {
  return new RunError("failed", {
    what: `${path} was changed while gate-sync ran; it stays as it is.`,
    why: "What was written meanwhile would be lost.",
    fix: "Run the command again.",
  });
}
