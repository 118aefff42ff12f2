import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file that is there whole or not at all, whenever the machine dies, and that only its owner may read.
 *
 * @param place absolute
 */
export async function writeDurably(place: string, text: string): Promise<void> {
  const folder = dirname(place);
  // Beside the file, because renaming works within one file system only; in a folder of its own, so that no name collides.
  const draft = await mkdtemp(join(folder, ".gate-sync-"));
  try {
    const file = await open(join(draft, basename(place)), "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(join(draft, basename(place)), place);
    await syncFolder(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The name of a file is durable once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
