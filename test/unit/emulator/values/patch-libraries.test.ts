import { expect, test } from "vitest";
import { applyPatch, type PatchLibrary } from "../../../../src/emulator/values/patch.ts";
import { openSearchPatch, searchGuardPatch } from "../../../../src/emulator/values/patch-libraries.ts";
import { fromTree, toTree } from "../../../../src/emulator/values/tree.ts";
import type { Json, JsonObject } from "../../../../src/json/value.ts";

const document = { list: ["a", "b"], text: "d", "t~0x": 1, "q\\te": 2 };

/** The document after one operation, or the message or reason of the refusal. */
function check(library: PatchLibrary, operation: JsonObject, expected: Json): void {
  const before = toTree(document);
  const result = applyPatch(before, toTree([operation]), library);
  expect("tree" in result ? fromTree(result.tree) : reported(result.refusal.json)).toEqual(expected);
  expect(fromTree(before)).toEqual(document);
}

function reported(json: Json | undefined): Json {
  const { message, error } = json as { message?: string; error?: { reason: string } };
  return message ?? error?.reason ?? null;
}

const add = (path: string, value: Json = "x"): JsonObject => ({ op: "add", path, value });
const without = (name: string): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([other]) => other !== name));

test.each([
  [add("/list/-"), { ...document, list: ["a", "b", "x"] }],
  [add("text"), { ...document, text: "x" }],
  [add("1/text"), { ...document, text: "x" }],
  [add("/list/9"), "index Out of bound, index is greater than 2"],
  [add("/list[0]"), { ...document, "list[0]": "x" }],
  [add("/text/x"), '[ADD Operation] parent is not a container in source, path provided : //text/x | node : "d"'],
  [{ op: "remove", path: "/nope" }, document],
  [{ op: "REPLACE", path: "/nope", value: 1 }, "[REPLACE Operation] noSuchPath in source, path provided : //nope"],
  [
    { op: "copy", path: "/text", from: "/nope" },
    { ...document, text: null },
  ],
  [
    { op: "move", path: "/text", from: "" },
    { ...document, text: document },
  ],
  // It takes the pointer as JSON prints it, and drops the quotes.
  [{ op: "remove", path: '/q"te' }, without("q\\te")],
  [add("/t~00x"), { ...document, "t~0x": "x" }],
  [add("/t~01x"), { ...document, "t/x": "x" }],
  [add("/t~00~01x/y"), "[ADD Operation] noSuchPath in source, path provided: //t~00~1x/y"],
])("the patch library of Search Guard: %j", (operation, expected) => check(searchGuardPatch, operation, expected));

test.each([
  [add("/list/-"), { ...document, list: ["a", "b", "x"] }],
  [add("text"), "Missing leading slash"],
  [add("/list/9"), "Array index 9 out of bounds"],
  [add("/list/x"), "Object operation on array target"],
  [add("/text/x"), "Cannot reference past scalar value"],
  [{ op: "remove", path: "/nope" }, document],
  [{ op: "remove", path: "/list/-" }, document],
  [{ op: "remove", path: "" }, "Cannot remove document root"],
  [{ op: "move", path: "/text", from: "" }, "Cannot remove document root"],
  [{ op: "replace", path: "/nope", value: 1 }, 'Missing field "nope"'],
  [{ op: "replace", path: "/list/00/x", value: 1 }, 'Can\'t reference field "00" on array'],
  [{ op: "replace", path: "/list/-", value: 1 }, "Illegal index -2147483648, array size 2"],
  // The last token is unescaped twice, so that this one hits another name.
  [{ op: "remove", path: "/t~00x" }, document],
  [add("/t~01x"), { ...document, "t/x": "x" }],
  [{ op: "add", path: "/text" }, "Invalid JSON Patch payload (missing 'value' field)"],
])("the patch library of OpenSearch: %j", (operation, expected) => check(openSearchPatch, operation, expected));
