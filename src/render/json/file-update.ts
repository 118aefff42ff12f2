import type { JsonObject } from "../../json/value.ts";
import type { FileUpdateView } from "../views/file-update.ts";
import { formatVersion } from "./parts.ts";

export function renderFileUpdateJson({ taken, left, files, ahead, notes, isDryRun }: FileUpdateView): JsonObject {
  return {
    format_version: formatVersion,
    written: !isDryRun,
    files,
    taken: taken.map(({ address, kind, files: some }) => ({ address, kind, files: some })),
    left: left.map(({ address, place, why, edit, field, server }) => ({
      address,
      place,
      why,
      edit,
      ...(field !== undefined && { field, server: server ?? null }),
    })),
    ahead: [...ahead],
    notes: [...notes],
  };
}
