import { RunError } from "../../diagnostics/failure.ts";
import { assumedRelease, prefixOf } from "../../dialects/index.ts";
import { parseRelease } from "../../dialects/release.ts";
import { isBefore } from "../../dialects/version.ts";
import { isList, isObject, type JsonObject, type Value } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Product } from "../../model/plan.ts";
import type { ReadPort } from "../../model/ports.ts";
import { detectReleaseByLicense, detectReleaseByPlugins, type Release } from "./plugins.ts";
import { type Root, readOwnNumber } from "./root.ts";

/** Which release of the product it is, by as few requests as show it, and none that a plan's identity may not make. */
export async function detectRelease(
  reader: ReadPort,
  product: Product,
  root: Root,
  families: readonly ResourceFamily[],
): Promise<Release> {
  switch (product) {
    case "gate":
      return gateRelease(reader, root, families);
    case "search-guard":
      return (await searchGuardRelease(reader, root)) ?? assumed(product);
    case "opensearch":
      return (await openSearchRelease(reader, root)) ?? assumed(product);
  }
}

async function searchGuardRelease(reader: ReadPort, root: Root): Promise<Release | undefined> {
  const { engine } = root;
  if (engine === undefined) return detectReleaseByLicense(reader);
  // OpenSearch counts from 1; of Search Guard, FLX alone goes with it.
  if (root.distribution === "opensearch") return { release: "FLX", how: "by GET /" };
  if (isBefore(engine, "6.0.0")) throw tooOld(engine);
  // All of 6 is one release, and above 7 there is FLX alone.
  if (isBefore(engine, "7.0.0")) return { release: "6", how: "by GET /" };
  if (!isBefore(engine, "8.0.0")) return { release: "FLX", how: "by GET /" };
  return (await pluginRelease(reader, "search-guard")) ?? (await detectReleaseByLicense(reader));
}

async function openSearchRelease(reader: ReadPort, root: Root): Promise<Release | undefined> {
  const number = readOwnNumber(root);
  const release = number === undefined ? undefined : parseRelease("opensearch", number);
  if (release !== undefined) return { release, how: "by GET /" };
  if (root.engine === undefined) return undefined;
  if (root.distribution === undefined) return { release: "odfe-1.x", how: "by GET /" };
  return pluginRelease(reader, "opensearch");
}

async function pluginRelease(reader: ReadPort, product: Product): Promise<Release | undefined> {
  const found = await detectReleaseByPlugins(reader);
  return found?.product === product ? found : undefined;
}

function assumed(product: Product): Release {
  const release = assumedRelease[product];
  return {
    release,
    how: "assumed",
    note: `Nothing that we may read shows the release: ${product} ${release} is assumed. State it with --release if it is another.`,
  };
}

/** The documentation has no request for it; only the groups of 6.x have another shape. */
async function gateRelease(reader: ReadPort, root: Root, families: readonly ResourceFamily[]): Promise<Release> {
  const release = assumedRelease.gate;
  if (!families.includes("action_groups")) return { release, how: "assumed" };
  const path = `${prefixOf.gate}/actiongroups`;
  const groups = await firstOk(reader, [path, `${path}/`]);
  if (spelledAsSix(groups)) return { release: "6.x-25", how: "by its action groups" };
  if (isEmpty(groups) && root.engine !== undefined && isBefore(root.engine, "7.0.0")) {
    return { release: "6.x-25", how: "by its engine" };
  }
  const note = `The server has no action group that shows its release: ${release} is assumed. State it with --release if it is another.`;
  return { release, how: "by its action groups", ...(isEmpty(groups) && { note }) };
}

async function firstOk(reader: ReadPort, paths: readonly string[]): Promise<unknown> {
  for (const path of paths) {
    const answer = await reader.get(path);
    if (answer.status === 200) return answer.body;
  }
  return undefined;
}

function spelledAsSix(groups: unknown): boolean {
  if (!isObject(groups as Value)) return false;
  return Object.values(groups as JsonObject).some(
    (group) => isList(group) || (isObject(group) && "permissions" in group),
  );
}

function isEmpty(groups: unknown): boolean {
  return isObject(groups as Value) && Object.keys(groups as JsonObject).length === 0;
}

function tooOld(engine: string): RunError {
  return new RunError("failed", {
    what: `This is Search Guard on Elasticsearch ${engine}, and gate-sync speaks to Search Guard 6 and later.`,
    why: "Before 6 its administration API had other paths and other forms.",
    fix: "Nothing was changed.",
  });
}
