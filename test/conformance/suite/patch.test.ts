// JSON Patch as the servers have it: pointers, operations, and what is patched.
import { expect } from "vitest";
import { type Case, given, onServers, reported, type Step, where } from "./case.ts";
import type { Facts } from "./stage.ts";

onServers("usual", "patches", (_, facts) => [
  ...pointers(facts),
  ...operations(facts),
  ...nested(facts),
  ...where(facts.name === "search-guard-6", bareLists),
]);

const at = "rolesmapping/suite_a";

/** A mapping with three users, of a role that is there. */
function begun({ name }: Facts): readonly Step[] {
  const role = name === "search-guard-6" ? { cluster: ["READ"] } : { cluster_permissions: ["READ"] };
  return [given("PUT roles/suite_a", role), given(`PUT ${at}`, { users: ["ana", "bea", "cleo"] })];
}

function users(...names: readonly string[]): Step {
  return {
    ask: `GET ${at}`,
    status: 200,
    shows: ({ json }: { readonly json: unknown }) => expect(json).toMatchObject({ suite_a: { users: names } }),
  };
}

function pointers(facts: Facts): readonly Case[] {
  const isOpenSearch = facts.product === "opensearch";
  const patched = (operation: object, ...after: readonly string[]): readonly Step[] => [
    ...begun(facts),
    { ask: `PATCH ${at}`, send: [operation], status: 200 },
    users(...after),
  ];
  const refused = (operation: object, explained: RegExp, status = 400): readonly Step[] => [
    ...begun(facts),
    { ask: `PATCH ${at}`, send: [operation], status, shows: explained },
    users("ana", "bea", "cleo"),
  ];
  return [
    {
      title: "/- appends",
      steps: patched({ op: "add", path: "/users/-", value: "dora" }, "ana", "bea", "cleo", "dora"),
    },
    {
      title: "add at an index inserts there",
      steps: patched({ op: "add", path: "/users/1", value: "dora" }, "ana", "dora", "bea", "cleo"),
    },
    { title: "remove at an index", steps: patched({ op: "remove", path: "/users/1" }, "ana", "cleo") },
    {
      title: "replace at an index",
      steps: patched({ op: "replace", path: "/users/1", value: "dora" }, "ana", "dora", "cleo"),
    },
    {
      title: "replace of the whole entry",
      steps: patched({ op: "replace", path: "", value: { users: ["dora"] } }, "dora"),
    },
    {
      title: "an index beyond the end is refused",
      steps: refused(
        { op: "add", path: "/users/9", value: "dora" },
        isOpenSearch ? /Array index 9 out of bounds/ : /index Out of bound/,
      ),
    },
    {
      title: "remove beyond the end is refused",
      steps: refused(
        { op: "remove", path: "/users/9" },
        isOpenSearch ? /Array index 9 out of bounds/ : /index Out of bound/,
      ),
    },
    {
      title: "remove below what is not there is refused",
      steps: refused({ op: "remove", path: "/nope/deeper" }, isOpenSearch ? /Missing field \\"nope\\"/ : /noSuchPath/),
    },
    {
      title: "a bulk PATCH makes no entry below its fields",
      steps: [
        {
          ask: "PATCH rolesmapping",
          send: [{ op: "add", path: "/suite_new/users", value: ["x"] }],
          status: 400,
          shows: isOpenSearch ? /Missing field/ : /noSuchPath/,
        },
        { ask: "GET rolesmapping/suite_new", status: 404 },
      ],
    },
  ];
}

function operations(facts: Facts): readonly Case[] {
  const others = [
    { op: "move", from: "/users", path: facts.name === "search-guard-6" ? "/backendroles" : "/backend_roles" },
    { op: "copy", from: "/users/0", path: "/users/-" },
  ];
  return others.map((operation) => ({
    title: `${operation.op} is honoured by Search Guard and refused by OpenSearch`,
    steps: [
      ...begun(facts),
      facts.product === "opensearch"
        ? {
            ask: `PATCH ${at}`,
            send: [operation],
            status: 400,
            shows: reported(400, `Unsupported patch operation: ${operation.op}. Supported are: add,remove,replace`),
          }
        : { ask: `PATCH ${at}`, send: [operation], status: 200 },
    ],
  }));
}

