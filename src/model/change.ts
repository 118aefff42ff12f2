import type { SourceRange } from "../diagnostics/source.ts";
import type { Edit } from "../json/patch.ts";
import type { Fields, Value } from "../json/value.ts";
import type { LiveResource } from "./live.ts";
import type { Family } from "./names.ts";

export type Action = "create" | "update" | "delete" | "leave";

/** Why a change is what it is: for people to read, never to decide by. */
export type Reason =
  | "declared" // create, update: the repository asks for it
  | "not-declared" // delete
  | "reverted" // delete: the run that a rollback undoes created it, and others may have changed it since
  | "undone" // delete: the same, and nobody changed what the server shows of it
  | "in-sync" // leave, like all below
  | "unmanaged" // not declared, and the mode does not delete
  | "out-of-scope" // another owner's, by include and exclude
  | "reserved"
  | "static"
  | "service-account"
  | "not-rotated" // a user whose password changed in git, and is written with --rotate alone
  | "other-hash" // a user whose hash on the server is known to be another one; it is written with --rotate alone
  | "server-owned" // its own file says that it is the server's
  | "left-out" // differs, and --only names others
  | "observed" // differs, but the family's mode is observe
  | "unknown"; // a license that cannot be compared

export interface UnknownField {
  /** From the entry, positions in lists as digits: `["index_permissions", "0", "x_note"]`. */
  readonly path: readonly string[];
  readonly value: Value;
}

/** One resource or single document, and what becomes of it. */
export interface Change {
  readonly family: Family;
  /** The resource's name; for the single documents the family itself. */
  readonly name: string;
  readonly action: Action;
  readonly reason: Reason;
  /** Field-level differences between live and desired; what a `leave` differs in is here too. */
  readonly edits: readonly Edit[];
  /** Fields of the live one that are set, that gate-sync does not know and that no file declares: `path` with its live value. Kept. */
  readonly unknown?: readonly UnknownField[];
  /** Of a user that is in sync: whether its password or hash is the declared one is unknown. */
  readonly passwordUnknown?: true;
  /** Canonical; absent for a create. The config: its whole live document. */
  readonly before?: Fields;
  /** Canonical, with the live fields that gate-sync does not know; absent for a delete. */
  readonly after?: Fields;
  readonly live?: LiveResource;
  /** Where it is declared. */
  readonly origin?: SourceRange;
}

export function isPending(change: Pick<Change, "action">): boolean {
  return change.action !== "leave";
}
