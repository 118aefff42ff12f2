import type { Fields } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import type { TakenFields } from "./fields.ts";

/** How one product and release spells the API on the wire, and what it can do. Data; the codec reads it. */
export interface Dialect {
  readonly product: Product;
  readonly release: string;
  /** `/_gate/api`, without a slash at the end. */
  readonly prefix: string;
  /** The path segment of each family; a family that is absent does not exist here. */
  readonly collections: Partial<Readonly<Record<ResourceFamily, string>>>;
  /** Where the one entry of a family is written, whole, by PUT: it has no other route. */
  readonly documents?: Partial<Readonly<Record<ResourceFamily, string>>>;
  /** Families of which the admin certificate makes and changes entries that are marked reserved. */
  readonly writesMarked?: ReadonlySet<ResourceFamily>;
  /** Families that answer to an admin certificate alone, whatever a user may; some with a node setting only. */
  readonly certificateOnly?: ReadonlyMap<ResourceFamily, { readonly setting?: string }>;
  /** What of an internal user decides about access; absent where it has none. */
  readonly internalUsers?: InternalUserDialect;
  /** Where keys are listed that log in by themselves, with permissions of their own. */
  readonly apiKeys?: string;
  /** Where the server shows which aliases lead to which indices; absent: the API says nothing of it. */
  readonly aliases?: string;
  readonly config: ConfigDialect;
  readonly license?: { readonly path: string; readonly key: string };
  readonly actionGroup: ActionGroupDialect;
  /** A block's `value` on the wire: one string, or a list of them. */
  readonly blockValue: "string" | "list";
  /** What a field is called on the wire, where it is not called as in 7.x. */
  readonly words: Partial<Readonly<Record<ResourceFamily, Readonly<Record<string, string>>>>>;
  /** Roles are maps of index patterns, their mapping types and tenants, not lists of permissions (Search Guard 6). */
  readonly documentTypes: boolean;
  /** The product's own groups behind `RW` and `RO` of 6.x tenants. */
  readonly tenantAccess: { readonly RW: string; readonly RO: string };
  /** Families whose PATCH works; the rest is written by PUT and DELETE. */
  readonly patch: ReadonlySet<ResourceFamily>;
  /** A `test` in a PATCH makes the server refuse the whole of it; elsewhere it is no operation at all. */
  readonly honoursTest: boolean;
  /** Which defaults the stored document holds is unknown: a PATCH tests an entry field by field. */
  readonly testsFields?: true;
  /** Concurrent writes all report success, and some are lost: each is read back. */
  readonly losesWrites: boolean;
  /** A PATCH is applied to the stored entry without its empty fields, and is refused where a mandatory one is then missing. */
  readonly omitsEmpty: boolean;
  /** All others are refused or forgotten. */
  readonly fields: TakenFields;
  /** What the server takes where a document leaves a field out, where that is not what the facts of its family say. */
  readonly defaults?: Partial<Readonly<Record<ResourceFamily, Fields>>>;
  /** Fields in the section `audit` of the audit configuration that are refused. */
  readonly lackedAuditSettings?: readonly string[];
  /** A name with a dot can be read again after it was written. */
  readonly dottedNames: boolean;
  /** Lists may not hold strings of spaces. */
  readonly refusesSpaces: boolean;
  /** A body with a character beyond U+FFFF in a value is refused; in a name it does no harm. */
  readonly refusesAstral?: boolean;
  /** How permissions begin that the API refuses to grant: only the server's own files do. */
  readonly neverGranted?: string;
  /** Cluster permissions `restapi:admin/…` let in to the API by themselves, where a node setting that no request shows is on. */
  readonly restPermissionsLetIn?: true;
  /** A cluster setting may refuse writes of documents to users with DLS, FLS or masks. */
  readonly mayBlockWrites?: true;
  /** Characters that the name of an entry, and any other text, may have, where there is a limit; `laterText` by a later patch. */
  readonly longest?: { readonly name: number; readonly text: number; readonly laterText?: number };
  /** Entries of these names are written with success, and not stored. */
  readonly namesLost?: ReadonlySet<string>;
  /** A mapping to a role that is not there is refused, and so is an action group that is named like a role. */
  readonly checksRoles: boolean;
  /** Action groups that contain each other harm this product: never to be sent. */
  readonly cyclesHarm: boolean;
  /** A null among index permissions, or a cycle of groups that a role uses, keeps the nodes from loading anything that is written. */
  readonly canBeUnloadable?: boolean;
  /** Milliseconds for each mapping that is written and each 1 000 characters of all roles, where it is worth a thought. */
  readonly mappingCost?: number;
  /** Lists that make a mapping complete. */
  readonly mappingLists: readonly string[];
  /** True for a name that the server's JSON pointers reach unharmed. */
  readonly pointerReaches: (name: string) => boolean;
}

export interface InternalUserDialect {
  /** The field of an internal user with the roles that it has without any mapping; absent where there is none. */
  readonly roles?: string;
  /** The document of the security index that holds them, hashes included; absent where that was not seen on a server. */
  readonly document?: string;
  /** An attribute with an empty value is gone after the next PATCH of any user. */
  readonly dropsEmptyAttributes?: true;
  /**
   * Passwords that are long, easy to guess or similar to the name are refused, as `findPasswordFault` says. The path shows every login
   * the expression that its nodes ask for.
   */
  readonly passwordRules?: string;
}

export interface ActionGroupDialect {
  readonly list: "permissions" | "allowed_actions";
  /** In bulk a group is its list alone (6.x-25 of `gate`). */
  readonly bare: boolean;
  /** Never patched field by field, always written whole. */
  readonly whole: boolean;
  /** A group without a type is refused. */
  readonly needsType: boolean;
  /** The types that are taken, case ignored; without it, every text is. */
  readonly types?: readonly string[];
}

export interface ConfigDialect {
  /** Where it is read. */
  readonly path: string;
  /** Where it is put. */
  readonly putPath: string;
  /** The route of the PUT exists only where the config may be changed, and nothing else has its path: a GET shows whether it may. */
  readonly putRouteReports: boolean;
  /** The key above the document in answers. */
  readonly key: string;
  /** Whether a PUT has that key above the document, too. */
  readonly wrapped: boolean;
  /** What the child about the dashboards is called. */
  readonly dashboard: "dashboard" | "kibana";
  /** Every scalar is a text, true and 1 too. */
  readonly texts: boolean;
  /** Fields of a domain that the server takes, and forgets, as they mean nothing there. */
  readonly forgets?: readonly string[];
  /** A PATCH changes what it names and nothing else, which is not so everywhere. */
  readonly patch: boolean;
  /** Why this release never takes a config by this API, and what does, where it does not. */
  readonly readOnly?: string;
  /** The node setting without which the server refuses every change. */
  readonly setting: string;
}
