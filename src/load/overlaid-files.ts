import type { SourceFile } from "../diagnostics/source.ts";
import type { SharedFiles } from "./shared-files.ts";

export interface OverlaidFiles extends SharedFiles {
  /** Of each file that was read, by the path that users see: its absolute path. */
  readonly places: ReadonlyMap<string, string>;
}

/** The files as they would be with other texts: how an edit is checked before it is written. */
export function overlayFiles(shared: SharedFiles, texts: ReadonlyMap<string, SourceFile>): OverlaidFiles {
  const places = new Map<string, string>();
  return {
    ...shared,
    places,
    read: async (file, read) => {
      places.set(file.path, file.absolute);
      const text = texts.get(file.path);
      return text ? { file: text } : shared.read(file, read);
    },
  };
}
