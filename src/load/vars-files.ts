import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";
import { parseConfigFile } from "./config-document.ts";
import type { ReadConfigured } from "./configured-file.ts";

/**
 * gate-sync.yaml with the variables of the files that a target names under `vars_files` among its `vars`: of several that of a
 * later file counts, and before all of them what is beside `vars_files` under `vars`.
 *
 * @param name of the target; the files of others are not read
 */
export async function addVarsFiles(
  root: Node,
  name: string,
  read: ReadConfigured,
): Promise<{ readonly root: Node; readonly diagnostics: readonly Diagnostic[] }> {
  const paths = [["targets", name], ["defaults"]];
  const place = paths.find((path) => findMapEntry(findBelow(root, path), "vars_files"));
  const settings = place && findBelow(root, place);
  const named = findMapEntry(settings, "vars_files")?.value;
  if (!place || settings?.kind !== "map" || named?.kind !== "list") return { root, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const files: MapNode[] = [];
  for (const item of named.items) {
    if (item.kind !== "scalar" || typeof item.value !== "string") continue;
    const found = await readVars(item.value, item, read);
    if (found.vars) files.push(found.vars);
    diagnostics.push(...found.diagnostics);
  }
  const own = findMapEntry(settings, "vars");
  const vars = overlayMaps([...files, ...(own?.value.kind === "map" ? [own.value] : [])], named);
  const others = settings.entries.filter(({ key }) => key !== "vars");
  const entries = [...others, { key: "vars", keyRange: own?.keyRange ?? named, value: vars }];
  return { root: replaceBelow(root, place, { ...settings, entries }), diagnostics };
}

async function readVars(
  path: string,
  place: Node,
  read: ReadConfigured,
): Promise<{ readonly vars?: MapNode; readonly diagnostics: readonly Diagnostic[] }> {
  const { file, problem } = await read(path);
  // What is wrong with a file as a whole is shown where the file is named.
  if (problem) return { diagnostics: [problem.range ? problem : createDiagnostic(place, problem.code, problem)] };
  const { found, diagnostics } = parseConfigFile(file);
  if (!found) return { diagnostics };
  if (found.root.kind === "map") return { vars: found.root, diagnostics };
  const noMap = createDiagnostic(found.root, "wrong-type", {
    what: "A file of variables is a map: the names of variables with their values.",
    why: "What else it says is read by nothing.",
    fix: "Write NAME: VALUE.",
  });
  return { diagnostics: [...diagnostics, noMap] };
}

/** The entries of all; of the same key that of the last. */
function overlayMaps(maps: readonly MapNode[], place: Node): MapNode {
  const { file, start, end } = place;
  const entries = new Map(maps.flatMap((map) => map.entries.map((entry) => [entry.key, entry] as const)));
  return { file, start, end, kind: "map", entries: [...entries.values()] };
}

function findBelow(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => findMapEntry(node, key)?.value, root);
}

function replaceBelow(node: Node, [key, ...rest]: readonly string[], value: Node): Node {
  if (key === undefined) return value;
  if (node.kind !== "map") return node;
  const entries = node.entries.map((entry) =>
    entry.key === key ? { ...entry, value: replaceBelow(entry.value, rest, value) } : entry,
  );
  return { ...node, entries };
}
