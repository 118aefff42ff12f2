import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatLocation } from "../diagnostics/source.ts";
import { isSecretFree } from "../families/canonical.ts";
import { type Fields, isObject, toList, type Value } from "../json/value.ts";
import type { AccessTest, ExceptedPrincipals, TestedQuestion } from "../model/access-test.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import type { Repository } from "../model/repository.ts";
import { parsePrincipal } from "./personas.ts";

export interface AccessTests {
  readonly tests: readonly AccessTest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The access tests of all files, in their order; invalid ones were reported by the schema. */
export function parseAccessTests({ documents }: Repository): AccessTests {
  const nodes = documents.flatMap(({ accessTests }) => (accessTests?.kind === "list" ? accessTests.items : []));
  const named = new Map<string, AccessTest>();
  const diagnostics: Diagnostic[] = [];
  const tests = nodes.flatMap((node) => {
    if (!isSecretFree(toValue(node))) diagnostics.push(secretIn(node));
    const test = testOf(node);
    if (!test) return [];
    const first = test.name === undefined ? undefined : named.get(test.name);
    if (first) diagnostics.push(namedTwice(test, first));
    else if (test.name !== undefined) named.set(test.name, test);
    return [test];
  });
  return { tests, diagnostics };
}

function testOf(node: Node): AccessTest | undefined {
  const written = toValue(node);
  if (!isObject(written)) return undefined;
  const { name, action, index, tenant, expect, sees, allow_unknown: allowsUnknown } = written;
  const who = whoIn(node, written);
  const actions = textsIn(action);
  const isUniversal = who?.kind === "only";
  if (!who || actions.length === 0 || !(isUniversal || expect === "allowed" || expect === "denied")) return undefined;
  return {
    ...(typeof name === "string" && { name }),
    who,
    actions,
    indices: textsIn(index),
    ...(typeof tenant === "string" && { tenant }),
    expect: expect === "allowed" ? "allowed" : "denied",
    ...(sees === "everything" && { sees }),
    allowsUnknown: allowsUnknown === true,
    origin: findMapEntry(node, "name")?.value ?? firstLine(node),
  };
}

function whoIn(node: Node, { as, only: but }: Fields): TestedQuestion | undefined {
  if (typeof as === "string") return { kind: "persona", name: as, place: findMapEntry(node, "as")?.value ?? node };
  if (isObject(as)) return { kind: "principal", is: parsePrincipal(as) };
  return isObject(but) ? { kind: "only", but: exceptedIn(but) } : undefined;
}

function exceptedIn(but: Fields): ExceptedPrincipals {
  const { personas, users, backend_roles: backendRoles, hosts, roles } = but;
  const apiKeys = textsIn(but.api_keys);
  return {
    personas: textsIn(personas),
    users: textsIn(users),
    backendRoles: textsIn(backendRoles),
    hosts: textsIn(hosts),
    roles: textsIn(roles),
    ...(apiKeys.length > 0 && { apiKeys }),
  };
}

function textsIn(value: Value | undefined): readonly string[] {
  return value === undefined ? [] : toList(value).filter((item) => typeof item === "string");
}

/** A test is many lines; it begins with its first key. */
function firstLine(node: Node) {
  return node.kind === "map" ? (node.entries[0]?.keyRange ?? node) : node;
}

function namedTwice({ name, origin }: AccessTest, first: AccessTest): Diagnostic {
  return createDiagnostic(origin, "duplicate-name", {
    what: `Two access tests are called "${name}".`,
    why: "A reader who sees that one of them fails would look at the other.",
    fix: `Give them two names; the other is at ${formatLocation(first.origin)}.`,
    related: [{ range: first.origin, what: "the first of them" }],
  });
}

function secretIn(node: Node): Diagnostic {
  return createDiagnostic(firstLine(node), "secret-in-name", {
    what: "This access test holds a secret.",
    why: "What a test says is shown wherever it fails.",
    fix: "Write what is public, as it is or by ${var:NAME}.",
  });
}
