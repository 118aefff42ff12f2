import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, createDialect } from "../dialects/index.ts";
import { parseRelease } from "../dialects/release.ts";
import type { Repository } from "../model/repository.ts";
import type { Target } from "../model/target.ts";
import { findProductEvidence, findSearchGuardRelease } from "./product-evidence.ts";

/** What files are evaluated for where no server is asked. */
export interface OfflineProduct {
  readonly dialect: Dialect;
  /** What says which product it is; `nothing`: it is assumed. */
  readonly by: "target" | "files" | "nothing";
  /** `opensearch 2.19`, `opensearch 2 (by roles.yml: _meta)`, `gate 7.x-43.0.0 (assumed)`. */
  readonly title: string;
}

/** By what the target states, with the release that the files show where it states none; else by what the files show, else the documented API without a vendor (`gate`). */
export function chooseOffline(target: Target, repository: Repository): OfflineProduct {
  const { product, release } = target;
  if (product !== undefined) {
    const isOpen = product === "search-guard" && release === undefined;
    const shown = isOpen ? findSearchGuardRelease(repository.documents) : undefined;
    const dialect = chooseOfflineDialect(shown ? { product, release: shown.release } : target);
    const reason = shown ? `by ${shown.evidence}` : "assumed";
    const title = `${dialect.product} ${dialect.release}${release ? "" : ` (${reason})`}`;
    return { dialect, by: "target", title };
  }
  const found = findProductEvidence(repository);
  if (!found) {
    const dialect = chooseOfflineDialect(target);
    return { dialect, by: "nothing", title: `${dialect.product} ${dialect.release} (assumed)` };
  }
  const line = release ?? found.release;
  const dialect = chooseOfflineDialect({ product: found.product, ...(line !== undefined && { release: line }) });
  return { dialect, by: "files", title: `${dialect.product} ${dialect.release} (by ${found.evidence})` };
}

/** Without files that say more: the stated dialect, else the newest of the documented API. */
export function chooseOfflineDialect({ product = "gate", release }: Pick<Target, "product" | "release">): Dialect {
  const named = release === undefined ? undefined : parseRelease(product, release);
  return createDialect(product, named ?? assumedRelease[product]);
}

/** @throws RunError `usage` where nothing says the product: the answer would be that of another one */
export function refuseUnknownProduct({ by }: OfflineProduct, { name }: Target): void {
  if (by !== "nothing") return;
  throw new RunError("usage", {
    what: "Nothing says which product these files are for.",
    why: "OpenSearch and Search Guard decide differently by the same files: the answer could be wrong.",
    fix: `Add this line to the target ${name} in gate-sync.yaml: \`product: opensearch\` (or search-guard). For one run: --product opensearch.`,
  });
}
