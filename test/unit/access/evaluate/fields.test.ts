// Of one document with `team`, `email` and `geo.city`: what a search by each finds, as OpenSearch 2.19.1 and Search Guard 7.5.1-38 answered.
import { expect, test } from "vitest";
import { isSearched } from "../../../../src/access/evaluate/fields.ts";

const fields = ["team", "email", "geo.city"];

/** A pattern without a star or a dot is a name there, `?` and the slashes of an expression included. */
test.each<[pattern: string, matches: readonly string[]]>([
  ["t?am", []],
  ["te??", []],
  ["/t[e]am/", []],
  ["/t.am/", ["team"]],
  ["te?*", ["team"]],
  ["*t?am", ["team"]],
  ["t?am*", ["team"]],
  ["g?o.city", ["geo.city"]],
  ["geo.c?ty", ["geo.city"]],
  ["geo.c?t*", ["geo.city"]],
  ["te*", ["team"]],
  ["team", ["team"]],
  ["g?o", []],
  ["geo", []],
  ["ge*", ["geo.city"]],
  ["geo.*", ["geo.city"]],
])("a search knows %s of FLS as the name of %j", (pattern, matches) => {
  const found = (rules: { readonly only?: readonly string[]; readonly not: readonly string[] }) =>
    fields.filter((field) => isSearched({ ...rules, masks: [] }, field));
  expect(found({ only: [pattern], not: [] })).toEqual(matches);
  expect(found({ not: [pattern] })).toEqual(fields.filter((field) => !matches.includes(field)));
});
