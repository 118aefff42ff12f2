import { expect, test } from "vitest";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { maskLine, recordParsedFile } from "../../../src/secrets/masked-line.ts";

const unknown = ["kennwort", "pw", "mot_de_passe", "Password", "pasword", "secret", "Hash", "x"];
const places: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "a file of users": ["access/internal_users.yml", "ana:\n  KEY: Canary12\n  description: planner\n"],
  "a section of users": ["a.yml", "internal_users:\n  ana:\n    KEY: Canary12\n    description: planner\n"],
  "a section of users in a file of users": [
    "internal_users.yml",
    "internal_users:\n  ana:\n    KEY: Canary12\n    description: planner\n",
  ],
  overrides: ["a.yml", "overrides:\n  internal_users:\n    ana:\n      KEY: Canary12\n      description: planner\n"],
  "one line": ["internal_users.yml", "ana: { KEY: Canary12, description: planner }\n"],
  "one line of a section": ["a.yml", "internal_users:\n  ana: { KEY: Canary12, description: planner }\n"],
  "a list": ["internal_users.yml", "ana:\n  KEY: [a, Canary12]\n  description: planner\n"],
  "a map": ["internal_users.yml", "ana:\n  KEY: { a: Canary12 }\n  description: planner\n"],
  "a map below": ["internal_users.yml", "ana:\n  KEY:\n    a: Canary12\n  description: planner\n"],
  "a list below": ["internal_users.yml", "ana:\n  KEY:\n    - Canary12\n  description: planner\n"],
};

test.each(Object.entries(places))(
  "the value of a field that no internal user has is hidden in %s",
  (_, [path, text]) => {
    for (const key of unknown) {
      for (const isParsed of [true, false]) {
        const file = { path, text: text.replace("KEY", key) };
        if (isParsed) recordParsedFile(file, parseDocuments(file).documents);
        const shown = file.text.split("\n").map((_line, at) => maskLine(file, at + 1));
        expect([key, isParsed, shown.join("\n")]).toEqual([key, isParsed, expect.not.stringContaining("Canary")]);
        expect(shown.join("\n")).toContain("description: planner");
      }
    }
  },
);

test("what a file says of itself stays", () => {
  const file = {
    path: "internal_users.yml",
    text: "_meta:\n  type: internalusers\nana:\n  attributes: { team: red }\n",
  };
  expect([maskLine(file, 2), maskLine(file, 4)]).toEqual(["  type: internalusers", "  attributes: { team: red }"]);
  recordParsedFile({ ...file }, parseDocuments(file).documents);
  expect(maskLine(file, 2)).toBe("  type: internalusers");
});

test.each(["-", "?", "=", ":=", ":?", "+", " "])("what follows the name of a variable after %j is hidden", (sign) => {
  for (const key of ["description", "password", "x", "backend_roles", "hosts"]) {
    for (const value of [`"\${env:PW${sign}Canary12}"`, `["a", "a \${env:PW${sign}Canary12} b"]`]) {
      for (const isParsed of [true, false]) {
        const file = { path: "a.yml", text: `tenants:\n  ana:\n    ${key}: ${value}\n` };
        if (isParsed) recordParsedFile(file, parseDocuments(file).documents);
        expect(maskLine(file, 3)).not.toContain("Canary");
      }
    }
  }
});
