import { Secret } from "../json/secret.ts";
import { type Fields, isObject, type Value } from "../json/value.ts";
import type { Dialect } from "./dialect.ts";

/** An internal user with the attributes that the server keeps: OpenSearch drops empty ones at the next PATCH of any user. */
export function withoutEmptyAttributes(value: Fields, dialect: Dialect): Fields {
  const { attributes } = value;
  if (!dialect.internalUsers?.dropsEmptyAttributes || !isObject(attributes)) return value;
  const kept = Object.entries(attributes).filter(([, text]) => !isEmptyText(text));
  if (kept.length === Object.keys(attributes).length) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, item]): [string, Value][] => {
      if (field !== "attributes") return [[field, item]];
      return kept.length === 0 ? [] : [[field, Object.fromEntries(kept)]];
    }),
  );
}

export function isEmptyText(value: Value | undefined): boolean {
  return value instanceof Secret ? value.resolved && value.reveal() === "" : value === "";
}
