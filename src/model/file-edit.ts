import type { SourceFile } from "../diagnostics/source.ts";

/** A file of the work tree, as it is and as it is to be; both without a byte order mark, which stays. */
export interface FileEdit {
  /** As the user sees it named. */
  readonly path: string;
  /** With links followed. */
  readonly absolute: string;
  /** Absent: the file is new. */
  readonly before?: SourceFile;
  readonly after: SourceFile;
}
