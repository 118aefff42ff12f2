import { RunError } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { createDialect } from "../../dialects/index.ts";
import { allReleases, getBuild, isOpenSearchBefore, parseRelease } from "../../dialects/release.ts";
import type { Product } from "../../model/plan.ts";
import { type ClusterOptions, createCluster, type ServedCluster } from "../cluster.ts";
import type { ProductModel } from "../product.ts";
import { createGateProduct, getGateEngine } from "./gate.ts";
import { createOpenSearchProduct } from "./opensearch.ts";
import { createOldOpenSearch, openDistro } from "./opensearch-old.ts";
import { searchGuard6 } from "./search-guard-6.ts";
import { createSearchGuard7Product, recordedBuild } from "./search-guard-7.ts";
import { searchGuardFlx } from "./search-guard-flx.ts";

/** What a server is to be. */
export interface ServerWanted extends Omit<ClusterOptions, "dialect"> {
  readonly product: Product;
  readonly release: string;
  /** Version of the search engine, which `GET /` shows; undefined: the one that the release ran on. */
  readonly engine: string | undefined;
}

/** What is served for a line of releases of which no build is stated. */
export function getServedRelease(release: string): string {
  return release === "7" ? `7.x-${recordedBuild}` : release;
}

/** Throws a RunError where the product never had the release. */
export function createProductServer(wanted: ServerWanted): ServedCluster {
  const { product } = wanted;
  const release = parseRelease(product, wanted.release);
  if (release === undefined) {
    throw new RunError("usage", {
      what: `The product ${product} has no release ${wanted.release} that can be emulated.`,
      fix: `Releases of ${product}: ${allReleases[product]}.`,
    });
  }
  const dialect = createDialect(product, getServedRelease(release), engineOf(wanted, release));
  const model = modelOf(dialect, release);
  const { engine: number = model.engine.number } = wanted;
  return createCluster({ ...model, engine: { ...model.engine, number } }, { ...wanted, dialect });
}

/** The dialect of `gate` goes by its engine. */
function engineOf({ product, engine }: ServerWanted, release: string): string | undefined {
  return engine ?? (product === "gate" ? getGateEngine(release) : undefined);
}

function modelOf(dialect: Dialect, release: string): ProductModel {
  switch (dialect.product) {
    case "gate":
      return createGateProduct(dialect);
    case "opensearch":
      if (release === "odfe-1.x") return openDistro;
      return isOpenSearchBefore(release, "2.10") ? createOldOpenSearch(release) : createOpenSearchProduct(release);
    case "search-guard":
      if (release === "6") return searchGuard6;
      return release === "FLX" ? searchGuardFlx : createSearchGuard7Product(getBuild(release));
  }
}
