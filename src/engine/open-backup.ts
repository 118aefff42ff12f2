import { join } from "node:path";
import { isSameCluster } from "../artifacts/same-cluster.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { formatPath } from "../load/files.ts";
import { keptOnServer } from "../load/reference-text.ts";
import type { Backup, Manifest } from "../model/backup.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../model/names.ts";
import type { MapEntry, Node } from "../model/node.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { Repository, Section } from "../model/repository.ts";
import type { Target } from "../model/target.ts";
import { openRepository } from "./open.ts";
import type { RunRequest } from "./request.ts";

export interface OpenBackup {
  /** All that the state files hold. */
  readonly whole: Repository;
  /** Of the state files, what the run was about to change. */
  readonly changed: Repository;
  /** About the changed entries alone: a rollback writes no other. */
  readonly diagnostics: readonly Diagnostic[];
  /** What held a secret: of what the run left as it was, and as it knew it. */
  readonly secret: ReadonlySet<Address>;
  readonly placeOf: (family: Family) => Pick<Section, "range" | "node"> | undefined;
}

/** Reads the state files of a backup. No secret is resolved, whatever references they hold. */
export async function openBackup(
  { folder, manifest }: Backup,
  target: Target,
  request: RunRequest,
): Promise<OpenBackup> {
  if (manifest.families.length === 0) return nothing;
  const state = [formatPath(request.cwd, join(folder, "state"), folder)];
  const { repository, diagnostics } = await openRepository({ ...target, state }, request, "leave", undefined, state);
  const known = new Set(manifest.changes.map(({ family, name }) => `${family}/${name}`));
  const isChanged = ({ family }: Section, { key }: MapEntry) => known.has(`${family}/${key}`);
  const sections = repository.documents.flatMap((document) => document.sections);
  const others = sections.flatMap((section) => section.entries.filter((entry) => !isChanged(section, entry)));
  const changed = {
    ...repository,
    documents: repository.documents.map((document) => ({
      ...document,
      sections: document.sections.map((section) => ({
        ...section,
        entries: section.entries.filter((entry) => isChanged(section, entry)),
      })),
    })),
  };
  for (const { node } of sections) refuseOtherSecrets(node);
  refuseIncomplete(manifest, changed);
  return {
    whole: repository,
    changed,
    diagnostics: diagnostics.filter(({ range }) => !range || !others.some((entry) => isIn(range, entry))),
    secret: new Set([
      ...(manifest.secret ?? []),
      ...sections.flatMap(({ family, entries }) =>
        entries.filter(({ value }) => holdsKept(value)).map(({ key }) => createAddress(family, key)),
      ),
    ]),
    placeOf: (family) => sections.find((section) => section.family === family),
  };
}

const noFiles: Repository = { documents: [], notices: [], fileCount: 0 };

const nothing: OpenBackup = {
  whole: noFiles,
  changed: noFiles,
  diagnostics: [],
  secret: new Set(),
  placeOf: () => undefined,
};

/** @throws RunError `usage` where it was made of another cluster than this one */
export function refuseUnlessBackupOf(now: TargetSummary, { name, target: then }: Backup, consequence: string): void {
  if (isSameCluster(then, now)) return;
  throw new RunError("usage", {
    what: `The backup ${name} is of another cluster.`,
    why: `It was made of ${formatCluster(then)}, and this is ${formatCluster(now)}. ${consequence}`,
    fix: "Name the cluster it was made of with --target or --url, or another backup.",
  });
}

function formatCluster({ url, server: { product, clusterName, clusterUuid } }: Backup["target"]): string {
  const known = [product, clusterName, clusterUuid].filter((word) => word !== undefined);
  return `${url} (${known.join(", ")})`;
}

function holdsKept({ file, start, end }: Node): boolean {
  return file.text.slice(start, end).includes(keptOnServer);
}

function isIn({ file, start }: SourceRange, { keyRange, value }: MapEntry): boolean {
  return file === keyRange.file && keyRange.start <= start && start <= value.end;
}

/** What the run changed or deleted was there before: a backup without it would have it deleted. */
function refuseIncomplete({ changes, families }: Manifest, { documents }: Repository): void {
  const sections = documents.flatMap((document) => document.sections);
  const held = new Set(sections.flatMap(({ family, entries }) => entries.map(({ key }) => `${family}/${key}`)));
  const missing = [
    ...families.filter((family) => !sections.some((section) => section.family === family)),
    ...changes
      .filter(({ family, action }) => isResourceFamily(family) && action !== "create")
      .map(({ family, name }) => `${family}/${name}`)
      .filter((address) => !held.has(address)),
  ];
  if (missing.length === 0) return;
  throw new RunError("invalid", {
    what: `The backup is not whole: ${missing.join(", ")} is missing from its state files.`,
    why: "What is missing would count as not wanted, and be deleted.",
    fix: "Take another copy of the backup, or write what is wanted into the repository and apply that.",
  });
}

/** Only an edit by hand puts one there; it would have no value, and must not be taken for one that the server keeps. */
function refuseOtherSecrets(node: Node): void {
  if (node.kind === "list") for (const item of node.items) refuseOtherSecrets(item);
  if (node.kind === "map") for (const { value } of node.entries) refuseOtherSecrets(value);
  if (node.kind !== "scalar" || !(node.value instanceof Secret) || node.value.reference === keptOnServer) return;
  throw new RunError("invalid", {
    what: `${node.value.reference} is in the backup ${node.file.path}.`,
    why: "A backup holds what was on the server, and no references: it was edited.",
    fix: "Take it out, or write what is wanted into the repository and apply that.",
  });
}
