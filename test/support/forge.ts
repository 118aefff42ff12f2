// Edits one of gate-sync's own files as people do who know how its digest is computed.
import { createHash } from "node:crypto";

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

function withDigest(text: string, indent: number): string {
  const { format, format_version, made, targets, body } = JSON.parse(text);
  const digest = createHash("sha256").update(JSON.stringify({ format, format_version, targets, body })).digest("hex");
  return `${JSON.stringify({ format, format_version, made, targets, body, digest }, null, indent)}\n`;
}
