import type { SourceFile } from "../../src/diagnostics/source.ts";
import { loadFile } from "../../src/load/file.ts";
import { unreadFiles } from "../../src/load/named-files.ts";
import { parseDocuments } from "../../src/load/yaml.ts";
import type { Node } from "../../src/model/node.ts";
import type { Repository } from "../../src/model/repository.ts";

/** What state files of these texts declare, by path; nothing is read, and what loading says of them is left out. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;
  const items = new Map(Object.entries(files).map(([path, text]) => [`/${path}`, { file: { path, text } }] as const));
  const loaded = Object.entries(files).map(([path, text]) =>
    loadFile({ path, text }, `/${path}`, lookups, false, items),
  );
  return {
    documents: loaded.flatMap(({ documents }) => documents),
    notices: loaded.flatMap(({ notices }) => notices),
    fileCount: loaded.length,
  };
}

/** The first document of a file. */
export function nodeOf(file: SourceFile): Node {
  const [root] = parseDocuments(file).documents;
  if (!root) throw new Error(`${file.path} holds no document.`);
  return root;
}
