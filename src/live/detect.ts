import { RunError } from "../diagnostics/failure.ts";
import { nearest } from "../diagnostics/suggest.ts";
import { decodeConfig } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, dialectFor, prefixOf, products, releasesOf } from "../dialects/index.ts";
import { isBefore } from "../dialects/version.ts";
import { isList, isObject, type JsonObject, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Product, ServerIdentity } from "../model/plan.ts";
import type { Answer, ReadPort } from "../model/ports.ts";
import { said } from "./said.ts";

export interface Stated {
  readonly product?: Product;
  readonly release?: string;
  /** How both are known, where it is not that somebody stated them. */
  readonly how?: string;
}

export interface Detected {
  readonly server: ServerIdentity;
  readonly dialect: Dialect;
  readonly notes: readonly string[];
}

/**
 * Who the server is: what is stated, else what `GET /` says, else which of the known prefixes answers a GET of a family
 * in the API's own shape. Never a request that writes.
 *
 * @param families what will be read anyway: such a GET tells the product without costing one more
 */
export async function detect(reader: ReadPort, stated: Stated, families: readonly ResourceFamily[]): Promise<Detected> {
  checkStated(stated);
  const root = await rootOf(reader);
  const tried = [`GET / (${root.answered})`];
  const known = stated.product ?? (root.distribution === "opensearch" ? "opensearch" : undefined);
  const found = known
    ? { product: known, how: stated.product ? "stated" : "GET /" }
    : await probe(reader, families, tried);
  const release = await releaseOf(reader, found.product, stated.release, root, families);
  const dialect = dialectFor(found.product, release.release, root.engine);
  return {
    dialect,
    server: {
      product: found.product,
      release: release.release,
      how: stated.how ?? howKnown(found.how, release.how),
      ...(root.engine !== undefined && { engine: root.engine }),
      ...(root.clusterName !== undefined && { clusterName: root.clusterName }),
      ...(root.clusterUuid !== undefined && { clusterUuid: root.clusterUuid }),
    },
    notes: release.note === undefined ? [] : [release.note],
  };
}

function howKnown(product: string, release: string): string {
  return product === "stated" && release === "stated" ? "stated" : `${product}; release ${release}`;
}

interface Root {
  readonly answered: string;
  readonly engine?: string;
  readonly distribution?: string;
  readonly clusterName?: string;
  readonly clusterUuid?: string;
}

async function rootOf(reader: ReadPort): Promise<Root> {
  const answer = await reader.get("/");
  const body = isObject(answer.body as Value) ? (answer.body as JsonObject) : {};
  const version = isObject(body.version) ? body.version : {};
  return {
    answered: answered(answer),
    ...(typeof version.number === "string" && { engine: version.number }),
    ...(typeof version.distribution === "string" && { distribution: version.distribution }),
    ...(typeof body.cluster_name === "string" && { clusterName: body.cluster_name }),
    ...(typeof body.cluster_uuid === "string" && { clusterUuid: body.cluster_uuid }),
  };
}

async function probe(
  reader: ReadPort,
  families: readonly ResourceFamily[],
  tried: string[],
): Promise<{ product: Product; how: string }> {
  for (const product of products) {
    const dialect = dialectFor(product, assumedRelease[product]);
    const path = `${dialect.prefix}/${probedSegment(dialect, families)}`;
    for (const spelling of [path, `${path}/`]) {
      const answer = await reader.get(spelling);
      tried.push(`GET ${spelling} (${answered(answer)})`);
      if (speaksTheApi(answer, dialect, families)) return { product, how: `GET ${spelling}` };
      if (answer.status === 401) throw unauthorised(spelling);
      if (answer.status === 403) throw forbidden(spelling, answer);
    }
  }
  throw new RunError("failed", {
    what: "No administration API that gate-sync knows answers here.",
    why: `Tried: ${tried.join(", ")}.`,
    fix: "Check the URL; if it is right, say what the server is with --product and --release.",
  });
}

