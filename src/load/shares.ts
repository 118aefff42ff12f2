import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { findMapEntry, type MapEntry, type Node, toValue } from "../model/node.ts";
import type { FindShare, TeamShare } from "../model/share.ts";
import type { Variables } from "../model/target.ts";

/** A folder, with links followed and as it is named, and whose it is. */
interface Owned {
  readonly paths: readonly string[];
  readonly share: TeamShare;
}

/**
 * Whose a file is: of several folders that it is in, the innermost counts. A link to a file of a team is that team's.
 *
 * @param root gate-sync.yaml, valid
 * @returns undefined where it names no owners
 */
export function createShareFinder(root: Node, cwd: string): FindShare | undefined {
  const owned = listOwned(root, cwd);
  if (owned.length === 0) return undefined;
  const known = new Map<SourceFile, TeamShare | undefined>();
  const find = (file: SourceFile): TeamShare | undefined => {
    const path = resolve(cwd, file.path);
    return findInnermost(owned, followLinks(path)) ?? findInnermost(owned, path);
  };
  return (file) => {
    if (!known.has(file)) known.set(file, find(file));
    return known.get(file);
  };
}

/** Folders of owners that are not there: the files that are meant would have none. */
export function findMissingFolders(root: Node, cwd: string): readonly Diagnostic[] {
  return listEntries(root).flatMap(({ key, keyRange }) =>
    existsSync(resolveFolder(root, cwd, key))
      ? []
      : [
          createDiagnostic(keyRange, "unknown-owned-folder", {
            what: `There is no folder ${key}.`,
            why: "The files that are meant would have no owner, and could declare anything.",
            fix: "Correct the path, which is relative to gate-sync.yaml, or take the owner out.",
          }),
        ],
  );
}

/** Variables that a team's file defines: all files use them. */
export function findOwnedVariables(vars: Variables, find: FindShare): readonly Diagnostic[] {
  const byFile = new Map([...vars.values()].map((node) => [node.file, node] as const));
  return [...byFile.values()].flatMap((node) => {
    const share = find(node.file);
    if (!share) return [];
    return [
      createDiagnostic(node, "outside-share", {
        what: `This file of variables is of team ${share.team}.`,
        why: "Files of everybody use its values: by them the team could change what others declare.",
        fix: "Move the file to a folder without an owner.",
        related: [{ range: share.place, what: "its share" }],
      }),
    ];
  });
}

function listEntries(root: Node): readonly MapEntry[] {
  const owners = findMapEntry(root, "owners")?.value;
  return owners?.kind === "map" ? owners.entries : [];
}

function listOwned(root: Node, cwd: string): readonly Owned[] {
  return listEntries(root).map(({ key, keyRange, value }) => {
    const { team, names, index_patterns, cluster_permissions, action_groups } = toValue(
      value,
    ) as unknown as WrittenShare;
    const folder = resolveFolder(root, cwd, key);
    const share = {
      team,
      names: names ?? [],
      indexPatterns: index_patterns ?? [],
      clusterPermissions: cluster_permissions ?? [],
      actionGroups: action_groups ?? [],
      place: keyRange,
    };
    return { paths: [folder, followLinks(folder)], share };
  });
}

/** As its schema has it. */
interface WrittenShare {
  readonly team: string;
  readonly names?: readonly string[];
  readonly index_patterns?: readonly string[];
  readonly cluster_permissions?: readonly string[];
  readonly action_groups?: readonly string[];
}

function resolveFolder(root: Node, cwd: string, folder: string): string {
  return resolve(cwd, dirname(root.file.path), folder);
}

function findInnermost(owned: readonly Owned[], path: string): TeamShare | undefined {
  let found: TeamShare | undefined;
  let longest = -1;
  for (const { paths, share } of owned) {
    for (const folder of paths) {
      const isInside = path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
      if (!isInside || folder.length <= longest) continue;
      [found, longest] = [share, folder.length];
    }
  }
  return found;
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
