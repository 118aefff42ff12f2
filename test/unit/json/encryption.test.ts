import { expect, test } from "vitest";
import { decryptText, encryptText } from "../../../src/json/encryption.ts";

const key = "the key of these tests";

test.each(["", "$2y$12$abc", "ünï ✓"])(
  "%j is encrypted, equally each time, and decrypted by the same key alone",
  (text) => {
    const encrypted = encryptText(text, key);
    expect(encryptText(text, key)).toBe(encrypted);
    expect(encrypted).not.toContain(text === "" ? "$" : text);
    expect(decryptText(encrypted, key)).toBe(text);
    expect(decryptText(encrypted, `${key}!`)).toBeUndefined();
  },
);

test("what was edited or cut is not decrypted", () => {
  const encrypted = encryptText("secret", key);
  const bytes = Buffer.from(encrypted, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(decryptText(bytes.toString("base64"), key)).toBeUndefined();
  expect(decryptText(encrypted.slice(0, 12), key)).toBeUndefined();
});
