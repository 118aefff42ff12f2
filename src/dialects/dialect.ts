import type { ResourceFamily } from "../model/names.ts";
import type { Product } from "../model/plan.ts";

/** How one product and release spells the API on the wire, and what it can do. Data; the codec reads it. */
export interface Dialect {
  readonly product: Product;
  readonly release: string;
  /** `/_gate/api`, without a slash at the end. */
  readonly prefix: string;
  /** The path segment of each family; a family that is absent does not exist here. */
  readonly collections: Partial<Readonly<Record<ResourceFamily, string>>>;
  readonly config: ConfigDialect;
  readonly license?: { readonly path: string; readonly key: string };
  /** The list of an action group, and whether a group is that list alone (6.x-25 of `gate`). */
  readonly actionGroup: { readonly list: "permissions" | "allowed_actions"; readonly bare: boolean };
  /** A block's `value` on the wire: one string, or a list of them. */
  readonly blockValue: "string" | "list";
  /** Mapping types of an index exist (Search Guard 6). */
  readonly documentTypes: boolean;
  /** The product's own groups behind `RW` and `RO` of 6.x tenants. */
  readonly tenantAccess: { readonly RW: string; readonly RO: string };
  /** Families whose PATCH works; the rest is written by PUT and DELETE. */
  readonly patch: ReadonlySet<ResourceFamily>;
  /** A `test` in a PATCH makes the server refuse the whole of it; elsewhere it is no operation at all. */
  readonly honoursTest: boolean;
  /** Of several writes at once all are told that they succeeded, and some are lost: each is read back. */
  readonly losesWrites: boolean;
  /** Fields that this release refuses or forgets, by family; a field of a permission is `index_permissions.dls`. */
  readonly lacks: Partial<Readonly<Record<ResourceFamily, readonly string[]>>>;
  /** Action groups that contain each other harm this product: never to be sent. */
  readonly ringsHarm: boolean;
  /** Lists that make a mapping complete. */
  readonly mappingLists: readonly string[];
  /** True for a name that the server's JSON pointers reach unharmed. */
  readonly pointerReaches: (name: string) => boolean;
}

export interface ConfigDialect {
  /** Where it is read. */
  readonly path: string;
  /** Where it is put. */
  readonly putPath: string;
  /** The route of the PUT exists only where the config may be changed, and nothing else has its path: a GET of it tells. */
  readonly putRouteTells: boolean;
  /** The key around the document in answers. */
  readonly key: string;
  /** Whether a PUT has that key around the document too. */
  readonly wrapped: boolean;
  /** What the child about the dashboards is called. */
  readonly dashboard: "dashboard" | "kibana";
  /** Why this release never takes a config by this API, where it does not. */
  readonly readOnly?: string;
  /** The node setting without which the server refuses every change. */
  readonly setting: string;
}
