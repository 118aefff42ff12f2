// The other targets that read the same files, with these as they are and as they would be.
import { RunError } from "../diagnostics/failure.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { overlayFiles } from "../load/overlaid-files.ts";
import { locateRealFile } from "../load/read.ts";
import { createSharedFiles, type SharedFiles } from "../load/shared-files.ts";
import type { RunRequest } from "./request.ts";
import { searchTargets } from "./target-files.ts";
import { validateOpened } from "./validate.ts";

export interface OtherTarget {
  readonly name: string;
  /** What is checked of it, with the files as they are; absent where it cannot be. */
  readonly before?: Checked;
  /** With the other texts; absent where it cannot be. */
  readonly after?: Checked;
}

type Checked = Awaited<ReturnType<typeof validateOpened>>;

/** Those that read one of the files, by the paths that users see, with other texts in them. */
export type OtherTargets = (texts: ReadonlyMap<string, SourceFile>) => AsyncIterable<OtherTarget>;

/**
 * @param name of the target that is not meant
 * @param places of each file, by the path that users see: its absolute path
 */
export async function openOtherTargets(
  request: RunRequest,
  name: string | undefined,
  places: ReadonlyMap<string, string>,
): Promise<OtherTargets> {
  const { flags } = request;
  // Paths on the command line take the place of those of the target.
  const others = await searchTargets(request, (one) => one !== name || flags.statePaths.length > 0);
  const check = async (target: string, shared: SharedFiles): Promise<Checked | undefined> => {
    try {
      return await validateOpened({ ...request, shared, flags: { ...flags, target, statePaths: [] } });
    } catch (error) {
      if (error instanceof RunError) return undefined;
      throw error;
    }
  };
  return async function* (texts) {
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
      const [before, after] = [await check(target, files), await check(target, overlayFiles(files, theirs))];
      yield { name: target, ...(before && { before }), ...(after && { after }) };
    }
  };
}
