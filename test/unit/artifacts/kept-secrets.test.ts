import { expect, test } from "vitest";
import { withKeptSecrets } from "../../../src/artifacts/backup/kept-secrets.ts";
import { Secret } from "../../../src/json/secret.ts";
import { type Fields, isEqual } from "../../../src/json/value.ts";

const kept = new Secret("${live:secret}");
const live = (text: string) => new Secret("live", text);

const rows: Readonly<
  Record<string, readonly [backup: Fields, server: Fields, wanted: Fields, lost?: readonly string[]]>
> = {
  "what has no secret is as in the backup": [{ http: { a: 1 } }, { http: { a: 2 } }, { http: { a: 1 } }],
  "a placeholder is what the server holds there": [
    { authc: { ldap: { order: 1, pass: kept } } },
    { authc: { ldap: { order: 2, pass: live("x") } } },
    { authc: { ldap: { order: 1, pass: live("x") } } },
  ],
  "an entry whose secret is gone is as it is now, the others come back": [
    { authc: { ldap: { order: 1, pass: kept }, basic: { order: 3 } } },
    { authc: { ldap: { order: 2 }, basic: { order: 4 } } },
    { authc: { ldap: { order: 2 }, basic: { order: 3 } } },
    ["authc/ldap"],
  ],
  "an entry that is gone with its secret stays gone": [
    { authc: { ldap: { pass: kept } } },
    { authc: {} },
    { authc: {} },
    ["authc/ldap"],
  ],
  "an entry called like something that every object has is not there": [
    { authc: { constructor: { pass: kept } } },
    { authc: {} },
    { authc: {} },
    ["authc/constructor"],
  ],
  "an empty secret is none": [{ x: { pass: kept } }, { x: { pass: "" } }, { x: { pass: "" } }, ["x"]],
  "a whole child that is gone stays gone": [{ x: { pass: kept } }, {}, {}, ["x"]],
  "a list that differs in its secrets alone is the server's": [
    {
      x: {
        keys: [
          { id: "a", key: kept },
          { id: "b", key: kept },
        ],
      },
    },
    {
      x: {
        keys: [
          { id: "a", key: live("1") },
          { id: "b", key: live("2") },
        ],
      },
    },
    {
      x: {
        keys: [
          { id: "a", key: live("1") },
          { id: "b", key: live("2") },
        ],
      },
    },
  ],
  "in a list that differs otherwise which is which is unknown": [
    {
      x: {
        keys: [
          { id: "a", key: kept },
          { id: "b", key: kept },
        ],
      },
    },
    { x: { keys: [{ id: "b", key: live("2") }] } },
    { x: { keys: [{ id: "b", key: live("2") }] } },
    ["x"],
  ],
};

test.each(Object.entries(rows))("%s", (_, [backup, server, wanted, lost = []]) => {
  const found = withKeptSecrets(backup, server);
  expect(found.lost).toEqual(lost);
  expect(isEqual(found.children, wanted)).toBe(true);
});
