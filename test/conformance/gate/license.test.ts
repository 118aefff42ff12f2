import { expect, test } from "vitest";
import { encodeLicense, type LicenseRecord } from "../../../src/emulator/index.ts";
import { gate } from "./ask.ts";

const record: LicenseRecord = {
  uid: "11111111-2222-3333-4444-555555555555",
  type: "FULL",
  issued_to: "Example",
  issuer: "Example Licensing",
  issue_date: "2025-01-01",
  start_date: "2025-01-01",
  expiry_date: "2025-12-31",
  major_version: 7,
  cluster_name: "*",
};
const text = encodeLicense(record);
const now = () => new Date("2025-12-01T23:59:59Z");

test("GET shows what is in it, never its text", async () => {
  const { ask } = await gate({ now, state: { license: text } });
  for (const path of ["/license/", "/license"]) {
    const answer = await ask("GET", path);
    const days = { msgs: [], expiry_in_days: 30, is_expired: false, is_valid: true };
    expect(answer).toMatchObject({ status: 200, json: { gate_license: { ...record, ...days } } });
    expect(answer.text).not.toContain(text);
  }
});

test("GET where none is installed, and where it has run out", async () => {
  const none = await (await gate({ now })).ask("GET", "/license/");
  const msgs = ["No license required because enterprise modules not enabled."];
  expect(none.json).toMatchObject({ gate_license: { msgs, license_required: false } });
  const later = () => new Date("2026-01-01T00:00:00Z");
  const expired = await (await gate({ now: later, state: { license: text } })).ask("GET", "/license/");
  const shown = { is_expired: true, is_valid: false, expiry_in_days: -1, msgs: ["License is expired"] };
  expect(expired.json).toMatchObject({ gate_license: { uid: record.uid, ...shown } });
});

test("PUT creates, then updates; it does not need the node setting of the config", async () => {
  const { ask, emulator } = await gate({ now });
  const body = { gate_license: text };
  const created = { status: "CREATED", message: "License created." };
  expect(await ask("PUT", "/license/", body)).toMatchObject({ status: 201, json: created });
  const updated = { status: "OK", message: "License updated." };
  expect(await ask("PUT", "/license", body)).toMatchObject({ status: 200, json: updated });
  expect(emulator.state().config).toStrictEqual({ dynamic: { license: text } });
});

test("PUT refuses what is not valid today, and keeps the old one", async () => {
  const { ask, emulator } = await gate({ now, state: { license: text } });
  const before = emulator.state();
  const coded = (change: object) => ({ gate_license: encodeLicense({ ...record, ...change }) });
  const cases: [unknown, object][] = [
    [coded({ expiry_date: "2025-11-30" }), { message: "License invalid due to: License is expired" }],
    [coded({ start_date: "2025-12-02" }), { message: "License invalid due to: License not valid yet." }],
    [coded({ uid: "" }), { message: "License invalid due to: 'uid' must not be empty or null" }],
    [coded({ expiry_date: "soon" }), { message: "License invalid due to: 'expiry_date' not valid" }],
    [{ gate_license: "not a license" }, { message: expect.stringContaining("License could not be decoded due to:") }],
    [{ gate_license: 1 }, { reason: "Wrong datatype", gate_license: "String expected" }],
    [{ sg_license: text }, { invalid_keys: { keys: "sg_license" } }],
    [{}, { reason: "Request body required for this action." }],
    ["", { reason: "Request body required for this action." }],
    ["{", { reason: "Could not parse content of request." }],
  ];
  for (const [body, json] of cases) expect(await ask("PUT", "/license/", body)).toMatchObject({ status: 400, json });
  expect(emulator.state()).toBe(before);
});

test("the last day counts as valid", async () => {
  const { ask } = await gate({ now });
  const body = { gate_license: encodeLicense({ ...record, expiry_date: "2025-12-01" }) };
  expect(await ask("PUT", "/license/", body)).toMatchObject({ status: 201 });
});

test("the other methods refuse", async () => {
  const { ask } = await gate();
  expect(await ask("POST", "/license/", { gate_license: text })).toMatchObject({ status: 501 });
  expect(await ask("DELETE", "/license/")).toMatchObject({ status: 400, json: { message: "No null specified." } });
  expect(await ask("PATCH", "/license/", [])).toMatchObject({ status: 405 });
});
