import { describe, expect, it } from "vitest";
import { diffLicense } from "../../../src/diff/license.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { JsonObject } from "../../../src/json/value.ts";

const record = { uid: "u1", issue_date: "2026-01-01", expiry_date: "2027-01-01" };
const text = Buffer.from(`-----\n${JSON.stringify(record)}\n-----`).toString("base64");

function check(
  given: { text?: string; shown?: JsonObject; stored?: string; always?: boolean },
  expected: readonly [action: string, reason: string],
) {
  const range = { file: { path: "license.yml", text: "" }, start: 0, end: 0 };
  const desired = {
    text: new Secret("${env:LICENSE}", given.text ?? text),
    writeAlways: given.always ?? false,
    origin: range,
  };
  const live = { installed: given.shown !== undefined, shown: given.shown ?? {} };
  const config = given.stored === undefined ? undefined : { document: { dynamic: { license: given.stored } } };
  const change = diffLicense(desired, live, config, undefined);
  expect([change.action, change.reason]).toEqual(expected);
  expect(JSON.stringify(change)).not.toContain(given.text ?? text);
}

describe("the license", () => {
  it("is written where the server has none", () => check({}, ["create", "declared"]));
  it("is the same when uid and dates are", () => check({ shown: { ...record } }, ["leave", "in-sync"]));
  it("is another when the uid is", () => check({ shown: { ...record, uid: "u2" } }, ["update", "declared"]));
  it("is another when it was renewed", () =>
    check({ shown: { ...record, expiry_date: "2026-06-01" } }, ["update", "declared"]));
  it("is compared by the text inside the config where the server shows too little", () => {
    check({ text: "opaque", shown: { type: "FULL" }, stored: "opaque" }, ["leave", "in-sync"]);
    check({ text: "opaque", shown: { type: "FULL" }, stored: "other" }, ["update", "declared"]);
  });
  it("else unknown, and is not written", () =>
    check({ text: "opaque", shown: { type: "FULL" } }, ["leave", "unknown"]));
  it("unless the file says so", () =>
    check({ text: "opaque", shown: { type: "FULL" }, always: true }, ["update", "declared"]));
});
