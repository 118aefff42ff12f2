import type { RecordedTarget } from "./artifact.ts";
import type { Action } from "./change.ts";
import type { Address, Family } from "./names.ts";

/** What `manifest.json`, beside the state files of a backup, says: of which run it is, and what that run was about to change. */
export interface Manifest {
  /** When the run began to write: ISO 8601, UTC. */
  readonly time: string;
  /** Those that have state files in the backup. */
  readonly families: readonly Family[];
  /** SHA-256 of each state file, by its path below `state/`. */
  readonly files: Readonly<Record<string, string>>;
  readonly changes: readonly BackedUpChange[];
  /** Children of the config's `dynamic` that the run was about to change. */
  readonly config_children: readonly string[];
  /** Places of the config whose secret the run was about to replace or remove; what it was is nowhere. */
  readonly secrets_replaced: readonly string[];
  /** Live entries that hold as plain text what the repository keeps secret. */
  readonly secret?: readonly Address[];
}

export interface BackedUpChange {
  readonly family: Family;
  readonly name: string;
  readonly action: Action;
  /** Digest of what the run was about to write; absent for a deletion, and where it or `intermediate` holds a secret. */
  readonly after?: string;
  /** Digests of what requests of the run were to leave of it for later requests; absent where a secret is in one. */
  readonly intermediate?: readonly string[];
  /** Fields that gate-sync does not know: a rollback that creates the entry again cannot restore them. */
  readonly unknown_fields?: readonly string[];
}

/** A backup in a state folder. */
export interface Backup {
  readonly name: string;
  /** Absolute; the state files are in `state/` below it. */
  readonly folder: string;
  readonly target: RecordedTarget;
  readonly manifest: Manifest;
}
