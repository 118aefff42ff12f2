import { assert, RunError } from "../diagnostics/failure.ts";
import { limitText } from "../diagnostics/limit-text.ts";
import { computeKeyedDigest, computeTextDigest, isSameDigest } from "../json/canonical.ts";
import { deepest, isTooDeep } from "../json/depth.ts";
import type { Artifact, ArtifactKind, ArtifactOfSeveral, RecordedTarget } from "../model/artifact.ts";
import type { Manifest } from "../model/backup.ts";
import type { RunBeginning } from "../model/journal.ts";
import type { Product } from "../model/plan.ts";
import type { SavedFleet, SavedPlan } from "../model/plan-file.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { version } from "../model/version.ts";
import { fitsOwnSchema } from "../validate/own-schema.ts";

/**
 * Every file that gate-sync writes for itself is one JSON object with these fields in this order (a journal: its first line):
 *
 *     {
 *       "format": "gate-sync/backup",             the kind; `gate-sync schema backup` describes it
 *       "format_version": 1,                      of the kind; another one is refused
 *       "made": { "by": "gate-sync 0.1.0" },      for people; plan files also have the time, `at`
 *       "targets": [{ "name", "url", "server" }], the clusters that it is about; one, but in a plan of several targets
 *       "body": { … },                            what the kind holds, never a secret
 *       "digest": "9f86d081…",                    SHA-256 of all this but `made`: shows damage
 *       "seal": "60303ae2…"                       HMAC of all before it by GATE_SYNC_PLAN_KEY: shows every edit
 *     }
 *
 * The digest proves nothing against people who compute it again; the seal does. Only plan files are sealed, where there is
 * a key: others review them and hand them over. Backups and journals count only as files of the user who runs gate-sync.
 */
interface ArtifactFile {
  readonly format: string;
  readonly format_version: number;
  readonly made: { readonly by: string; readonly at?: string };
  readonly targets: readonly TargetFields[];
  readonly body: unknown;
  readonly digest: string;
  readonly seal?: string;
}

interface TargetFields {
  readonly name: string;
  readonly url: string;
  readonly identity: string | undefined;
  readonly server: {
    readonly product: Product;
    readonly release: string;
    readonly engine: string | undefined;
    readonly cluster_name: string | undefined;
    readonly cluster_uuid: string | undefined;
  };
}

export interface ArtifactBodies extends Record<ArtifactKind, object> {
  readonly "plan-file": SavedPlan;
  readonly "fleet-plan": SavedFleet;
  readonly backup: Manifest;
  readonly snapshot: Snapshot;
  readonly journal: RunBeginning;
}

/** The one of each kind that is written and read. */
const formatVersions: Readonly<Record<ArtifactKind, number>> = {
  "plan-file": 2,
  "fleet-plan": 1,
  backup: 1,
  snapshot: 1,
  journal: 1,
};

/** Levels of nesting that a file may have: those of the values in it, and its own. */
export const deepestArtifact = deepest + 20;

/** What a kind is called in a message, and what to do where a file cannot be taken for it. */
export const artifactKinds: Readonly<Record<ArtifactKind, { readonly noun: string; readonly fix: string }>> = {
  "plan-file": { noun: "saved plan", fix: "Take the file as gate-sync plan --out wrote it, or plan again." },
  "fleet-plan": {
    noun: "saved plan of several targets",
    fix: "Take the file as gate-sync plan --out wrote it, or plan again.",
  },
  backup: {
    noun: "backup manifest",
    fix: "Name another backup, take another copy of this one, or write what you want into the repository and apply it.",
  },
  snapshot: { noun: "snapshot", fix: "Make one with gate-sync export --snapshot FILE." },
  journal: {
    noun: "journal",
    fix: "Take another copy of it, or move it away: then the run before it counts as the last one.",
  },
};

/** The text of a file: the same for the same input, byte for byte. With a key it is sealed. */
export function encodeArtifact<Kind extends ArtifactKind>(
  kind: Kind,
  { target, ...others }: Artifact<ArtifactBodies[Kind]>,
  key?: string,
): string {
  return encodeArtifactOfSeveral(kind, { targets: [target], ...others }, key);
}

