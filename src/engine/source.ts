import { basename } from "node:path";
import { readSnapshot } from "../artifacts/snapshot.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { StatedProduct } from "../live/detect/detect.ts";
import { createSnapshotReader } from "../live/snapshot.ts";
import { createConfigAboveError, locateConfigAbove } from "../load/config-file.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Command, Target } from "../model/target.ts";
import { hideUnlessProgram } from "../secrets/command-words.ts";
import type { RunRequest } from "./request.ts";

/** Where the live state comes from: the target's server, or a snapshot of it. */
export type Source = { readonly connect: (target: Target) => ReadPort } | { readonly snapshot: string };

export interface OpenSource {
  readonly reader: ReadPort;
  readonly stated: StatedProduct;
  readonly summary: Omit<TargetSummary, "server">;
}

export async function openReader(target: Target, source: Source, cwd: string): Promise<OpenSource> {
  if ("snapshot" in source) {
    const { target: taken, body } = await readSnapshot(cwd, source.snapshot);
    const { product, release } = taken.server;
    return {
      reader: createSnapshotReader(body),
      stated: { product, release, how: body.how },
      summary: {
        name: target.name,
        url: `snapshot ${source.snapshot} of ${taken.url}`,
        snapshot: true,
        ...(taken.identity !== undefined && { identity: taken.identity }),
      },
    };
  }
  const summary = summariseSource(target);
  return { reader: source.connect(target), stated: target, summary };
}

/** @param place of the run, where it reads no state files: a gate-sync.yaml above it is named then */
export function summariseSource(
  target: Target,
  place?: Pick<RunRequest, "cwd" | "configPath">,
): Omit<TargetSummary, "server"> {
  if (target.url === undefined) {
    const above = place && place.configPath === undefined ? locateConfigAbove(place.cwd) : undefined;
    if (above !== undefined) throw createConfigAboveError(above);
    throw new RunError("usage", {
      what: "No server is named.",
      fix: "Name one with --url, or with `url` of a target in gate-sync.yaml.",
    });
  }
  const identity = identityOf(target);
  return {
    name: target.name,
    url: withoutCredentials(target.url),
    snapshot: false,
    ...(identity !== undefined && { identity }),
  };
}

/** Who we say we are, in words that may be read by anybody: an AWS key's id is no secret, as its requests show it. */
function identityOf({ auth, tls }: Target): string | undefined {
  const certified = tls?.cert !== undefined || tls?.pkcs12 !== undefined;
  switch (auth?.kind) {
    case "basic":
      return certified ? `${auth.username}, or the holder of a client certificate` : auth.username;
    case "bearer":
      return "the bearer of a token";
    case "aws":
      return "argv" in auth.keys ? `an AWS key, ${printedBy(auth.keys)}` : `AWS key ${auth.keys.accessKeyId}`;
    case "exec":
      return `a login, ${printedBy(auth.command)}`;
    case undefined:
      return certified ? "the holder of a client certificate" : undefined;
  }
}

/** Arguments are left out: a user may have put a secret there. */
function printedBy({ argv }: Command): string {
  return `printed by ${basename(hideUnlessProgram(argv[0] ?? ""))}`;
}

function withoutCredentials(url: string): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href.replace(/\/$/, "");
}

/** A note of the plan where the server's certificate is not checked: who reads the plan does not see the flags. */
export function describeUnverified({ tls }: Target): readonly string[] {
  return tls?.insecure
    ? [`The server's certificate was not checked (${tls.insecure}): anybody may have answered.`]
    : [];
}
