import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import { type LoadedFile, loadFile } from "./file.ts";
import type { Lookups } from "./reference-text.ts";
import { parseDocuments } from "./yaml.ts";

/**
 * The file of waivers beside gate-sync.yaml. It is read whichever state files are named, so a role in it would be
 * planned unexpectedly: it may hold waivers only.
 */
export function loadWaivers(file: SourceFile, absolute: string, lookups: Omit<Lookups, "directory">): LoadedFile {
  const others = parseDocuments(file).documents.flatMap(othersIn);
  return others.length === 0
    ? loadFile(file, absolute, lookups)
    : { documents: [], notices: [], diagnostics: others, itemFiles: [] };
}

function othersIn(root: Node): readonly Diagnostic[] {
  // A document that is no map is reported when documents are recognised; an empty file is fine.
  if (root.kind !== "map") return [];
  return root.entries
    .filter(({ key }) => key !== "waivers")
    .map(({ key, keyRange }) =>
      createDiagnostic(keyRange, "unknown-field", {
        what: `${JSON.stringify(key)} has no place in the file of waivers.`,
        why: "The file is read whatever state files are named: what it declared would be overlooked.",
        fix: "Move it to a state file. This file holds waivers: and nothing else.",
      }),
    );
}
