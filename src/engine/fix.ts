import { RunError } from "../diagnostics/failure.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { compareDesired } from "../diff/declared.ts";
import { editYaml, type YamlEdit } from "../edit/edit.ts";
import { type Fix, findFixes, pruneRemovals } from "../edit/fixes.ts";
import { applyTextEdits } from "../edit/text-edits.ts";
import { overlayFiles } from "../load/overlaid-files.ts";
import { locateRealFile } from "../load/read.ts";
import { createSharedFiles, type SharedFiles } from "../load/shared-files.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { DesiredState } from "../model/desired.ts";
import type { FileEdit } from "../model/file-edit.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import type { RunRequest } from "./request.ts";
import { searchTargets } from "./target-files.ts";
import { validateOpened } from "./validate.ts";

export interface FixedFiles {
  readonly edits: readonly FileEdit[];
  /** How many messages are about what is fixed. */
  readonly count: number;
  /** Files with something to fix that would then declare something else, for this target or another that reads them. */
  readonly left: readonly string[];
}

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
  const found = [...files.values()].flatMap((file) => {
    const fixes = findFixes(file, parseDocuments(file).documents, before.validation.diagnostics);
    const { text, made } = applyFixes(file, fixes);
    return made === 0 ? [] : [{ file, after: createSourceFile(file.path, text), made }];
  });
  const isSameForOthers = await checkOthers(request, before.target.name, read.places);
  const isSame = async (edited: typeof found): Promise<boolean> => {
    const texts = new Map(edited.map(({ file, after }) => [file.path, after]));
    const again = await validateOpened({ ...request, shared: overlayFiles(shared, texts) });
    return isSameState(before.files.desired, again.files.desired) && (await isSameForOthers(texts));
  };
  const kept: typeof found = (await isSame(found)) ? found : [];
  if (kept.length < found.length) for (const one of found) if (await isSame([...kept, one])) kept.push(one);
  const edits: FileEdit[] = [];
  for (const { file, after } of kept) {
    recordParsedFile(after, parseDocuments(after).documents);
    const absolute = read.places.get(file.path);
    if (absolute !== undefined)
      edits.push({ path: file.path, absolute: await locateRealFile(absolute), before: file, after });
  }
  const left = found.filter((one) => !kept.includes(one)).map(({ file }) => file.path);
  return { edits, count: kept.reduce((sum, { made }) => sum + made, 0), left };
}

/**
 * Whether files with other texts declare the same for all other targets that read them, and no more is wrong with them there.
 *
 * @param places of each file, by the path that users see: its absolute path
 */
async function checkOthers(
  request: RunRequest,
  name: string | undefined,
  places: ReadonlyMap<string, string>,
): Promise<(texts: ReadonlyMap<string, SourceFile>) => Promise<boolean>> {
  const { flags } = request;
  // Paths on the command line take the place of those of the target.
  const others = await searchTargets(request, (one) => one !== name || flags.statePaths.length > 0);
  const check = (target: string, shared: SharedFiles) =>
    validateOpened({ ...request, shared, flags: { ...flags, target, statePaths: [] } });
  return async (texts) => {
    const byReal = new Map<string, SourceFile>();
    for (const [path, text] of texts) byReal.set(await locateRealFile(places.get(path) ?? path), text);
    for (const { name: target, found } of others) {
      const theirs = new Map<string, SourceFile>();
      for (const file of found.files) {
        const text = byReal.get(file.real ?? (await locateRealFile(file.absolute)));
        if (text) theirs.set(file.path, text);
      }
      if (theirs.size === 0) continue;
      const files = createSharedFiles(request.cwd, request.configPath);
      try {
        const before = await check(target, files);
        const after = await check(target, overlayFiles(files, theirs));
        if (!isSameState(before.files.desired, after.files.desired)) return false;
        if (after.validation.diagnostics.length > before.validation.diagnostics.length) return false;
      } catch (error) {
        if (error instanceof RunError) return false;
        throw error;
      }
    }
    return true;
  };
}

function isSameState(before: DesiredState, after: DesiredState): boolean {
  const declares = ({ resources, config, license }: DesiredState) =>
    JSON.stringify([[...resources.keys()].sort(), config !== undefined, license !== undefined]);
  return declares(before) === declares(after) && compareDesired(before, after).length === 0;
}

/** All at once; if one of them cannot be made, each by itself. */
function applyFixes(file: SourceFile, fixes: readonly Fix[]): { readonly text: string; readonly made: number } {
  const all = applyTo(file.text, fixes);
  if (all !== undefined) return { text: all, made: fixes.length };
  let [text, made] = [file.text, 0];
  for (const { edits } of fixes) {
    const edited = edits.length > 0 ? editYaml(text, edits).text : undefined;
    if (edited === undefined) continue;
    text = edited;
    made++;
  }
  return { text, made };
}

function applyTo(text: string, fixes: readonly Fix[]): string | undefined {
  const cut = applyTextEdits(
    text,
    fixes.flatMap(({ cuts }) => cuts),
  );
  if (cut === undefined) return undefined;
  const { documents } = parseDocuments(createSourceFile("", cut));
  const byDocument = new Map<number, YamlEdit[]>();
  for (const edit of fixes.flatMap(({ edits }) => edits)) {
    const known = byDocument.get(edit.document ?? 0) ?? [];
    byDocument.set(edit.document ?? 0, [...known, edit]);
  }
  const edits = [...byDocument].flatMap(([index, some]) => pruneRemovals(documents[index], some, 2));
  return edits.length === 0 ? cut : editYaml(cut, edits).text;
}
