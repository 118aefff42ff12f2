import type { JsonObject } from "../../json/value.ts";
import type { ImportAccount, NeededVariable } from "../../model/import-account.ts";
import { letGoCommand } from "../views/import.ts";
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
    secrets: secrets.map(toJson),
    variables: variables.map(toJson),
    notes,
    let_go: letGo.map((address) => `${letGoCommand} ${address}`),
  };
}

function toJson({ name, uses }: NeededVariable): JsonObject {
  return {
    name,
    used_in: uses.map(({ address, place, from }) => ({
      address,
      ...toSpan(place),
      ...(from !== undefined && { from }),
    })),
  };
}