/** Fields of an index permission: not for 6, whose roles are maps. */
function nested({ name }: Facts): readonly Case[] {
  const role = { index_permissions: [{ index_patterns: ["a*"], dls: "{}", allowed_actions: ["READ"] }] };
  const one = "roles/suite_a";
  const permission = (fields: object): Step => ({
    ask: `GET ${one}`,
    status: 200,
    shows: ({ json }: { readonly json: unknown }) =>
      expect(json).toMatchObject({ suite_a: { index_permissions: [fields] } }),
  });
  return where(name !== "search-guard-6", [
    {
      title: "add, replace and remove inside an index permission",
      steps: [
        given(`PUT ${one}`, role),
        {
          ask: `PATCH ${one}`,
          send: [
            { op: "add", path: "/index_permissions/0/fls", value: ["x"] },
            { op: "replace", path: "/index_permissions/0/dls", value: '{"match_all":{}}' },
            { op: "remove", path: "/index_permissions/0/allowed_actions" },
          ],
          status: 200,
        },
        permission({ index_patterns: ["a*"], fls: ["x"], dls: '{"match_all":{}}', allowed_actions: [] }),
        { ask: `PATCH ${one}`, send: [{ op: "remove", path: "/index_permissions/0/dls" }], status: 200 },
        {
          ask: `GET ${one}`,
          status: 200,
          shows: ({ text }: { readonly text: string }) => expect(text).not.toContain("dls"),
        },
      ],
    },
    {
      title: "an unknown field in an index permission is refused with 500, and nothing is written",
      steps: [
        {
          ask: `PUT ${one}`,
          send: { index_permissions: [{ index_patterns: ["a*"], suite_x: 1 }] },
          status: 500,
          shows: /unrecognized_property_exception/,
        },
        { ask: `GET ${one}`, status: 404 },
      ],
    },
    {
      title: "null where a list belongs is shown as an empty list",
      steps: [
        given(`PUT ${one}`, { index_permissions: [{ ...role.index_permissions[0], fls: null }] }),
        permission({ fls: [] }),
      ],
    },
    {
      title: "scalars in lists become texts",
      steps: [
        given(`PUT ${one}`, { cluster_permissions: [1, true] }),
        { ask: `GET ${one}`, status: 200, shows: /"cluster_permissions":\["1","true"\]/ },
      ],
    },
    {
      title: "patches that leave nothing, or nothing that is mandatory, are refused",
      steps: [
        given("PUT roles/suite_b", { cluster_permissions: ["x"] }),
        { ask: "PATCH roles/suite_b", send: [{ op: "remove", path: "/cluster_permissions" }], status: 400 },
        given("PUT actiongroups/suite_c", { allowed_actions: [], description: "d" }),
        {
          ask: "PATCH actiongroups/suite_c",
          send: [{ op: "replace", path: "/description", value: "e" }],
          status: 400,
          shows: /missing_mandatory_keys/,
        },
        {
          ask: "PATCH actiongroups",
          send: [{ op: "add", path: "/suite_c", value: { allowed_actions: [], description: "e" } }],
          status: 200,
        },
      ],
    },
  ]);
}

/** Groups that were stored in the oldest form. */
const bareLists: readonly Case[] = [
  {
    title: "an action group that is a bare list is shown so, cannot be patched alone, and becomes an object by PUT",
    steps: [
      { ask: "GET actiongroups/SUITE_LIST", status: 200, shows: { SUITE_LIST: ["READ", "indices:data/write*"] } },
      {
        ask: "PATCH actiongroups/SUITE_LIST",
        send: [{ op: "add", path: "/-", value: "x" }],
        status: 404,
        shows: reported(404, "actiongroup SUITE_LIST not found."),
      },
      {
        ask: "PATCH actiongroups",
        send: [{ op: "test", path: "/SUITE_LIST", value: ["READ", "indices:data/write*"] }],
        status: 200,
      },
    ],
  },
];
