import type { Product } from "../model/plan.ts";
import { gateReleases } from "./gate.ts";
import { isBefore } from "./version.ts";

/**
 * The one format of a release of a product, or undefined: `7.x-38.0.0` and `7.5.1-38.0.0` are `7.x-38` of
 * Search Guard, `2.19.1` is `2.19` of OpenSearch. A line alone (`7`, `2`) means its newest release.
 */
export function parseRelease(product: Product, text: string): string | undefined {
  switch (product) {
    case "gate":
      return gateReleases.find((release) => release === text);
    case "search-guard":
      return searchGuardRelease(text);
    case "opensearch":
      return openSearchRelease(text);
  }
}

/** The same, but undefined for an OpenSearch that there is none of. */
export function parseStatedRelease(product: Product, text: string): string | undefined {
  const release = parseRelease(product, text);
  const [major, minor] = product === "opensearch" ? (release ?? "").split(".").map(Number) : [];
  return minor !== undefined && minor > (lastMinors.get(major ?? 0) ?? minor) ? undefined : release;
}

/** 3 goes on: far enough that none comes to it. */
const lastMinors: ReadonlyMap<number, number> = new Map([
  [1, 3],
  [2, 19],
  [3, 39],
]);

/** Examples for people, oldest first. */
export const exampleReleases: Readonly<Record<Product, readonly string[]>> = {
  gate: gateReleases,
  "search-guard": ["6", "7", "7.x-38", "7.x-47", "FLX"],
  opensearch: ["odfe-1.x", "1", "2", "2.9", "2.19", "3"],
};

/** Which releases of a product there are, for people, oldest first. */
export const allReleases: Readonly<Record<Product, string>> = {
  gate: gateReleases.join(", "),
  "search-guard": "6, 7, 7.x-BUILD (such as 7.x-38 or 7.x-53), FLX",
  opensearch: "odfe-1.x, 1.0 to 1.3, 2.0 to 2.19, 3.0 to 3.9 and later, or a line alone: 1, 2, 3",
};

/** The release that is taken for a line of releases; of a line alone, no feature is missing that its newest release has. */
export function getNewestRelease(product: Product, release: string): string {
  return product === "search-guard" && release === "7" ? "7.x-53" : release;
}

/** 6.x-24 and 6.x-25 differ in nothing that is sent or read; 7.x adds families and fields from build to build. */
function searchGuardRelease(text: string): string | undefined {
  if (/^flx([-.\s].*)?$/i.test(text)) return "FLX";
  const [, line, build] = /^([67])(?:\.[\dx]+)*(?:-(\d+)(?:\.\d+)*)?$/.exec(text) ?? [];
  if (line === "6") return "6";
  if (line === undefined) return undefined;
  return build === undefined ? "7" : `7.x-${build}`;
}

function openSearchRelease(text: string): string | undefined {
  if (/^odfe-1(\.[\dx]+)*$/.test(text)) return "odfe-1.x";
  const [, major, minor] = /^([123])(?:\.(\d+|x))?(?:\.\d+)*(?:-\w+)?$/.exec(text) ?? [];
  if (major === undefined) return undefined;
  return minor === undefined || minor === "x" ? major : `${major}.${minor}`;
}

/** The build of a Search Guard 7: 38 of `7.x-38`. Undefined where only the line is known: then whatever 7.x has may be there. */
export function getBuild(release: string): number | undefined {
  const [, build] = /^7\.x-(\d+)/.exec(release) ?? [];
  return build === undefined ? undefined : Number(build);
}

/** Whether an OpenSearch comes before a version; a line alone is its newest release. */
export function isOpenSearchBefore(release: string, version: string): boolean {
  if (release === "odfe-1.x") return true;
  return isBefore(release.includes(".") ? release : `${release}.9999`, version);
}
