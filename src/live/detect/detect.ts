import { RunError } from "../../diagnostics/failure.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import type { DetectedServer } from "../../dialects/detected.ts";
import { createDialect, prefixOf, products } from "../../dialects/index.ts";
import { allReleases, exampleReleases, parseRelease, parseStatedRelease } from "../../dialects/release.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Product } from "../../model/plan.ts";
import type { ReadPort } from "../../model/ports.ts";
import { detectReleaseByPlugins, type Release } from "./plugins.ts";
import { explainNothingFound, type ProbeAttempt, probe } from "./probe.ts";
import { detectRelease } from "./release.ts";
import { type Root, readOwnNumber, readRoot } from "./root.ts";
import { guessWhoAnswers } from "./who-answers.ts";

export interface StatedProduct {
  readonly product?: Product;
  readonly release?: string;
  /** How both are known; absent: they are stated. */
  readonly how?: string;
}

/**
 * Who the server is: what is stated, else what `GET /` says, else whether `gate` answers a GET of a family in the
 * API's own shape, else the search engine's list of plugins, else which other prefix answers so. Never a request that
 * writes, and at most four that a plan would not make anyway.
 *
 * @param families what will be read anyway: such a GET shows the product without an extra request
 */
export async function detect(
  reader: ReadPort,
  stated: StatedProduct,
  families: readonly ResourceFamily[],
): Promise<DetectedServer> {
  checkStated(stated);
  const root = await readRoot(reader);
  const { product, how, known } = await productOf(reader, stated, root, families);
  const { release, note, ...by } = stated.release
    ? takeStated({ ...stated, release: stated.release }, product, root)
    : (known ?? (await detectRelease(reader, product, root, families)));
  const { engine, clusterName, clusterUuid } = root;
  return {
    dialect: createDialect(product, release, engine),
    server: {
      product,
      release,
      how: stated.how ?? howKnown(how, by.how),
      ...(engine !== undefined && { engine }),
      ...(clusterName !== undefined && { clusterName }),
      ...(clusterUuid !== undefined && { clusterUuid }),
    },
    notes: note === undefined ? [] : [note],
  };
}

interface Found {
  readonly product: Product;
  readonly how: string;
  /** Where the same answer shows the release. */
  readonly known?: Release;
}

async function productOf(
  reader: ReadPort,
  stated: StatedProduct,
  root: Root,
  families: readonly ResourceFamily[],
): Promise<Found> {
  if (stated.product) return { product: stated.product, how: "stated" };
  if (root.distribution === "opensearch") return { product: "opensearch", how: "GET /" };
  const tried: ProbeAttempt[] = [{ path: "/", answer: root.answer }];
  const documented = await found(reader, "gate", families, tried);
  if (documented) return documented;
  // An identity that may not read what the search engine is may not read its plugins either.
  const plugin = root.engine === undefined ? undefined : await detectReleaseByPlugins(reader);
  if (plugin) return { product: plugin.product, how: plugin.how.replace("by ", ""), known: plugin };
  const other =
    (await found(reader, "search-guard", families, tried)) ?? (await found(reader, "opensearch", families, tried));
  if (!other) throw explainNothingFound(tried, guessWhoAnswers(root));
  return other;
}

async function found(
  reader: ReadPort,
  product: Product,
  families: readonly ResourceFamily[],
  tried: ProbeAttempt[],
): Promise<Found | undefined> {
  const probed = await probe(reader, product, families, tried);
  if (!probed) return undefined;
  const how = `GET ${probed.path}`;
  const { prefix, release } = probed.dialect;
  return { product, how, ...(prefix !== prefixOf[product] && { known: { release, how: `by ${how}` } }) };
}

function takeStated({ release, how }: StatedProduct & { release: string }, product: Product, root: Root): Release {
  const stated = { release: parseRelease(product, release) ?? release, how: "stated" };
  return how === undefined ? compareStated(stated, product, root) : stated;
}

/**
 * With a note where the server calls itself another minor version.
 *
 * @throws RunError `usage` where it calls itself another major version
 */
function compareStated(stated: Release, product: Product, root: Root): Release {
  const own = readShownNumber(product, root);
  const [major, minor] = stated.release.replace(/^odfe-/, "").split(".");
  if (own === undefined || stated.release === "FLX") return stated;
  const [ownMajor, ownMinor] = own.split(".");
  const actual = product === "opensearch" ? `${ownMajor}.${ownMinor}` : ownMajor;
  const remedy = `Take release out of the target, so that the server is asked, or write release: "${actual}".`;
  if (major !== ownMajor) {
    throw new RunError("usage", {
      what: `Release ${stated.release} is stated, and the server is ${own}.`,
      why: "Requests, and answers about access, would be those of another major version.",
      fix: `${remedy} If ${stated.release} is right, the URL is that of another cluster.`,
    });
  }
  if (product !== "opensearch" || minor === undefined || minor === ownMinor) return stated;
  return {
    ...stated,
    note: `Release ${stated.release} is stated, and the server is ${own}: what came between the two is taken as in ${stated.release}. ${remedy}`,
  };
}

/** Search Guard has the number of its Elasticsearch; with an OpenSearch goes FLX, which counts its own. */
function readShownNumber(product: Product, root: Root): string | undefined {
  if (product === "opensearch") return readOwnNumber(root);
  return product === "search-guard" && root.distribution === undefined ? root.engine : undefined;
}

function howKnown(product: string, release: string): string {
  if (release === product || release === `by ${product}`) return product;
  return `product ${product === "stated" ? product : `by ${product}`}, release ${release}`;
}

/** @throws RunError `usage` for a release that its product never had */
export function checkStated({ product, release }: StatedProduct): void {
  if (release === undefined) return;
  if (product === undefined) {
    throw new RunError("usage", {
      what: `The release ${release} is stated without a product.`,
      fix: `Say which product it is a release of: --product ${products.join("|")}.`,
    });
  }
  if (parseStatedRelease(product, release) !== undefined) return;
  throw new RunError("usage", {
    what: `gate-sync does not know the release "${release}" of ${product}.${suggestNearest(release, exampleReleases[product])}`,
    fix: `Releases of ${product}: ${allReleases[product]}.`,
  });
}
