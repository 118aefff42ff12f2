import type { SourceFile } from "../diagnostics/source.ts";
import { memoise, memoiseByKey, memoiseByObject } from "../json/memoise.ts";
import { findConfigFile } from "./config-file.ts";
import type { FoundFile } from "./files.ts";
import { type ReadFiles, type ReadSource, readSource } from "./read.ts";
import { type ParsedYaml, parseDocuments } from "./yaml.ts";

/** What runs about several targets find, read and parse once, so that all of them go by the same files. */
export interface SharedFiles {
  readonly findConfig: () => ReturnType<typeof findConfigFile>;
  /** How each is read. */
  readonly readFile: ReadSource;
  /** @param read the first to ask for the file decides how */
  readonly read: (file: FoundFile, read: (file: FoundFile) => Promise<ReadFiles>) => Promise<ReadFiles>;
  /** Files that are not there yet, and would be read. */
  readonly added?: readonly FoundFile[];
  readonly parse: (file: SourceFile) => ParsedYaml;
}

/**
 * @param configPath `--config`
 * @param by how files are read and parsed
 */
export function createSharedFiles(
  cwd: string,
  configPath: string | undefined,
  { readFile, parse }: Pick<SharedFiles, "readFile" | "parse"> = {
    readFile: readSource,
    parse: memoiseByObject(parseDocuments),
  },
): SharedFiles {
  const files = memoiseByKey((_: string): { reading?: Promise<ReadFiles> } => ({}));
  return {
    findConfig: memoise(() => findConfigFile(cwd, configPath, readFile)),
    readFile,
    read: (file, read) => {
      const known = files(file.absolute);
      known.reading ??= read(file);
      return known.reading;
    },
    parse,
  };
}
