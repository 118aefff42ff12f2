import { isDeepStrictEqual } from "node:util";
import { lintCodes } from "../../diagnostics/catalogue.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import {
  checkEachTarget,
  collectProblems,
  type FoundProblem,
  type TargetCheck,
} from "../../engine/editor/check-project.ts";
import { collectNames, mayHideNames, type ProjectNames } from "../../engine/editor/names.ts";
import type { CheckedTarget } from "../../engine/validate.ts";
import type { OpenFiles } from "../../load/open-files.ts";
import { formatCrash } from "../crash.ts";
import { createFileUri } from "./places.ts";
import type { ShownDiagnostic } from "./protocol.ts";
import { showProblem } from "./shown-problems.ts";

/** A folder with a gate-sync.yaml. */
export interface Project {
  readonly folder: string;
  readonly show: (problem: FoundProblem) => ShownDiagnostic;
  /** Has all of it checked again, soon; what is checked at this moment is left. */
  readonly check: () => void;
  /** As soon as one target is checked: there may be thousands. */
  readonly getNames: () => Promise<ProjectNames>;
  readonly getDiagnostics: () => Promise<readonly Diagnostic[]>;
  readonly getAllChecks: () => Promise<readonly TargetCheck[]>;
  /** Of all targets. */
  readonly getAllNames: () => Promise<ProjectNames>;
}

export interface ProjectInput {
  readonly folder: string;
  readonly open: OpenFiles;
  readonly publish: (path: string, diagnostics: readonly ShownDiagnostic[]) => void;
  readonly log: (message: string) => void;
  /** Where lint rules are described. */
  readonly lintGuide: string | undefined;
}

export function createProject({ folder, open, publish, log, lintGuide }: ProjectInput): Project {
  const checks = new Map<string | undefined, TargetCheck>();
  /** As JSON, by path: an editor gets only what is new to it. */
  const published = new Map<string, readonly ShownDiagnostic[]>();
  const guideUri = lintGuide === undefined ? undefined : createFileUri(lintGuide);
  const show = (problem: FoundProblem) =>
    showProblem(problem, folder, (code) => (isLintCode(code) ? guideUri : undefined));
  /** By target, of the last check that did not end early. */
  const files = new Map<string | undefined, CheckedTarget>();
  /** The last in which all files could be read. */
  let whole: CheckedTarget | undefined;
  let running: Promise<void> | undefined;
  let first: Promise<void> | undefined;
  const waiting: (() => void)[] = [];
  let isStale = false;

  const settleFirst = (): void => {
    for (const settle of waiting.splice(0)) settle();
  };
  const listDiagnostics = () => sortDiagnostics([...checks.values()].flatMap(({ diagnostics }) => diagnostics));
  const publishAll = (): void => {
    const problems = collectProblems(folder, [...checks.values()]);
    for (const path of new Set([...published.keys(), ...problems.keys()])) {
      const shown = (problems.get(path) ?? []).map(show);
      if (isDeepStrictEqual(published.get(path) ?? [], shown)) continue;
      published.set(path, shown);
      publish(path, shown);
    }
  };
  /** Stops where something changes meanwhile. */
  const checkOnce = async (): Promise<void> => {
    const found = new Set<string | undefined>();
    for await (const check of checkEachTarget(folder, open)) {
      if (found.size === 0) omitOutdated(checks, check);
      found.add(check.name);
      const { checked: _, ...kept } = check;
      checks.set(check.name, kept);
      keepFiles(files, check);
      if (check.checked && !mayHideNames(check)) whole = check.checked;
      if (found.size === 1) publishAll();
      if (!isStale) settleFirst();
      // What the editor has sent meanwhile is received.
      await new Promise((resolve) => setImmediate(resolve));
      if (isStale) return;
    }
    const gone = [...checks.keys()].filter((name) => !found.has(name));
    for (const name of gone) checks.delete(name);
    for (const name of [...files.keys()]) if (!found.has(name)) files.delete(name);
    if (found.size > 1 || gone.length > 0) publishAll();
  };
  const run = async (): Promise<void> => {
    do {
      isStale = false;
      await checkOnce().catch((error) => log(formatCrash(error)));
    } while (isStale);
    settleFirst();
    running = undefined;
  };
  const start = (): void => {
    isStale = true;
    first = new Promise((resolve) => waiting.push(resolve));
    running ??= run();
  };
  const getNames = (): ProjectNames => collectNames(folder, [...files.values()], [...checks.values()], whole);
  return {
    folder,
    show,
    check: start,
    getNames: async () => {
      if (!first) start();
      await first;
      return getNames();
    },
    getDiagnostics: async () => {
      await first;
      return listDiagnostics();
    },
    getAllChecks: async () => {
      await running;
      return [...checks.values()];
    },
    getAllNames: async () => {
      await running;
      return getNames();
    },
  };
}

/** Of thousands of targets that read the same files, one knows their names. */
function keepFiles(files: Map<string | undefined, CheckedTarget>, { name, checked }: TargetCheck): void {
  if (!checked) return;
  const known = new Set([...files.values()].flatMap((one) => one.files.whole.documents.map(({ file }) => file)));
  const isNew = checked.files.whole.documents.some(({ file }) => !known.has(file));
  if (isNew || files.has(name)) files.set(name, checked);
}

/** What other targets have in files that have changed is found at other places by now. */
function omitOutdated(checks: Map<string | undefined, TargetCheck>, { checked, name: first }: TargetCheck): void {
  const files = new Map(checked?.files.whole.documents.map(({ file }) => [file.path, file]));
  for (const [name, check] of checks) {
    if (name === first) continue;
    const diagnostics = check.diagnostics.filter(
      ({ range }) => !range || (files.get(range.file.path) ?? range.file) === range.file,
    );
    checks.set(name, { ...check, diagnostics });
  }
}

function isLintCode(code: string): boolean {
  return (lintCodes as readonly string[]).includes(code);
}
