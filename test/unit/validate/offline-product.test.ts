// What files are evaluated for without a server: what the target states, and of Search Guard the release that files show.
import { expect, test } from "vitest";
import type { Target } from "../../../src/model/target.ts";
import { chooseOffline } from "../../../src/validate/offline-product.ts";
import { repositoryOf } from "../../support/nodes.ts";

const six = "roles: {r: {cluster: [UNLIMITED], indices: {'*': {'*': [READ]}}}}\n";
const flx = "roles: {r: {alias_permissions: [{alias_patterns: [a], allowed_actions: ['*']}]}}\n";
const seven = "roles: {r: {index_permissions: [{index_patterns: [a], allowed_actions: [SGS_READ]}]}}\n";

test.each<[stated: Pick<Target, "product" | "release">, text: string, title: string]>([
  [{ product: "search-guard" }, six, "search-guard 6 (by state.yml: the form of release 6)"],
  [{ product: "search-guard" }, flx, "search-guard FLX (by state.yml: alias_permissions)"],
  [{ product: "search-guard" }, seven, "search-guard 7 (assumed)"],
  [{ product: "search-guard", release: "7.x-53" }, six, "search-guard 7.x-53"],
  [{ product: "opensearch" }, six, "opensearch 2 (assumed)"],
  [{}, six, "search-guard 6 (by state.yml: the form of release 6)"],
])("%j", (stated, text, title) => {
  const target: Target = { name: "t", state: [], vars: new Map(), families: {}, acceptFields: [], ...stated };
  expect(chooseOffline(target, repositoryOf({ "state.yml": text })).title).toBe(title);
});
