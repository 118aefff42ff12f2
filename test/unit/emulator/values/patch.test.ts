import { expect, test } from "vitest";
import { applyPatch } from "../../../../src/emulator/values/patch.ts";
import { documentedPatch, splitBrackets } from "../../../../src/emulator/values/patch-libraries.ts";
import { fromTree, toTree } from "../../../../src/emulator/values/tree.ts";
import type { Json, JsonObject } from "../../../../src/json/value.ts";

const document = {
  index_permissions: [{ index_patterns: ["a*"], dls: "{}", fls: ["x"], allowed_actions: ["READ"] }],
  description: "d",
  "odd[0]": ["literal"],
  odd: ["list"],
};

/** The document afterwards, or the problem. */
function check(operation: Json, expected: unknown, from: Json = document) {
  const result = patchDocument(from, [operation]);
  expect("tree" in result ? fromTree(result.tree) : (result.refusal.json as JsonObject).message).toStrictEqual(
    expected,
  );
}

function patchDocument(from: Json, patch: Json) {
  return applyPatch(toTree(from), toTree(patch), documentedPatch, (step, root) => splitBrackets(root, step));
}

const first = (change: object) => ({
  ...document,
  index_permissions: [{ ...document.index_permissions[0], ...change }],
});

test("what works", () => {
  check({ op: "replace", path: "/index_permissions/0/fls", value: ["y"] }, first({ fls: ["y"] }));
  check({ op: "replace", path: "/index_permissions[0]/fls", value: ["y"] }, first({ fls: ["y"] }));
  check({ op: "replace", path: "/index_permissions[0]/fls[0]", value: "y" }, first({ fls: ["y"] }));
  check({ op: "add", path: "/index_permissions/0/masked_fields", value: [] }, first({ masked_fields: [] }));
  check({ op: "remove", path: "/nope" }, document);
  check({ op: "REPLACE", path: "/description", value: "e" }, { ...document, description: "e" });
  check({ op: "replace", path: "", value: 1 }, 1);
  check({ op: "remove", path: "" }, document);
  check({ op: "copy", from: "/nope", path: "/description" }, { ...document, description: null });
  check({ op: "move", from: "/nope", path: "/description" }, { ...document, description: null });
  check({ op: "add", path: "description", value: "e" }, { ...document, description: "e" });
  check({ op: "replace", path: "/odd[0]", value: 1 }, { ...document, "odd[0]": 1 });
  for (const path of ["/1", "/-"]) check({ op: "add", path, value: "b" }, ["a", "b"], ["a"]);
  check({ op: "add", path: "/0", value: "b" }, ["b", "a"], ["a"]);
  check({ op: "remove", path: "/a~1b" }, { "~1": 2 }, { "a/b": 1, "~1": 2 });
  check({ op: "remove", path: "/~01" }, { "a/b": 1 }, { "a/b": 1, "~1": 2 });
});

test("what fails, in the words of the library that real servers use", () => {
  const missing = (op: string, path: string, before = ":") =>
    `[${op} Operation] noSuchPath in source, path provided${before} /${path}`;
  const masked = "/index_permissions/0/masked_fields";
  check({ op: "replace", path: masked, value: [] }, missing("REPLACE", masked, " :"));
  check({ op: "remove", path: "/nope/deeper" }, missing("REMOVE", "/nope/deeper"));
  check({ op: "replace", path: "/nope[0]/fls", value: [] }, missing("REPLACE", "/nope[0]/fls"));
  check({ op: "test", path: "/reserved", value: false }, missing("TEST", "/reserved", " :"));
  check({ op: "test", path: "/description", value: "e" }, "[TEST Operation] value mismatch");
  check({ op: "add", path: "/new/allowed_actions", value: [] }, missing("ADD", "/new/allowed_actions"));
  check({ op: "remove", path: "/index_permissions/3" }, "index Out of bound, index is greater than 0");
  check({ op: "add", path: "/index_permissions/2", value: 1 }, "index Out of bound, index is greater than 1");
  check({ op: "add", path: "/index_permissions/x", value: 1 }, "Object operation on array target");
  const scalar = '[ADD Operation] parent is not a container in source, path provided : //description/x | node : "d"';
  check({ op: "add", path: "/description/x", value: 1 }, scalar);
  check({ op: "copy", path: "/a" }, "Invalid JSON Patch payload (missing 'from' field)");
});

test("a copy shares nothing with what it was copied from", () => {
  const patch = [
    { op: "copy", from: "/a", path: "/b" },
    { op: "add", path: "/b/-", value: 2 },
  ];
  const result = patchDocument({ a: [1] }, patch);
  expect("tree" in result && fromTree(result.tree)).toEqual({ a: [1], b: [1, 2] });
});
