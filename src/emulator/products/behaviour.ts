import type { Dialect } from "../../dialects/dialect.ts";
import type { ResourceFamily } from "../../model/names.ts";

/**
 * How GET of one resource is answered: `by-name` `{name: fields}` · `bare-list` `{name: [...]}` · `list-only`
 * `{allowed_actions: [...]}` · `wrapped` `{block: fields}`.
 */
export type SingleShape = "by-name" | "bare-list" | "list-only" | "wrapped";

/** What one product and release answers where products differ; data only, read by the handlers. */
export interface Behaviour {
  readonly dialect: Dialect;
  /** The version of the search engine below it, as `GET /` shows it. */
  readonly engine: string;
  /** The name of the product in challenges and refusals. */
  readonly title: string;
  /** Further path segments of a family, with the methods that work there. */
  readonly aliases: ReadonlyMap<string, Alias>;
  /** The word for a resource of the family in messages. */
  readonly kinds: Readonly<Record<ResourceFamily, string>>;
  /** Families whose creating PUT says `CREATED` in its body; the others say `OK`. */
  readonly statesCreated: ReadonlySet<ResourceFamily>;
  readonly written: (kind: string, name: string, outcome: "created" | "updated" | "deleted") => string;
  readonly single: Readonly<Record<ResourceFamily, SingleShape>>;
  /** Families whose reads show `reserved`, `hidden` and `static` even when they are false. */
  readonly showsFlags: ReadonlySet<ResourceFamily>;
  /** Families whose reads show an empty list where nothing is stored. */
  readonly fillsLists: ReadonlySet<ResourceFamily>;
}

export interface Alias {
  readonly family: ResourceFamily;
  readonly methods: readonly string[];
}
