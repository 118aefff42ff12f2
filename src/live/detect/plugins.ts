import { getBuild, parseRelease } from "../../dialects/release.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import type { Product } from "../../model/plan.ts";
import type { ReadPort } from "../../model/ports.ts";
import { getObjectFields } from "./routes.ts";

/** A product and release, and how the release is known, for people: `by GET /_cat/plugins`. */
export interface Release {
  readonly release: string;
  readonly how: string;
  readonly note?: string;
}

/** The security plugins, as the search engine lists them; what their versions do not say is in the name. */
const plugins: ReadonlyMap<string, readonly [Product, release?: string]> = new Map([
  ["search-guard-6", ["search-guard"]],
  ["search-guard-7", ["search-guard"]],
  ["search-guard-flx", ["search-guard", "FLX"]],
  ["opensearch-security", ["opensearch"]],
  ["opendistro_security", ["opensearch", "odfe-1.x"]],
]);

/** By the list of plugins, which takes the right `cluster:monitor/state` to read. */
export async function detectReleaseByPlugins(reader: ReadPort): Promise<(Release & { product: Product }) | undefined> {
  const { status, body } = await reader.get("/_cat/plugins?format=json");
  const rows = status === 200 && isList(body as Value) ? (body as readonly Value[]).filter(isObject) : [];
  const found = rows.flatMap(({ component, version }) => {
    const [product, named] = plugins.get(String(component)) ?? [];
    const release = product && (named ?? parseRelease(product, String(version)));
    return product && release ? [{ product, release }] : [];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const all = [...new Set(found.map(({ release }) => release))];
  const note = `Its nodes do not run the same release (${all.join(", ")}): ${first.release} is assumed.`;
  return { ...first, how: "by GET /_cat/plugins", ...(all.length > 1 && { note }) };
}

/** Builds of 7.x begin at 35; FLX counts its own versions from 1. */
const firstBuild = 35;

/**
 * By the modules that Search Guard lists beside its license, to every caller: no right is needed, not even a login.
 */
export async function detectReleaseByLicense(reader: ReadPort): Promise<Release | undefined> {
  const answer = await reader.get("/_searchguard/license");
  const how = "by GET /_searchguard/license";
  if (answer.flx !== undefined) return { release: "FLX", how };
  const modules = answer.status === 200 ? getObjectFields(getObjectFields(answer.body).modules) : {};
  const { version } = getObjectFields(modules.REST_MANAGEMENT_API);
  const release = typeof version === "string" ? parseRelease("search-guard", version) : undefined;
  if (release === undefined) return undefined;
  return { release: (getBuild(release) ?? firstBuild) < firstBuild ? "FLX" : release, how };
}
