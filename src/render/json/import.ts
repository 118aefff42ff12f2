import type { JsonObject } from "../../json/value.ts";
import type { ImportAccount } from "../../model/import-account.ts";
import { toSpan } from "../views/place.ts";
import { formatVersion } from "./parts.ts";

/** As `schemas/import.schema.json` describes it. */
export function renderImportJson(account: ImportAccount): JsonObject {
  const { folder, files, taken, left, secrets, variables, notes, letGo } = account;
  return {
    format_version: formatVersion,
    kind: "import",
    folder,
    files,
    taken: taken.flatMap(({ family, names }) =>
      names.map((name) => (family === "config" ? { family } : { family, name })),
    ),
    left: left.map(({ what, why, place }) => ({ what, why, ...toSpan(place) })),
    secrets: secrets.map(({ name, address }) => ({ name, address })),
    variables: variables.map(({ name, address }) => ({ name, address })),
    notes,
    let_go: letGo,
  };
}
