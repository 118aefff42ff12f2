import { RunError } from "../../diagnostics/failure.ts";
import { nearest } from "../../diagnostics/suggest.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { dialectFor, prefixOf, products } from "../../dialects/index.ts";
import { exampleReleases, releaseNamed } from "../../dialects/release.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Product, ServerIdentity } from "../../model/plan.ts";
import type { ReadPort } from "../../model/ports.ts";
import { type Release, releaseByPlugins } from "./plugins.ts";
import { nothingFound, probe, type Tried } from "./probe.ts";
import { releaseOf } from "./release.ts";
import { type Root, rootOf } from "./root.ts";
import { whoAnswers } from "./who-answers.ts";

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
 * Who the server is: what is stated, else what `GET /` says, else whether `gate` answers a GET of a family in the API's
 * own shape, else the search engine's list of plugins, else which other prefix answers so. Never a request that writes,
 * and at most four that a plan would not make anyway.
 *
 * @param families what will be read anyway: such a GET tells the product without costing one more
 */
export async function detect(reader: ReadPort, stated: Stated, families: readonly ResourceFamily[]): Promise<Detected> {
  checkStated(stated);
  const root = await rootOf(reader);
  const { product, how, known } = await productOf(reader, stated, root, families);
  const { release, note, ...by } = stated.release
    ? { release: releaseNamed(product, stated.release) ?? stated.release, how: "stated" }
    : (known ?? (await releaseOf(reader, product, root, families)));
  const { engine, clusterName, clusterUuid } = root;
  return {
    dialect: dialectFor(product, release, engine),
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
  /** Where the release was told in the same breath. */
  readonly known?: Release;
}

async function productOf(
  reader: ReadPort,
  stated: Stated,
  root: Root,
  families: readonly ResourceFamily[],
): Promise<Found> {
  if (stated.product) return { product: stated.product, how: "stated" };
  if (root.distribution === "opensearch") return { product: "opensearch", how: "GET /" };
  const tried: Tried[] = [{ path: "/", answer: root.answer }];
  const documented = await found(reader, "gate", families, tried);
  if (documented) return documented;
  // Whoever may not read what the search engine is may not read its plugins either.
  const plugin = root.engine === undefined ? undefined : await releaseByPlugins(reader);
  if (plugin) return { product: plugin.product, how: plugin.how.replace("by ", ""), known: plugin };
  const other =
    (await found(reader, "search-guard", families, tried)) ?? (await found(reader, "opensearch", families, tried));
  if (!other) throw nothingFound(tried, whoAnswers(root));
  return other;
}

async function found(
  reader: ReadPort,
  product: Product,
  families: readonly ResourceFamily[],
  tried: Tried[],
): Promise<Found | undefined> {
  const probed = await probe(reader, product, families, tried);
  if (!probed) return undefined;
  const how = `GET ${probed.path}`;
  const { prefix, release } = probed.dialect;
  return { product, how, ...(prefix !== prefixOf[product] && { known: { release, how: `by ${how}` } }) };
}

function howKnown(product: string, release: string): string {
  if (release === product || release === `by ${product}`) return product;
  return `${product}; release ${release}`;
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
  if (releaseNamed(product, release) !== undefined) return;
  const suggestion = nearest(release, exampleReleases[product]);
  throw new RunError("usage", {
    what: `gate-sync does not know the release "${release}" of ${product}.${suggestion ? ` Did you mean ${suggestion}?` : ""}`,
    fix: `Releases of ${product}: ${exampleReleases[product].join(", ")}.`,
  });
}
