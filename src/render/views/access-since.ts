import type { Places } from "../../access/explain/grant-path.ts";
import type { AccessDifferences } from "../../model/access.ts";
import type { ListedCommit } from "../../model/listed-commit.ts";
import { escapeInvisible } from "../escape.ts";
import { type AccessView, createAccessView } from "./access-diff.ts";

/** What there is to show of two states that were compared. */
interface ComparedAccess {
  readonly since: string;
  readonly asNow: readonly string[];
  readonly access: AccessDifferences;
  readonly commits: readonly ListedCommit[];
  readonly notes: readonly string[];
  readonly places: Places;
}

/** Everything that a format shows of what changed since an earlier state. Texts are fit to be shown. */
export interface AccessSinceView {
  /** `Access since commit v1 (1a2b3c4)` */
  readonly title: string;
  /** What of then is taken as it is now: shown before what is found. */
  readonly asNow: readonly string[];
  readonly access: AccessView;
  /** Each in one line, newest first. */
  readonly commits: readonly string[];
  readonly closing: readonly string[];
  /** As the model has it, for programs. */
  readonly compared: ComparedAccess;
}

/** Title of the list of commits. */
export const commitsTitle = "Commits since then that changed these files";

export function createAccessSinceView(compared: ComparedAccess): AccessSinceView {
  const { since, asNow, access, commits, notes, places } = compared;
  return {
    title: `Access since ${escapeInvisible(since)}`,
    asNow: asNow.map(escapeInvisible),
    access: createAccessView(access, { changes: [], violations: [], waived: [] }, places),
    commits: commits.map(({ commit, author, date, subject }) =>
      escapeInvisible(`${commit}  ${date}  ${author}: ${subject}`),
    ),
    closing: notes.map(escapeInvisible),
    compared,
  };
}
