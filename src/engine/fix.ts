import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { compareDesired } from "../diff/declared.ts";
import { editYaml } from "../edit/edit.ts";
import { type Fix, findFixes, pruneRemovals } from "../edit/fixes.ts";
import { applyTextEdits } from "../edit/text-edits.ts";
import { groupItems } from "../json/collections.ts";
import { overlayFiles } from "../load/overlaid-files.ts";
import { locateRealFile } from "../load/read.ts";
import { createSharedFiles } from "../load/shared-files.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { DesiredState } from "../model/desired.ts";
import type { FileEdit } from "../model/file-edit.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import { keepPossible, type Made } from "./keep-possible.ts";
import { type OtherTargets, openOtherTargets } from "./other-targets.ts";
import type { RunRequest } from "./request.ts";
import { validateOpened } from "./validate.ts";

export interface FixedFiles {
  readonly edits: readonly FileEdit[];
  /** How many messages are about what is fixed. */
  readonly count: number;
  /** What is not fixed, by file and reason. */
  readonly left: readonly LeftFixes[];
}

export interface LeftFixes {
  readonly path: string;
  readonly count: number;
  /** The end of a sentence. */
  readonly why: string;
}

/** What cannot be fixed is searched for by so many checks of all targets; what is then not known to be possible is left. */
const mostChecks = 60;

/**
 * The state files without what has one safe answer. That they declare the same is checked by reading them again: what does
 * not is left. Nothing is written.
 */
export async function fixFiles(request: RunRequest): Promise<FixedFiles> {
  const shared = createSharedFiles(request.cwd, request.configPath);
  const read = overlayFiles(shared, new Map());
  const before = await validateOpened({ ...request, shared: read });
  const files = new Map(
    before.validation.diagnostics.flatMap(({ range }) => (range ? [[range.file.path, range.file]] : [])),
  );
  const written = [...files.values()].filter(({ path }) => read.places.has(path));
  const found = written.flatMap((file): readonly FixOfFile[] =>
    findFixes(file, parseDocuments(file).documents, before.validation.diagnostics).map((fix) => ({ file, fix })),
  );
  const others = await openOtherTargets(request, before.target.name, read.places);
  let checks = 0;
  const make = async (some: readonly FixOfFile[]): Promise<Made> => {
    const edits: FileEdit[] = [];
    for (const [first, ...others] of groupItems(some, ({ file }) => file.path)) {
      const { file } = first;
      const { text, problem } = applyFixes(
        file,
        [first, ...others].map(({ fix }) => fix),
      );
      if (text === undefined) return { problem };
      const after = createSourceFile(file.path, text);
      recordParsedFile(after, parseDocuments(after).documents);
      const absolute = read.places.get(file.path);
      if (absolute !== undefined)
        edits.push({ path: file.path, absolute: await locateRealFile(absolute), before: file, after });
    }
    if (++checks > mostChecks) return { problem: "too many others could not be fixed" };
    const texts = new Map(edits.map(({ path, after }) => [path, after]));
    const again = await validateOpened({ ...request, shared: overlayFiles(shared, texts) });
    const isSame = isSameState(before.files.desired, again.files.desired) && (await isSameForOthers(others, texts));
    return isSame ? { edits } : { problem: changesMore };
  };
  const { kept, edits, refused } = await keepPossible(found, make);
  const left = groupItems(refused, ({ attempt, problem }) => JSON.stringify([attempt.file.path, problem]));
  return {
    edits,
    count: kept.length,
    left: left.map((some) => ({ path: some[0].attempt.file.path, count: some.length, why: some[0].problem })),
  };
}

const changesMore = "a fix would change what is declared or reported, here or for another target that reads the file";

interface FixOfFile {
  readonly file: SourceFile;
  readonly fix: Fix;
}

/** Whether files with other texts declare the same for all other targets that read them, and no more is wrong with them there. */
async function isSameForOthers(others: OtherTargets, texts: ReadonlyMap<string, SourceFile>): Promise<boolean> {
  for await (const { before, after } of others(texts)) {
    if (!before || !after || !isSameState(before.files.desired, after.files.desired)) return false;
    if (after.validation.diagnostics.length > before.validation.diagnostics.length) return false;
  }
  return true;
}

function isSameState(before: DesiredState, after: DesiredState): boolean {
  const declares = ({ resources, config, license }: DesiredState) =>
    JSON.stringify([[...resources.keys()].sort(), config !== undefined, license !== undefined]);
  return declares(before) === declares(after) && compareDesired(before, after).length === 0;
}

function applyFixes({ text }: SourceFile, fixes: readonly Fix[]): ReturnType<typeof editYaml> {
  const cut = applyTextEdits(
    text,
    fixes.flatMap(({ cuts }) => cuts),
  );
  if (cut === undefined) return { problem: "two fixes are about the same place" };
  const { documents } = parseDocuments(createSourceFile("", cut));
  const edits = groupItems(
    fixes.flatMap((fix) => fix.edits),
    ({ document = 0 }) => String(document),
  ).flatMap((some) => pruneRemovals(documents[some[0].document ?? 0], some, 2));
  return edits.length === 0 ? { text: cut } : editYaml(cut, edits);
}
