import type { ResourceFamily } from "./names.ts";

/** What an entry is, in short: of the files, or built-in. */
export interface EntryDescription {
  readonly family: ResourceFamily;
  readonly name: string;
  /** No file declares it: it comes with the product. */
  readonly isBuiltin: boolean;
  readonly description?: string;
  readonly facts: readonly EntryFact[];
}

export interface EntryFact {
  readonly kind: "comes to" | "cluster" | "indices" | "tenants" | "held by" | "granted by" | "used by";
  readonly values: readonly string[];
}