/** The same of several targets. */
export function encodeArtifactOfSeveral<Kind extends ArtifactKind>(
  kind: Kind,
  { targets: recorded, body, at }: ArtifactOfSeveral<ArtifactBodies[Kind]>,
  key?: string,
): string {
  const made = { by: `gate-sync ${version}`, ...(at !== undefined && { at }) };
  const content = {
    format: formatOf(kind),
    format_version: formatVersions[kind],
    targets: recorded.map(encodeTarget),
    body,
  };
  const { format, format_version, targets } = content;
  const file: ArtifactFile = { format, format_version, made, targets, body, digest: computeContentDigest(content) };
  return layOut(key === undefined ? file : { ...file, seal: computeSeal(file, key) });
}

/**
 * What a file says, once it is clear that nothing changed it since gate-sync wrote it.
 *
 * @param path as messages show it
 * @param key of this run, where there is one: then only a sealed file counts, and without one only a file without a seal
 * @throws RunError `usage` for another file, an edited one, and one that this version cannot handle
 */
export function decodeArtifact<Kind extends ArtifactKind>(
  kind: Kind,
  path: string,
  text: string,
  key?: string,
): Artifact<ArtifactBodies[Kind]> {
  const { targets, ...others } = decodeArtifactOfSeveral(kind, path, text, key);
  const [target, ...more] = targets;
  assert(target, "The schema wants a target.");
  if (more.length > 0) throw severalTargets(path, targets);
  return { target, ...others };
}

/** The same of a file that may be about several targets. */
export function decodeArtifactOfSeveral<Kind extends ArtifactKind>(
  kind: Kind,
  path: string,
  text: string,
  key?: string,
): ArtifactOfSeveral<ArtifactBodies[Kind]> {
  const file = parseFile(kind, path, text);
  refuseOtherSeal(kind, path, file, key);
  if (computeContentDigest(file) !== file.digest) {
    throw createEditedMessage(kind, path, "Its digest is not that of what it holds.");
  }
  // Other white space, or a key that is there twice, shows reviewers something else than what counts.
  if ((kind === "plan-file" || kind === "fleet-plan") && layOut(file) !== text) {
    throw createEditedMessage(kind, path, "It is not laid out as gate-sync writes it.");
  }
  const { body, made, targets } = file as ArtifactFile & { readonly body: ArtifactBodies[Kind] };
  return { targets: targets.map(decodeTarget), body, ...(made.at !== undefined && { at: made.at }) };
}

/** Whether a text is a file of the kind by how it begins, however it is indented. */
export function isArtifactText(kind: ArtifactKind, text: string): boolean {
  return new RegExp(`^\\s*\\{\\s*"format":\\s*"${formatOf(kind)}"`).test(text);
}

export function createEditedMessage(kind: ArtifactKind, path: string, why: string): RunError {
  return new RunError("usage", {
    what: `${path} was changed since gate-sync wrote it.`,
    why: `${why} Nothing was sent.`,
    fix: artifactKinds[kind].fix,
  });
}

function parseFile(kind: ArtifactKind, path: string, text: string): ArtifactFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const why = "It is no JSON.";
    if (isArtifactText(kind, text)) throw createEditedMessage(kind, path, why);
    throw notOfKind(kind, path, why);
  }
  const { format, format_version, made } = (value ?? {}) as Partial<ArtifactFile>;
  if (format !== formatOf(kind)) throw notOfKind(kind, path, explainFormat(format));
  if (isTooDeep(value, deepestArtifact)) {
    throw createEditedMessage(kind, path, "It is nested deeper than any that gate-sync writes.");
  }
  if (format_version !== formatVersions[kind]) {
    throw new RunError("usage", {
      what: `${path} has format version ${limitText(JSON.stringify(format_version) ?? "none")}, and this gate-sync reads version ${formatVersions[kind]}.`,
      why: `It was made by ${typeof made?.by === "string" ? limitText(made.by) : "another version"}. Nothing was sent.`,
      fix: "Write and read it with the same version of gate-sync.",
    });
  }
  if (!fitsOwnSchema(kind, value)) {
    throw createEditedMessage(kind, path, `It does not fit its schema (gate-sync schema ${kind}).`);
  }
  return value as ArtifactFile;
}

