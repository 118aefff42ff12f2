import { tmpdir } from "node:os";
import { load } from "js-yaml";
import { convertFiles } from "../../src/engine/convert.ts";
import type { Product } from "../../src/model/plan.ts";

/** A product with its release, as in `search-guard 7.x-38`. */
export type ProductRelease = `${Product} ${string}`;

/** The state files that a text becomes, parsed, by family, and all that is said of it. */
export async function convertText(text: string, from: ProductRelease, to: string, isExact = false) {
  const [product = "", release = ""] = from.split(" ");
  const result = await convertFiles({
    cwd: tmpdir(),
    env: {},
    flags: { product: product as Product, release, statePaths: ["-"] },
    input: async function* () {
      yield Buffer.from(text);
    },
    to,
    folder: "converted",
    isExact,
  });
  const parsed = result.files.map((file) => load(file.text) as Readonly<Record<string, unknown>>);
  return {
    ...result,
    state: Object.assign({}, ...parsed) as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  };
}