/** `404`, or `302: redirects to https://login.example/`. */
function answered(answer: Answer): string {
  const isRedirect = answer.status >= 300 && answer.status < 400 && answer.location !== undefined;
  return isRedirect ? `${answer.status}: ${said(answer)}` : String(answer.status);
}

/** What is read anyway: the first family, else the config, which a plan of config or license alone needs. */
function probedSegment({ collections, config }: Dialect, [family]: readonly ResourceFamily[]): string {
  return family === undefined ? config.path : (collections[family] ?? `${collections.roles}`);
}

/** The config under its key, or a map from names to objects (or to lists: old action groups); no error in disguise. */
function speaksTheApi({ status, body }: Answer, dialect: Dialect, families: readonly ResourceFamily[]): boolean {
  if (status !== 200 || !isObject(body as Value)) return false;
  if (families.length === 0) return decodeConfig(dialect, body) !== undefined;
  return Object.values(body as JsonObject).every((entry) => isObject(entry) || isList(entry));
}

async function releaseOf(
  reader: ReadPort,
  product: Product,
  stated: string | undefined,
  root: Root,
  families: readonly ResourceFamily[],
): Promise<{ release: string; how: string; note?: string }> {
  if (stated !== undefined) return { release: stated, how: "stated" };
  const assumed = assumedRelease[product];
  if (product === "opensearch") {
    const major = root.engine?.split(".")[0] ?? assumed;
    const isKnown = releasesOf.opensearch.includes(major) && !(root.engine && isBefore(root.engine, "2.10.0"));
    return {
      release: releasesOf.opensearch.includes(major) ? major : assumed,
      how: "by GET /",
      ...(!isKnown && { note: `OpenSearch is known from 2.10 on; ${root.engine ?? "this one"} is taken for such.` }),
    };
  }
  if (product === "search-guard" && root.engine !== undefined && isBefore(root.engine, "7.0.0")) {
    throw new RunError("failed", {
      what: `This is Search Guard on Elasticsearch ${root.engine}, and gate-sync speaks to Search Guard 7.`,
      why: "Its roles and mappings have other fields: what 7.x calls them would be refused, or stored and never read.",
      fix: "Nothing was changed. If it is a 7.x all the same, say so with --product search-guard --release 7.",
    });
  }
  if (product === "search-guard" || !families.includes("action_groups")) return { release: assumed, how: "assumed" };
  const path = `${prefixOf.gate}/actiongroups`;
  const groups = await firstOk(reader, [path, `${path}/`]);
  if (spelledAsSix(groups)) return { release: "6.x-25", how: "by its groups" };
  return {
    release: assumed,
    how: "by its groups",
    ...(isEmpty(groups) && {
      note: `The server has no action group to tell its release by: ${assumed} is assumed. State it with --release if it is another.`,
    }),
  };
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

/** @throws RunError `usage` for a release that its product never had */
export function checkStated({ product, release }: Stated): void {
  if (release === undefined) return;
  if (product === undefined) {
    throw new RunError("usage", {
      what: `The release ${release} is stated without a product.`,
      fix: `Say which product it is a release of: --product ${products.join("|")}.`,
    });
  }
  if (releasesOf[product].includes(release)) return;
  const suggestion = nearest(release, releasesOf[product]);
  throw new RunError("usage", {
    what: `gate-sync does not know the release "${release}" of ${product}.${suggestion ? ` Did you mean ${suggestion}?` : ""}`,
    fix: `Releases of ${product}: ${releasesOf[product].join(", ")}.`,
  });
}

export function unauthorised(path: string): RunError {
  return new RunError("failed", {
    what: `The server does not accept our credentials (401 to GET ${path}).`,
    why: "Nothing can be read, so nothing is compared and nothing is changed.",
    fix: "Set GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD, or `auth` of the target in gate-sync.yaml.",
  });
}

export function forbidden(path: string, answer: Answer): RunError {
  return new RunError("failed", {
    what: `We may not read GET ${path} (403).`,
    why: said(answer) || "The server gives no reason.",
    fix: "Use an identity that may read the administration API: README, “A read-only identity for plan”.",
  });
}
