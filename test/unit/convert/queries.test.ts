import { expect, test } from "vitest";
import { findUnsharedPart } from "../../../src/convert/queries.ts";

test.each([
  '{"match_all":{}}',
  '{"term":{"a":"x"}}',
  '{"term":{"a":{"value":"x","boost":1}}}',
  '{"terms":{"a":[${user.roles}]}}',
  '{"terms":{"a":["${user.name}", "b"], "boost": 2}}',
  '{"bool":{"must":[{"range":{"n":{"gte":1}}}],"should":{"exists":{"field":"a"}},"minimum_should_match":1}}',
  '{"nested":{"path":"a","query":{"match":{"a.b":"x"}}}}',
  '{"bool":{"must":{"match_all":{"boost":2}},"boost":1}}',
  '{"constant_score":{"filter":{"prefix":{"a":"x"}}}}',
])("every engine answers %s alike", (query) => {
  expect(findUnsharedPart(query)).toBeUndefined();
});

test.each([
  ['{"term":{"_type":"_doc"}}', "_type"],
  ['{"terms":{"_type":["_doc"]}}', "_type"],
  ['{"query_string":{"query":"_type:a"}}', "_type"],
  ['{"exists":{"field":"_type"}}', "_type"],
  ['{"type":{"value":"_doc"}}', "type"],
  ['{"bool":{"filter":[{"term":{"a":"x"}},{"type":{"value":"a"}}]}}', "type"],
  ['{"bool":{"must":{"match_all":{}},"disable_coord":true}}', "disable_coord"],
  ['{"terms":{"x":{"index":"logs-b","id":"1","path":"x"}}}', "terms lookup"],
  ['{"wildcard":{"a":{"value":"x*","case_insensitive":true}}}', "case_insensitive"],
  ['{"match_all":{"norms_field":"a"}}', "norms_field"],
  ['{"constructor":{"a":1}}', "constructor"],
  ['{"term":"a"}', "term"],
  ["[1]", "parts that are no query"],
  ['{"term":', "parts that cannot be read"],
])("not every engine answers %s alike", (query, part) => {
  expect(findUnsharedPart(query)).toBe(part);
});
