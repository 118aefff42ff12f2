import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatLocation } from "../diagnostics/source.ts";
import { isSecretFree } from "../families/canonical.ts";
import { isObject, toList, type Value } from "../json/value.ts";
import { type MapEntry, toValue } from "../model/node.ts";
import type { Persona } from "../model/persona.ts";
import type { Repository } from "../model/repository.ts";

export interface Personas {
  readonly personas: ReadonlyMap<string, Persona>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The personas of all state files; invalid ones were reported by the schema. */
export function parsePersonas({ documents }: Repository): Personas {
  const found = new Map<string, Persona>();
  const diagnostics: Diagnostic[] = [];
  for (const { personas } of documents) {
    if (personas?.kind !== "map") continue;
    for (const entry of personas.entries) {
      const first = found.get(entry.key);
      if (first) diagnostics.push(declaredTwice(entry, first));
      else found.set(entry.key, personaOf(entry));
      if (!isSecretFree(toValue(entry.value))) diagnostics.push(secretIn(entry));
    }
  }
  return { personas: found, diagnostics };
}

function personaOf({ key, keyRange, value }: MapEntry): Persona {
  return { name: key, ...parsePrincipal(toValue(value)), origin: keyRange };
}

/** A principal without its name: backend roles, host, attributes and roles. */
export function parsePrincipal(written: Value): Omit<Persona, "name" | "origin"> {
  const { user, backend_roles: roles = [], host, attributes } = isObject(written) ? written : {};
  return {
    ...(typeof user === "string" && { user }),
    backendRoles: [...new Set(toList(roles).filter((role) => typeof role === "string"))].sort(),
    ...(typeof host === "string" && { host }),
    ...(isObject(attributes) && { attributes: attributesOf(attributes) }),
  };
}

/** Names as in `${attr.internal.dept}` or without its `attr.`, by which the variable is looked up. */
function attributesOf(attributes: { readonly [name: string]: Value }): Readonly<Record<string, string>> {
  const texts = Object.entries(attributes).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name.replace(/^attr\./, ""), value]] : [],
  );
  return Object.fromEntries(texts);
}

function declaredTwice({ key, keyRange }: MapEntry, first: Persona): Diagnostic {
  return createDiagnostic(keyRange, "duplicate-name", {
    what: `The persona "${key}" is declared twice.`,
    why: "Which of the two is asked about would depend on the order of the files.",
    fix: `Keep one of them; the other is at ${formatLocation(first.origin)}.`,
    related: [{ range: first.origin, what: "first declared here" }],
  });
}

function secretIn({ key, keyRange }: MapEntry): Diagnostic {
  return createDiagnostic(keyRange, "secret-in-name", {
    what: `The persona "${key}" holds a secret.`,
    why: "Every answer about a persona shows who it is.",
    fix: "Write what is public, as it is or by ${var:NAME}.",
  });
}
