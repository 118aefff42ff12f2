// What real servers say when they refuse a body, by product.
import { expect, test } from "vitest";
import { parseRefusals, type Refusal } from "../../../src/live/refusal.ts";

test.for<[string, unknown, readonly Refusal[]]>([
  [
    "unknown keys",
    { status: "error", reason: "Invalid configuration", invalid_keys: { keys: "kluster,foo" } },
    [
      { kind: "unknown-field", field: "kluster" },
      { kind: "unknown-field", field: "foo" },
    ],
  ],
  [
    "a mandatory key, which some releases print twice",
    {
      status: "error",
      reason: "Invalid configuration",
      missing_mandatory_keys: { keys: "allowed_actions" },
      specify_one_of: { keys: "allowed_actions" },
    },
    [{ kind: "missing-field", field: "allowed_actions" }],
  ],
  [
    "one of several keys",
    { status: "error", reason: "Invalid configuration", specify_one_of: { keys: "users,hosts" } },
    [{ kind: "missing-field", field: "users", words: "one of hosts, users is needed" }],
  ],
  [
    "types",
    { status: "error", reason: "Wrong datatype", users: "Array expected", description: "String expected" },
    [
      { kind: "wrong-type", field: "users", words: "Array expected" },
      { kind: "wrong-type", field: "description", words: "String expected" },
    ],
  ],
  [
    "a masking expression",
    { status: "error", reason: "Wrong datatype", "Masked field not valid: *::bad": "no such algorithm" },
    [{ kind: "bad-value", field: "masked_fields", value: "*::bad", words: "no such algorithm" }],
  ],
  ["null", { status: "error", reason: "`null` is not allowed as json array element" }, [{ kind: "null" }]],
  [
    "null or blank",
    { status: "error", reason: "`null` or blank values are not allowed as json array elements" },
    [{ kind: "null" }],
  ],
  [
    "a field below the top, Search Guard 7 and OpenSearch",
    {
      error: { root_cause: [], type: "unrecognized_property_exception", reason: 'Unrecognized field "foo" (class X)' },
      status: 500,
    },
    [{ kind: "unknown-field", field: "foo" }],
  ],
  [
    "a field below the top, 7.x-53",
    { status: "INTERNAL_SERVER_ERROR", message: 'Error while processing request: Unrecognized field "foo" (class X)' },
    [{ kind: "unknown-field", field: "foo" }],
  ],
  [
    "a type below the top",
    {
      error: {
        type: "mismatched_input_exception",
        reason:
          'Cannot deserialize instance of `List` (through reference chain: R["index_permissions"]->L[0]->I["fls"])',
      },
      status: 500,
    },
    [{ kind: "wrong-type", field: "fls" }],
  ],
  [
    "FLX, a PUT",
    { status: "BAD_REQUEST", message: '{"type":[{"error":"Required attribute is missing"}]}' },
    [{ kind: "missing-field", field: "type", words: "Required attribute is missing" }],
  ],
  [
    "FLX, a PATCH",
    { status: 400, error: { message: "…", details: { "x.type": [{ error: "Required attribute is missing" }] } } },
    [{ kind: "missing-field", field: "type", name: "x", words: "Required attribute is missing" }],
  ],
  [
    "a mapping to no role",
    { status: "NOT_FOUND", message: "role 'x' not found." },
    [{ kind: "unknown-role", name: "x" }],
  ],
  [
    "the same before 2.10",
    { status: "NOT_FOUND", message: "Role 'x' is not available for role-mapping." },
    [{ kind: "unknown-role", name: "x" }],
  ],
  [
    "the type of a group",
    { status: "BAD_REQUEST", message: "Invalid action group type: kibana. Supported types are: cluster, index." },
    [
      {
        kind: "bad-value",
        field: "type",
        value: "kibana",
        words: "Invalid action group type: kibana. Supported types are: cluster, index.",
      },
    ],
  ],
  ["nothing that has a place", { status: "FORBIDDEN", message: "Access denied" }, []],
  ["no JSON", undefined, []],
])("%s", ([, body, refusals]) => {
  expect(parseRefusals(body)).toEqual(refusals);
});
