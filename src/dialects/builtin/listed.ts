import { type Fields, isList, type Value } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { encodeResource } from "../codec.ts";
import type { Dialect } from "../dialect.ts";
import { getBuiltinDescription } from "./descriptions.ts";
import { buildBuiltinSource } from "./index.ts";
import { type BuiltinFamily, expandBuiltinFields, hasBuiltins } from "./source.ts";

/** A built-in entry that a new server lists and that its API refuses to write. */
export interface ListedBuiltin {
  readonly name: string;
  /** In the fields of the API, flags among them. */
  readonly wire: Fields;
  /** Part of the product, so that no configuration takes its place; the others are of the first configuration. */
  readonly isStatic: boolean;
}

/** Of what a product ships, that which is not for others to write. Who has which role is never part of a product. */
export function listBuiltinsShown(dialect: Dialect, family: ResourceFamily): readonly ListedBuiltin[] {
  if (!hasBuiltins(family) || family === "role_mappings") return [];
  return dialect.documentTypes ? listedBySix(dialect, family) : listedSinceSeven(dialect, family);
}

function listedSinceSeven(dialect: Dialect, family: BuiltinFamily): readonly ListedBuiltin[] {
  const written = buildBuiltinSource(dialect);
  return expandBuiltinFields(written, family).map(([name, fields]) => {
    const isStatic = family !== "roles" || written.reservedRoles?.[name] === undefined;
    const description = getBuiltinDescription(dialect, family, name);
    const explained = description === undefined ? fields : { ...fields, description };
    return { name, isStatic, wire: { reserved: true, hidden: false, ...explained, ...(isStatic && { static: true }) } };
  });
}

/** It has nothing static, and keeps what was written and no more. */
function listedBySix(dialect: Dialect, family: BuiltinFamily): readonly ListedBuiltin[] {
  const { openRoles: _, ...written } = buildBuiltinSource(dialect);
  return expandBuiltinFields(written, family).map(([name, fields]) => {
    const kept = Object.entries(encodeResource(dialect, family, fields)).filter(([, value]) => !isEmpty(value));
    return { name, isStatic: false, wire: { readonly: true, ...Object.fromEntries(kept) } };
  });
}

function isEmpty(value: Value): boolean {
  return isList(value) && value.length === 0;
}
