import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { getErrno } from "../../load/errno.ts";
import { writeYaml } from "../../load/yaml.ts";
import { createCannotWriteMessage, type NewFile } from "../durable.ts";
import type { Document } from "./entries.ts";

/** State files of these families: one for each, or `access.yml` for all. */
export function renderStateFiles(documents: readonly Document[], oneFile: boolean): readonly NewFile[] {
  if (documents.length === 0) return [];
  if (oneFile) return [{ name: "access.yml", text: documents.map(textOf).join("\n") }];
  return documents.map((document) => ({ name: `${document.family}.yml`, text: textOf(document) }));
}

/** A part at a time: the nodes of a whole file take many times its bytes. */
function textOf({ family, value }: Document): string {
  const entries = [...value];
  const head = `${family}:\n`;
  const parts = [head];
  for (let at = 0; at < entries.length; at += entriesAtOnce) {
    const part = new Map(entries.slice(at, at + entriesAtOnce));
    parts.push(writeYaml(new Map([[family, part]])).slice(head.length));
  }
  return parts.length === 1 ? writeYaml(new Map([[family, value]])) : parts.join("");
}

const entriesAtOnce = 200;

/** Writes files into a new or empty folder, relative to the current folder: nothing is ever overwritten. */
export async function writeToEmptyFolder(cwd: string, folder: string, files: readonly NewFile[]): Promise<void> {
  await refuseUnlessEmpty(cwd, folder);
  const place = resolve(cwd, folder);
  try {
    await mkdir(place, { recursive: true });
    for (const { name, text } of files) await writeFile(join(place, name), text, { flag: "wx" });
  } catch (error) {
    throw createCannotWriteMessage(folder, error);
  }
}

/** @throws RunError `usage` for a folder that is not empty */
export async function refuseUnlessEmpty(cwd: string, folder: string, fix = nameAnother): Promise<void> {
  if (folder === "") throw createCannotWriteMessage(folder, "It names no folder.");
  try {
    if ((await readdir(resolve(cwd, folder))).length === 0) return;
  } catch (error) {
    if (getErrno(error) === "ENOENT") return;
    throw createCannotWriteMessage(folder, error);
  }
  throw new RunError("usage", {
    what: `The folder ${folder} is not empty.`,
    why: "Files in it might be overwritten, or be taken for part of the export.",
    fix,
  });
}

const nameAnother = "Name a folder that does not exist yet, or an empty one.";

/** @returns false where the file is there already: it is not changed */
export async function writeNewFile(cwd: string, { name, text }: NewFile): Promise<boolean> {
  try {
    await writeFile(resolve(cwd, name), text, { flag: "wx" });
    return true;
  } catch (error) {
    if (getErrno(error) === "EEXIST") return false;
    throw createCannotWriteMessage(name, error);
  }
}
