import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { collectSecrets, fillSlots, putSecretsInSlots } from "../../../src/json/slots.ts";
import type { Value } from "../../../src/json/value.ts";

const password = new Secret("${env:PW}", "hunter2");
const none = new Map<string, Secret>();

/** Every slot is filled with the password. */
function there(value: Value): Value {
  return fillSlots(JSON.parse(JSON.stringify(putSecretsInSlots(value, { known: none }))), () => password);
}

describe("slots", () => {
  it("shows a secret by its reference alone", () => {
    expect(putSecretsInSlots({ a: [password] }, { known: none })).toEqual({ a: [{ $secret: "${env:PW}" }] });
  });

  it("shows a plain text that is a known secret in the same way", () => {
    expect(putSecretsInSlots(["hunter2", "other"], { known: collectSecrets([password]) })).toEqual([
      { $secret: "${env:PW}" },
      "other",
    ]);
  });

  it("has a digest only with a key, another one for another key and for another text", () => {
    const texts = [
      putSecretsInSlots(password, { known: none, key: "k1" }),
      putSecretsInSlots(password, { known: none, key: "k2" }),
      putSecretsInSlots(new Secret("${env:PW}", "hunter3"), { known: none, key: "k1" }),
    ].map((slot) => JSON.stringify(slot));
    expect(new Set(texts).size).toBe(3);
    expect(texts.every((text) => /"hmac":"[0-9a-f]{64}"/.test(text) && !text.includes("hunter"))).toBe(true);
  });

  it("leaves the asterisks of a server what they are", () => {
    expect(putSecretsInSlots(new Secret("live", "******"), { known: none, key: "k" })).toBe("******");
  });

  it.each<[string, Value]>([
    ["plain values", { a: [1, null, true, "x", { b: {} }] }],
    ["a secret", { a: [password] }],
    ["a field named like a slot", { $secret: "x", hmac: "y" }],
    ["a field named like an escape", { $plain: { $secret: "x" } }],
    ["names that harm", JSON.parse('{"__proto__": {"constructor": 1}, "557": 2}')],
  ])("gives %s back", (_, value) => {
    expect(there(value)).toEqual(value);
  });

  it("knows a secret by its reference rather than as live", () => {
    const live = new Secret("live", "hunter2");
    expect(collectSecrets([live, password, live]).get("hunter2")).toBe(password);
    expect(collectSecrets([new Secret("${env:NONE}"), new Secret("${env:EMPTY}", "")]).size).toBe(0);
  });
});
