import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { Secret } from "../json/secret.ts";
import { findNodeAt, type Node } from "../model/node.ts";
import { convertToSecretReference, type Lookups, type ReferenceProblem, resolveText } from "./reference-text.ts";
import { locateProblem, resolveReferences, type VariableBudget, variableLimit } from "./references.ts";
import type { TargetSettings } from "./target-settings.ts";

/** Reads the settings of one target; what cannot be resolved ends the run. */
export interface SettingReader {
  /** A text that will be shown: a secret in it is refused. */
  readonly publicText: (text: string, path: readonly string[]) => string;
  /** A value that will be shown, with all texts in it: the same. */
  readonly publicNode: (node: Node, path: readonly string[]) => Node;
  /** A string that is never shown, whether it is a reference or a value. */
  readonly secret: (text: string, path: readonly string[]) => Secret;
  /** Ends the run with a problem of a setting. */
  readonly fail: (problem: Omit<ReferenceProblem, "reference">, path: readonly string[]) => never;
}

/**
 * @param settings where they are written; absent without gate-sync.yaml
 * @throws RunError `invalid`, from each of its functions
 */
export function createSettingReader(lookups: Lookups, settings: TargetSettings | undefined): SettingReader {
  const budget: VariableBudget = { left: variableLimit };
  const fail = (
    problem: Omit<ReferenceProblem, "reference"> & { reference?: string },
    path: readonly string[],
  ): never => {
    const what = `The setting ${path.join(".")} of the target cannot be used.`;
    throw new RunError("invalid", { what, why: problem.userMessage.what }, diagnosticsOf(problem, settings, path));
  };
  const failAt = (diagnostics: readonly Diagnostic[], path: readonly string[]): void => {
    const [first] = diagnostics;
    if (!first) return;
    const what = `The setting ${path.join(".")} of the target cannot be used.`;
    throw new RunError("invalid", { what, why: first.what }, diagnostics);
  };
  const resolved = (text: string, path: readonly string[], isSecret = false): string | Secret => {
    const { value, problems } = resolveText(text, lookups);
    const [first] = problems;
    if (first?.code === "vendor-variable" && isSecret) {
      fail({ ...first, userMessage: { ...first.userMessage, fix: convertToSecretReference(first.reference) } }, path);
    }
    if (first) fail(first, path);
    return value;
  };
  return {
    fail,
    publicText: (text, path) => {
      const value = resolved(text, path);
      // A default is no secret, and may be only where one may.
      const { value: left } = resolveText(text, { ...lookups, secrets: "leave" });
      return value instanceof Secret || left instanceof Secret ? fail(secretInPublic(path), path) : value;
    },
    publicNode: (node, path) => {
      const { node: value, diagnostics } = resolveReferences(node, { ...lookups, secrets: "leave" }, budget);
      // Whether a secret has a value does not matter where it may not be.
      const others = diagnostics.filter(({ code }) => code !== "unset-secret");
      failAt(others, path);
      const place = findSecret(value);
      if (place) {
        const { code, userMessage } = secretInPublic(path);
        failAt([createDiagnostic(place, code, userMessage)], path);
      }
      return value;
    },
    secret: (text, path) => {
      const value = resolved(text, path, true);
      return value instanceof Secret ? value : new Secret(`${path.join(".")} of gate-sync.yaml`, value);
    },
  };
}

function findSecret(node: Node): Node | undefined {
  const below = node.kind === "list" ? node.items : node.kind === "map" ? node.entries.map(({ value }) => value) : [];
  if (node.kind === "scalar" && node.value instanceof Secret) return node;
  for (const one of below) {
    const found = findSecret(one);
    if (found) return found;
  }
  return undefined;
}

function secretInPublic(path: readonly string[]): Omit<ReferenceProblem, "reference"> {
  const what = `The setting ${path.join(".")} holds a secret, but is shown in plans and logs.`;
  return {
    code: "secret-in-name",
    userMessage: { what, fix: `Use \${var:NAME} with the target's vars, which are public.` },
  };
}

function diagnosticsOf(
  { code, userMessage, reference }: Omit<ReferenceProblem, "reference"> & { reference?: string },
  settings: TargetSettings | undefined,
  path: readonly string[],
) {
  if (!settings) return [];
  const range = findNodeAt(settings, path);
  return [
    reference === undefined
      ? createDiagnostic(range, code, userMessage)
      : locateProblem({ code, userMessage, reference }, range),
  ];
}
