import { describe, expect, it } from "vitest";
import type { Persona } from "../../../src/model/persona.ts";
import { parsePersonas } from "../../../src/normalise/personas.ts";
import { repositoryOf } from "../../support/nodes.ts";

function check(text: string, ...expected: readonly Omit<Persona, "origin">[]) {
  const { personas, diagnostics } = parsePersonas(repositoryOf({ "a.yml": text }));
  expect([...personas.values()].map(({ origin, ...persona }) => persona)).toEqual(expected);
  expect(diagnostics).toEqual([]);
}

describe("personas", () => {
  it("have a name of their own and all that a login gives", () =>
    check("personas: {ana: {user: anna, backend_roles: [b, a, b], host: 10.0.7.3, attributes: {internal.dept: hr}}}", {
      name: "ana",
      user: "anna",
      backendRoles: ["a", "b"],
      host: "10.0.7.3",
      attributes: { "internal.dept": "hr" },
    }));
  it("may have nothing", () => check("personas: {ana: }", { name: "ana", backendRoles: [] }));
  it("have attributes by the name of the variable, with or without attr.", () =>
    check("personas: {ana: {attributes: {attr.internal.a: x, jwt.b: y}}}", {
      name: "ana",
      backendRoles: [],
      attributes: { "internal.a": "x", "jwt.b": "y" },
    }));
  it("are written once in all files", () => {
    const { personas, diagnostics } = parsePersonas(
      repositoryOf({ "a.yml": "personas: {ana: {user: a}}", "b.yml": "personas: {ana: {user: b}}" }),
    );
    expect(personas.get("ana")?.user).toBe("a");
    expect(diagnostics.map(({ code, range }) => [code, range?.file.path])).toEqual([["duplicate-name", "b.yml"]]);
  });
  it("hold no secrets", () => {
    const { diagnostics } = parsePersonas(repositoryOf({ "a.yml": "personas: {ana: {user: '$" + "{env:WHO}'}}" }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["secret-in-name"]);
  });
});
