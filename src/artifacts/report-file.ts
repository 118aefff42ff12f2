import { appendFile, chmod, lstat, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createCannotWriteMessage, withDraft } from "./durable.ts";

// Reports in files that the user names: what another program reads once, and nothing that gate-sync reads again.

/**
 * Writes the file while the blocks are made, or replaces the one of that name, with its mode. Where the name is a link,
 * it is the link that is replaced.
 */
export async function writeReportFile(cwd: string, path: string, blocks: Iterable<string>): Promise<void> {
  const place = resolve(cwd, path);
  try {
    await withDraft(dirname(place), async (draft) => {
      const written = join(draft, "report");
      await writeFile(written, blocks);
      const older = await lstat(place).catch(() => undefined);
      if (older?.isFile()) await chmod(written, older.mode & 0o777);
      await rename(written, place);
    });
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

/** @param path absolute, as the service that runs us names it */
export async function writeAtEnd(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text);
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}
