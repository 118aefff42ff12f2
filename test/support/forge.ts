// Edits one of gate-sync's own files as people do who know how its digest is computed.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function forge(text: string, change: (text: string) => string): string {
  const changed = change(text);
  if (changed === text) throw new Error("Nothing was edited.");
  return withDigest(changed, text.startsWith("{\n") ? 2 : 0);
}

/** The same of the first line of a journal; the others are changed too. */
export function forgeJournal(text: string, change: (text: string) => string): string {
  const [first = "", ...records] = text.split("\n");
  return withDigest(change(first), 0) + records.map(change).join("\n");
}

/** Replaces a state file of a backup, and writes its digest into the manifest. */
export function forgeStateFile(backup: string, name: string, text: string): void {
  writeFileSync(join(backup, "state", name), text);
  const manifest = join(backup, "manifest.json");
  const change = (old: string) => {
    const file = JSON.parse(old);
    return JSON.stringify({ ...file, body: { ...file.body, files: { ...file.body.files, [name]: digestOf(text) } } });
  };
  writeFileSync(manifest, forge(readFileSync(manifest, "utf8"), change));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function withDigest(text: string, indent: number): string {
  const { format, format_version, made, targets, body } = JSON.parse(text);
  const digest = digestOf(JSON.stringify({ format, format_version, targets, body }));
  return `${JSON.stringify({ format, format_version, made, targets, body, digest }, null, indent)}\n`;
}
