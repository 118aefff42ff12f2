import { diagnosticAt, diagnosticOn } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { type Node, nodeAt } from "../model/node.ts";
import { asSecretReference, type Lookups, type Problem, resolveText } from "./reference-text.ts";
import { locate } from "./references.ts";

/** Where the settings of a target stand. */
export interface Place {
  readonly file: SourceFile;
  /** Absent: problems are told of the file as a whole. */
  readonly root: Node | undefined;
  readonly path: readonly string[];
}

/** Reads the settings of one target; what cannot be resolved ends the run. */
export interface SettingReader {
  /** A text that will be shown: a secret in it is refused. */
  readonly publicText: (text: string, path: readonly string[]) => string;
  /** A text that will not be shown, whether it is a reference or stands there as it is. */
  readonly secret: (text: string, path: readonly string[]) => Secret;
  /** Ends the run with a problem of a setting. */
  readonly fail: (problem: Omit<Problem, "reference">, path: readonly string[]) => never;
}

/** @throws RunError `invalid`, from each of its functions */
export function settingReader(lookups: Lookups, place: Place | undefined): SettingReader {
  const fail = (problem: Omit<Problem, "reference"> & { reference?: string }, path: readonly string[]): never => {
    const what = `The setting ${path.join(".")} of the target cannot be used.`;
    throw new RunError("invalid", { what, why: problem.letter.what }, diagnosticsOf(problem, place, path));
  };
  const resolved = (text: string, path: readonly string[], isSecret = false): string | Secret => {
    const { value, problems } = resolveText(text, lookups);
    const [first] = problems;
    if (first?.code === "vendor-variable" && isSecret) {
      fail({ ...first, letter: { ...first.letter, fix: asSecretReference(first.reference) } }, path);
    }
    if (first) fail(first, path);
    return value;
  };
  return {
    fail,
    publicText: (text, path) => {
      const value = resolved(text, path);
      return value instanceof Secret ? fail(secretInPublic(path), path) : value;
    },
    secret: (text, path) => {
      const value = resolved(text, path, true);
      return value instanceof Secret ? value : new Secret(`${path.join(".")} of gate-sync.yaml`, value);
    },
  };
}

function secretInPublic(path: readonly string[]): Omit<Problem, "reference"> {
  const what = `The setting ${path.join(".")} holds a secret, but is shown in plans and logs.`;
  return {
    code: "secret-in-name",
    letter: { what, fix: `Use \${var:NAME} with the target's vars, which are public.` },
  };
}

function diagnosticsOf(
  { code, letter, reference }: Omit<Problem, "reference"> & { reference?: string },
  place: Place | undefined,
  path: readonly string[],
) {
  if (!place) return [];
  if (!place.root) return [diagnosticOn(place.file.path, code, letter)];
  const range = rangeOf(place.root, place.path, path, reference ?? "");
  return [reference === undefined ? diagnosticAt(range, code, letter) : locate({ code, letter, reference }, range)];
}

/** The setting of the target itself, or the one it inherits: whichever mentions the reference. */
function rangeOf(root: Node, target: readonly string[], path: readonly string[], reference: string): SourceRange {
  const own = nodeAt(root, [...target, ...path]);
  const inherited = nodeAt(root, path);
  return [own, inherited].find(({ file, start, end }) => file.text.slice(start, end).includes(reference)) ?? own;
}
