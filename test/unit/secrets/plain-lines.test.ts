import { describe, expect, it } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { maskByText } from "../../../src/secrets/masked-text.ts";
import { isPlainLine } from "../../../src/secrets/plain-lines.ts";

/** All texts of so many of these signs, and of fewer. */
function listTexts(signs: readonly string[], most: number): string[] {
  if (most === 0) return [""];
  const shorter = listTexts(signs, most - 1);
  return [...new Set([...shorter, ...shorter.flatMap((text) => signs.map((sign) => text + sign))])];
}

/** How many lines of the texts are plain; none of these is masked. */
function countPlain(texts: readonly string[], path = "roles.yml"): number {
  let plain = 0;
  for (const text of texts) {
    const file = createSourceFile(path, text);
    for (const [at, line] of text.split("\n").entries()) {
      if (!isPlainLine(file, at + 1)) continue;
      plain += 1;
      const masked = maskByText(file, at + 1);
      if (masked !== line) expect.unreachable(`${JSON.stringify(text)}, line ${at + 1}, is masked: ${masked}`);
    }
  }
  return plain;
}

const names = ["password", "pasword", "auth", "haeders", "hash", "token", "api_key", "ApiToken", "internal_users"];

describe("a plain line", () => {
  it("is masked nowhere, whatever its words and signs are", () => {
    for (const name of names) {
      const signs = [name, "x", ":", " ", "-", '"', "{", ",", ".", "="];
      expect(countPlain(listTexts(signs, 4)), name).toBeGreaterThan(3_000);
    }
  });

  it("has no option that is secret, wherever it begins", () => {
    const options = names.flatMap((name) => [`--${name} x`, `---${name}=x`, `- "--${name}", x`, `-${name} x`]);
    expect(countPlain(options.flatMap((option) => [option, `a.${option}`, `é${option}`]))).toBe(0);
    countPlain(options.map((option) => `a-${option}`));
    expect(countPlain(["--index x", "a.--index x"])).toBe(2);
  });

  it("is masked nowhere, whatever the lines before it are", () => {
    for (const name of names) {
      const before = listTexts([name, "x", ":", " ", "-", "\n"], 4);
      const texts = before.flatMap((text) => ["x", " x: y", "- x", "  - x", "  x"].map((line) => `${text}\n${line}`));
      expect(countPlain(texts), name).toBeGreaterThan(2_000);
    }
  });

  it("has nothing that looks like a secret", () => {
    const signs = [
      "x",
      ": ",
      "\\x70assword",
      "%70assword",
      "a:b@c",
      "$2y$12$abc",
      "-----BEGIN PRIVATE KEY-----",
      "Bearer a",
    ];
    expect(countPlain(listTexts(signs, 4))).toBe(listTexts(["x", ": "], 4).length);
  });

  it("is so to the end, however long", () => {
    const texts = ["atoken", "x.token", "x-token"].flatMap((word) =>
      Array.from({ length: 120 }, (_, spaces) => [
        `${word}${" ".repeat(spaces)}:\nx`,
        `${"x".repeat(spaces)} ${word}:\nx`,
      ]).flat(),
    );
    expect(countPlain(texts)).toBeGreaterThan(100);
  });

  it("is in no file of internal users, and below none of them", () => {
    expect(countPlain(["kibana:\n  x", "kibana: x"], "internal_users.yml")).toBe(0);
    expect(countPlain(["kibana:\n  x"])).toBe(2);
    expect(countPlain(["internal_users:\n  kibana:\n    x"])).toBe(0);
  });

  it("is most of a file of roles", () => {
    const role =
      'roles:\n  sales:\n    index_permissions:\n      - index_patterns: ["a-*"]\n        allowed_actions: [read]';
    expect(countPlain([role])).toBe(5);
  });
});
