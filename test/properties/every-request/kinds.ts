import type { Json, JsonObject } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import type { FewChange } from "../../fixtures/few.ts";

/** A kind of server, and what the fixtures on it may change. */
export interface Kind {
  readonly title: string;
  readonly product: Product;
  readonly release: string;
  readonly families: readonly FewChange["family"][];
  /** The fixtures come in the form of 7.x. */
  readonly form?: (family: ResourceFamily, entry: Json) => Json;
}

const shared = ["action_groups", "tenants", "roles", "role_mappings"] as const;

export const gate: Kind = {
  title: "gate",
  product: "gate",
  release: "7.x-43.0.0",
  families: [...shared, "blocks", "config", "license"],
};

export const others: readonly Kind[] = [
  { title: "search-guard-7", product: "search-guard", release: "7.5.1-38.0.0", families: shared },
  { title: "opensearch", product: "opensearch", release: "2.19.1", families: shared },
  {
    title: "search-guard-6",
    product: "search-guard",
    release: "6",
    families: ["action_groups", "roles", "role_mappings"],
    form: ofSix,
  },
];

/** As Search Guard 6 holds it. */
function ofSix(family: ResourceFamily, entry: Json): Json {
  const fields = entry as JsonObject;
  if (family === "action_groups") return { permissions: fields.allowed_actions ?? [] };
  if (family !== "roles") return entry;
  const [permission] = (fields.index_permissions ?? []) as readonly JsonObject[];
  return {
    cluster: fields.cluster_permissions ?? [],
    ...(permission && { indices: { i: { "*": permission.allowed_actions ?? [] } } }),
  };
}
