import type { SourceFile } from "../diagnostics/source.ts";
import type { FoundFile } from "./files.ts";
import type { SharedFiles } from "./shared-files.ts";

export interface OverlaidFiles extends SharedFiles {
  /** Of each file that was read, by the path that users see: its absolute path. */
  readonly places: ReadonlyMap<string, string>;
  /** The same files as they were read. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

/**
 * The files as they would be with other texts: how an edit is checked before it is written.
 *
 * @param texts by the path that users see
 * @param added those of them that are not there yet
 */
export function overlayFiles(
  shared: SharedFiles,
  texts: ReadonlyMap<string, SourceFile>,
  added: readonly FoundFile[] = [],
): OverlaidFiles {
  const places = new Map<string, string>();
  const files = new Map<string, SourceFile>();
  return {
    ...shared,
    places,
    files,
    added,
    read: async (file, read) => {
      places.set(file.path, file.absolute);
      const text = texts.get(file.path);
      const found = text ? { file: text } : await shared.read(file, read);
      if (found.file) files.set(file.path, found.file);
      return found;
    },
  };
}
