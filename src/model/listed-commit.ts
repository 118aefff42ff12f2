/** A commit, as a list shows it. */
export interface ListedCommit {
  /** Shortened. */
  readonly commit: string;
  readonly author: string;
  /** `2026-11-25`, as the committer's clock had it. */
  readonly date: string;
  readonly subject: string;
}
