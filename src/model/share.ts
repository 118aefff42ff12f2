import type { SourceFile, SourceRange } from "../diagnostics/source.ts";

/** What the files of one team may be about, by `owners` of gate-sync.yaml. */
export interface TeamShare {
  readonly team: string;
  /** Patterns (`*`, `?`) of the names of its roles, role mappings, tenants and action groups. */
  readonly names: readonly string[];
  /** What its roles may grant anything on. */
  readonly indexPatterns: readonly string[];
  /** Actions and action groups that its roles may grant on the cluster. */
  readonly clusterPermissions: readonly string[];
  /** Groups of others that its roles and groups may include, beside those that the product ships. */
  readonly actionGroups: readonly string[];
  /** Where gate-sync.yaml says so. */
  readonly place: SourceRange;
}

/** The share of the team that a file belongs to; undefined for files without an owner. */
export type FindShare = (file: SourceFile) => TeamShare | undefined;
