import { RunError } from "../diagnostics/failure.ts";
import type { Stated } from "../live/detect.ts";
import { snapshotReader } from "../live/snapshot.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { readSnapshot } from "../store/snapshot.ts";

/** Where the live state comes from: the target's server, or a snapshot of it. */
export type Source = { readonly connect: (target: Target) => ReadPort } | { readonly snapshot: string };

export interface OpenSource {
  readonly reader: ReadPort;
  readonly stated: Stated;
  readonly summary: Omit<TargetSummary, "server">;
}

export async function openReader(target: Target, source: Source): Promise<OpenSource> {
  if ("snapshot" in source) {
    const snapshot = await readSnapshot(source.snapshot);
    const { product, release, how } = snapshot.server;
    return {
      reader: snapshotReader(snapshot),
      stated: { product, release, how },
      summary: {
        name: target.name,
        url: `snapshot ${source.snapshot} of ${snapshot.url}`,
        snapshot: true,
        ...(snapshot.identity !== undefined && { identity: snapshot.identity }),
      },
    };
  }
  const summary = summaryOf(target);
  return { reader: source.connect(target), stated: target, summary };
}

export function summaryOf(target: Target): Omit<TargetSummary, "server"> {
  if (target.url === undefined) {
    throw new RunError("usage", {
      what: "No server is named.",
      fix: "Name one with --url, or with `url` of a target in gate-sync.yaml.",
    });
  }
  const identity = target.auth?.kind === "basic" ? target.auth.username : undefined;
  return {
    name: target.name,
    url: withoutCredentials(target.url),
    snapshot: false,
    ...(identity !== undefined && { identity }),
  };
}

function withoutCredentials(url: string): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href.replace(/\/$/, "");
}
