import type { JsonObject } from "../../json/value.ts";
import type { FileUpdateView } from "../views/file-update.ts";
import { formatVersion } from "./parts.ts";

export function renderFileUpdateJson({ taken, left, files, isDryRun }: FileUpdateView): JsonObject {
  return {
    format_version: formatVersion,
    written: !isDryRun,
    files,
    taken: taken.map(({ address, kind, files: some }) => ({ address, kind, files: some })),
    left: left.map(({ address, place, why, edit }) => ({ address, place, why, edit })),
  };
}
