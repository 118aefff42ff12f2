import { renderAccessJson } from "../../access/compare/to-json.ts";
import type { JsonObject } from "../../json/value.ts";
import { createAddress } from "../../model/names.ts";
import type { ConversionView } from "../views/conversion.ts";
import { formatVersion, renderOriginJson } from "./parts.ts";

/** As `schemas/conversion.schema.json` describes it. */
export function renderConversionJson(
  { conversion, isEqual }: ConversionView,
  written: { readonly folder: string; readonly files: readonly string[] },
): JsonObject {
  const { from, to, entries, notes, access, leftOut, basis } = conversion;
  return {
    format_version: formatVersion,
    kind: "conversion",
    from,
    to,
    equal: isEqual,
    folder: written.folder,
    files: written.files,
    entries: entries.map(({ family, name, outcome, newName, origin }) => ({
      address: createAddress(family, name),
      outcome,
      ...(newName !== undefined && { new_address: createAddress(family, newName) }),
      ...renderOriginJson(origin),
    })),
    notes: notes.map(({ family, name, kind, text, origin }) => ({
      address: createAddress(family, name),
      kind,
      text,
      ...renderOriginJson(origin),
    })),
    access: renderAccessJson(access),
    left_out: leftOut,
    basis,
  };
}
