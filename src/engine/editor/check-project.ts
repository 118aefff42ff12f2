import { resolve } from "node:path";
import { type Diagnostic, getDiagnosticPath } from "../../diagnostics/diagnostic.ts";
import { type Message, RunError } from "../../diagnostics/failure.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { configNames } from "../../load/config-file.ts";
import { isStateFile } from "../../load/file-names.ts";
import type { OpenFiles } from "../../load/open-files.ts";
import type { SharedFiles } from "../../load/shared-files.ts";
import { findMapEntry, toValue } from "../../model/node.ts";
import { type CheckedTarget, validateOpened } from "../validate.ts";

/** What the check of one target found. */
export interface TargetCheck {
  /** Absent where gate-sync.yaml has errors, or names no target. */
  readonly name?: string;
  /** Absent where the check ended early. */
  readonly checked?: CheckedTarget;
  /** The paths of its files; absent where the check ended early. */
  readonly reads?: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  /** What ended the check, where no place in a file says it. */
  readonly failure?: Message;
}

/**
 * Checks the targets of a folder's gate-sync.yaml one after the other as `gate-sync validate` does, the one that is meant by
 * default first. Nothing of the environment is read, no program is run, and no server is asked.
 */
export async function* checkEachTarget(folder: string, open: OpenFiles): AsyncGenerator<TargetCheck> {
  const shared = open.share(folder);
  for (const name of await listInOrder(shared)) yield await checkOne(folder, name, shared);
}

/** @returns one that has no name where gate-sync.yaml names none, or cannot be read: its check says why */
async function listInOrder(shared: SharedFiles): Promise<readonly (string | undefined)[]> {
  const { found } = await shared.findConfig().catch(() => ({ found: undefined }));
  const names = found ? listTargets(found.root) : [];
  if (!found || names.length === 0) return [undefined];
  const usual = findMapEntry(found.root, "default_target")?.value;
  const first = usual && toValue(usual);
  return [...names.filter((name) => name === first), ...names.filter((name) => name !== first)];
}

async function checkOne(folder: string, name: string | undefined, shared: SharedFiles): Promise<TargetCheck> {
  const flags = { statePaths: [], ...(name !== undefined && { target: name }) };
  const named = name === undefined ? {} : { name };
  try {
    const checked = await validateOpened({ cwd: folder, env: {}, flags, shared });
    const reads = new Set(checked.files.whole.documents.map(({ file }) => file.path));
    return { ...named, checked, reads, diagnostics: checked.validation.diagnostics };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { diagnostics, userMessage } = error;
    return { ...named, diagnostics, ...(diagnostics.length === 0 && { failure: userMessage }) };
  }
}

/** A diagnostic, and for which targets it is so. */
export interface FoundProblem {
  readonly diagnostic: Diagnostic | Message;
  /** Absent: for all that were checked. */
  readonly targets?: readonly string[];
}

/** What all checks found, by the absolute path of the file that shows it; what is about no file is shown by gate-sync.yaml. */
export function collectProblems(
  folder: string,
  checks: readonly TargetCheck[],
): ReadonlyMap<string, readonly FoundProblem[]> {
  const config = resolve(folder, findConfigName(checks));
  const found = new Map<string, Map<string, { readonly diagnostic: Diagnostic | Message; targets: string[] }>>();
  const add = (path: string, key: string, diagnostic: Diagnostic | Message, { name = "" }: TargetCheck): void => {
    const ofFile = found.get(path) ?? new Map();
    found.set(path, ofFile);
    const known = ofFile.get(key) ?? { diagnostic, targets: [] };
    ofFile.set(key, known);
    known.targets.push(name);
  };
  const resolvePath = memoiseByKey((path: string) => resolve(folder, path));
  for (const check of checks) {
    if (check.failure) add(config, check.failure.what, check.failure, check);
    for (const one of check.diagnostics) {
      const { code, range, what } = one;
      const key = `${code} ${range?.start} ${range?.end} ${range?.generatedFor?.start} ${what}`;
      const path = getDiagnosticPath(one);
      const isOfFile = range !== undefined || (code !== "missing-state" && isStateFile(path));
      add(isOfFile ? resolvePath(path) : config, key, one, check);
    }
  }
  const listed = (targets: readonly string[]) => (targets.length === checks.length ? {} : { targets });
  return new Map(
    [...found].map(([path, ofFile]) => [
      path,
      [...ofFile.values()]
        .sort((a, b) => startOf(a.diagnostic) - startOf(b.diagnostic))
        .map(({ diagnostic, targets }) => ({ diagnostic, ...listed(targets) })),
    ]),
  );
}

function startOf(diagnostic: Diagnostic | Message): number {
  return "range" in diagnostic ? (diagnostic.range?.start ?? -1) : -1;
}

/** By a diagnostic of it, where it is not called as usual. */
function findConfigName(checks: readonly TargetCheck[]): string {
  const [usual = "", other = ""] = configNames;
  const isOther = checks.some(({ diagnostics }) => diagnostics.some((one) => getDiagnosticPath(one) === other));
  return isOther ? other : usual;
}
