import type { ResourceFamily } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import { createDialect } from "./index.ts";
import { exampleReleases } from "./release.ts";

/** Releases of a product that take a field. */
export interface ReleasesWith {
  /** `7.x from 47`, or a whole line. */
  readonly title: string;
  /** One of them, as a target states it. */
  readonly example: string;
}

/** Oldest first; empty where no release has the field. */
export function listReleasesWith(product: Product, family: ResourceFamily, field: string): readonly ReleasesWith[] {
  const known = exampleReleases[product];
  // A line alone is its newest release.
  const releases = known.filter((release) => !known.some((other) => other.startsWith(`${release}.`)));
  return [...new Set(releases.map(readLine))].flatMap((line) => {
    const all = releases.filter((release) => readLine(release) === line);
    const [example, ...more] = all.filter((release) => createDialect(product, release).fields[family].includes(field));
    if (example === undefined) return [];
    const isWhole = more.length + 1 === all.length;
    return [{ title: isWhole ? line : `${line} from ${example.slice(line.length + 1)}`, example }];
  });
}

function readLine(release: string): string {
  return release.split("-")[0] ?? release;
}