function notOfKind(kind: ArtifactKind, path: string, why: string): RunError {
  const { noun, fix } = artifactKinds[kind];
  return new RunError("usage", { what: `${path} is not a ${noun} that this version can read.`, why, fix });
}

function explainFormat(format: unknown): string {
  const other = (Object.keys(artifactKinds) as ArtifactKind[]).find((kind) => format === formatOf(kind));
  return other ? `It is a ${artifactKinds[other].noun}.` : "gate-sync did not write it, or another version did.";
}

function refuseOtherSeal(kind: ArtifactKind, path: string, file: ArtifactFile, key: string | undefined): void {
  const { seal } = file;
  if (seal === undefined && key === undefined) return;
  if (seal === undefined || key === undefined) {
    throw new RunError("usage", {
      what: seal === undefined ? `${path} is not sealed.` : `${path} is sealed, and GATE_SYNC_PLAN_KEY is not set.`,
      why:
        seal === undefined
          ? "GATE_SYNC_PLAN_KEY is set, so only a plan that was sealed with it counts. Nothing was sent."
          : "Without the key, whether it was edited is unknown. Nothing was sent.",
      fix: "Set the same GATE_SYNC_PLAN_KEY for plan --out and for apply.",
    });
  }
  if (isSameDigest(computeSeal(file, key), seal)) return;
  const why = "Its seal is not that of GATE_SYNC_PLAN_KEY over what it holds; or the key is another one.";
  throw createEditedMessage(kind, path, why);
}

function severalTargets(path: string, targets: readonly RecordedTarget[]): RunError {
  const names = targets.map(({ name }) => name).join(", ");
  return new RunError("usage", {
    what: `${path} is for ${targets.length} targets (${names}), and this gate-sync handles one.`,
    why: "Nothing was sent.",
    fix: "Use a file for one target, or the version of gate-sync that wrote this one.",
  });
}

function formatOf(kind: ArtifactKind): string {
  return `gate-sync/${kind}`;
}

/** A journal is a line for each thing that happened; people read the others, but no plan of thousands of changes. */
function layOut(file: ArtifactFile): string {
  const line = JSON.stringify(file);
  const isLine =
    file.format === formatOf("journal") ||
    ((file.format === formatOf("plan-file") || file.format === formatOf("fleet-plan")) && line.length > mostRead);
  return `${isLine ? line : JSON.stringify(file, null, 2)}\n`;
}

/** Indented, a plan takes twice as much. */
const mostRead = 1_000_000;

function computeContentDigest({
  format,
  format_version,
  targets,
  body,
}: Pick<ArtifactFile, "format" | "format_version" | "targets" | "body">): string {
  return computeTextDigest(JSON.stringify({ format, format_version, targets, body }));
}

function computeSeal({ seal: _, ...file }: ArtifactFile, key: string): string {
  return computeKeyedDigest(`${file.format}\n${layOut(file)}`, key);
}

/** JSON leaves out what is undefined. */
function encodeTarget({ name, url, identity, server }: RecordedTarget): TargetFields {
  const { product, release, engine, clusterName: cluster_name, clusterUuid: cluster_uuid } = server;
  return { name, url, identity, server: { product, release, engine, cluster_name, cluster_uuid } };
}

function decodeTarget({ name, url, identity, server }: TargetFields): RecordedTarget {
  const { product, release, engine, cluster_name: clusterName, cluster_uuid: clusterUuid } = server;
  return {
    name,
    url,
    ...(identity !== undefined && { identity }),
    server: {
      product,
      release,
      ...(engine !== undefined && { engine }),
      ...(clusterName !== undefined && { clusterName }),
      ...(clusterUuid !== undefined && { clusterUuid }),
    },
  };
}
