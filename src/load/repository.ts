import { resolve } from "node:path";
import { createFileDiagnostic, type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Family } from "../model/names.ts";
import type { Repository, StateDocument } from "../model/repository.ts";
import type { Variables } from "../model/target.ts";
import type { Watch } from "../model/watch.ts";
import { addOwnRepository, type Boundary, createReadable, type Readable } from "./boundary.ts";
import { type LoadedFile, loadFile } from "./file.ts";
import { type FoundFile, findStateFiles, formatPath } from "./files.ts";
import { createConfinedFiles, type NamedFiles } from "./named-files.ts";
import { toPrintable } from "./printable.ts";
import { type FileSource, type ReadFiles, readInput, readSource } from "./read.ts";
import type { SharedFiles } from "./shared-files.ts";
import { loadWaivers } from "./waivers-file.ts";

export interface LoadInput {
  /** State files and folders, relative to `cwd`. */
  readonly state: readonly string[];
  /**
   * A file that holds nothing but waivers, relative to `cwd`; read after the others. Of a `source` it is left out:
   * waivers are about what happens now.
   */
  readonly waivers?: string | undefined;
  /** Absolute: the user's folder, to which shown paths are relative. */
  readonly cwd: string;
  readonly vars: Variables;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `leave`: secrets keep their reference and get no value, as for `validate`. */
  readonly secrets: "resolve" | "leave";
  /** Opt-in families that are written: a file of theirs that cannot be read is an error. */
  readonly writes?: ReadonlySet<Family>;
  /** Where files of the work tree have to be once links are followed; absent: anywhere. */
  readonly within?: Boundary;
  /** What these files may have read, besides what is in their own repository; absent: what is around `cwd`. */
  readonly readable?: Readable;
  /** Where the files are read; absent: in the work tree. */
  readonly source?: FileSource;
  /** What the state path `-` is read from. */
  readonly input?: () => AsyncIterable<Uint8Array>;
  /** Where the run is about several targets: what these read and parse once. */
  readonly shared?: SharedFiles;
  /** Called before each file, and once all are read. */
  readonly watch?: Watch;
}

/** Everything the state paths hold, and all that is wrong with it. Never throws, whatever the files hold. */
export async function loadRepository(
  input: LoadInput,
): Promise<{ readonly repository: Repository; readonly diagnostics: readonly Diagnostic[] }> {
  const readNow = (file: FoundFile) =>
    file.isInput ? readInput(file.path, input.input) : (input.shared?.readFile ?? readSource)(file);
  const readWorkTree = (file: FoundFile) => (input.shared ? input.shared.read(file, readNow) : readNow(file));
  const readable = input.readable ?? createReadable(input.cwd, undefined);
  const source: FileSource = input.source ?? {
    find: async () => {
      const found = await findStateFiles(input.state, input.cwd, { last: input.waivers, within: input.within });
      const added = input.shared?.added;
      return added ? { ...found, files: [...found.files, ...added] } : found;
    },
    read: readWorkTree,
    readItems: async (absolute, state) => {
      const path = formatPath(input.cwd, absolute);
      const own = addOwnRepository({ ...readable, secretFiles: [] }, state.absolute);
      const refused = createConfinedFiles(own).refuse(absolute, path);
      if (refused) return { problem: createFileDiagnostic(path, refused.code, refused.userMessage) };
      return readWorkTree({ absolute, path, within: own.within });
    },
  };
  const waivers = input.waivers === undefined ? undefined : resolve(input.cwd, input.waivers);
  const lookupsOf = (place: FoundFile) => ({
    ...input,
    ...(input.shared && { parse: input.shared.parse }),
    files: filesOf(place, readable, source),
  });
  const found = await source.find();
  const files = input.source ? found.files.filter(({ absolute }) => absolute !== waivers) : found.files;
  const itemFiles = new Map<string, ReadFiles>();
  const loadedFiles: (readonly [FoundFile, LoadedFile, SourceFile])[] = [];
  // Loops: arguments are put on the stack, and one file may have more of these than fit there.
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const documents: StateDocument[] = [];
  const notices: string[] = [...(found.notices ?? [])];
  const foreignFiles: string[] = [];
  const of = files.length;
  for (const [read, place] of files.entries()) {
    input.watch?.({ step: "files", read, of });
    const { file, problem } = await source.read(place);
    if (problem) {
      diagnostics.push(problem);
      continue;
    }
    if (place.absolute === waivers) {
      loadedFiles.push([place, loadWaivers(file, place.absolute, lookupsOf(place)), file]);
      continue;
    }
    const lookups = lookupsOf(place);
    const load = () => loadFile(file, place.absolute, lookups, place.isNamed, itemFiles);
    let loaded = load();
    // Which files of items it names is known once it is parsed.
    const missing = loaded.itemFiles.filter((path) => !itemFiles.has(path));
    for (const path of missing) itemFiles.set(path, await source.readItems(path, place));
    if (missing.length > 0) loaded = load();
    loadedFiles.push([place, loaded, file]);
  }
  for (const [place, loaded] of loadedFiles) {
    // One among the state files declares nothing.
    if (itemFiles.has(place.absolute)) continue;
    for (const document of loaded.documents) documents.push(document);
    for (const notice of loaded.notices) notices.push(notice);
    for (const diagnostic of loaded.diagnostics) diagnostics.push(diagnostic);
    if (loaded.isForeign) foreignFiles.push(toPrintable(place.path));
  }
  input.watch?.({ step: "files", read: of, of });
  const repository = {
    documents,
    notices,
    fileCount: of,
    foreignFiles,
  };
  return { repository, diagnostics: sortDiagnostics(diagnostics) };
}

/** Hardly any state file names such a file: where it may be is looked up when one does. */
function filesOf({ absolute }: FoundFile, readable: Readable, { beside }: FileSource): NamedFiles {
  const own = () => createConfinedFiles(addOwnRepository(readable, absolute));
  return {
    refuse: (path, shown) => {
      const problem = own().refuse(path, shown);
      // In a commit a file is where it was, whatever leads elsewhere today.
      return problem && beside?.(path) === undefined ? problem : undefined;
    },
    read: (path) => beside?.(path) ?? own().read(path),
  };
}
