import type { ServerIdentity, TargetSummary } from "./plan.ts";

/** The kinds of gate-sync's own files. `gate-sync schema` describes each by this name. */
export type ArtifactKind = "plan-file" | "fleet-plan" | "backup" | "snapshot" | "journal";

/** One of gate-sync's own files: what it says, and of which cluster. */
export interface Artifact<Body> {
  readonly target: RecordedTarget;
  readonly body: Body;
  /** When it was made, for people: ISO 8601, UTC. Plan files have it, as nothing else in them depends on the time. */
  readonly at?: string;
}

/** The same of several clusters. */
export interface ArtifactOfSeveral<Body> extends Omit<Artifact<Body>, "target"> {
  readonly targets: readonly RecordedTarget[];
}

/** A cluster as a run knew it. */
export interface RecordedTarget extends Pick<TargetSummary, "name" | "url" | "identity"> {
  readonly server: Omit<ServerIdentity, "how">;
}
