// Keys whose values are secret in one file alone, by what they are used for.
import type { SourceFile } from "../diagnostics/source.ts";

const keysOf = new WeakMap<SourceFile, Set<string>>();

export function recordSecretKeys(file: SourceFile, keys: Iterable<string>): void {
  const known = keysOf.get(file) ?? new Set();
  keysOf.set(file, known);
  for (const key of keys) known.add(key);
}

export function isRecordedSecretKey(file: SourceFile, key: string): boolean {
  return keysOf.get(file)?.has(key) === true;
}
