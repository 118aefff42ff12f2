import type { JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { ServerState, StoredEntries } from "./state.ts";
import type { BodyRules } from "./values/body-rules.ts";
import type { JsonParser } from "./values/json-parser.ts";
import type { TreeOrRefusal } from "./values/patch.ts";
import type { Tree } from "./values/tree.ts";

/** What one product and release says and does differently: data, and the few functions in which it differs. */
export interface ProductModel {
  /** In challenges: `Basic realm="…"`. */
  readonly title: string;
  /** In refusals: `User x with … [roles]`. */
  readonly rolesWord: string;
  readonly engine: EngineFacts;
  readonly routes: RouteFacts;
  readonly identity: IdentityFacts;
  /** The word for a resource of the family in messages. */
  readonly kinds: Readonly<Record<ResourceFamily, string>>;
  readonly parser: JsonParser;
  /** Whether the answer says what is wrong with a body that is no JSON. */
  readonly parserReports: boolean;
  readonly texts: ProductTexts;
  readonly entries: EntryModel;
  readonly patch: PatchModel;
  readonly config: ConfigModel;
  readonly license: LicenseFacts;
  /** Refusals that go by what else the server holds; undefined where there are none. */
  readonly rules?: (value: Tree, by: WriteSource, state: ServerState) => Reply | undefined;
  /** False where the nodes choke on what was stored: every write is then answered 500, and takes effect. */
  readonly loads: (state: ServerState) => boolean;
  /** The order in which the names of a family are listed. */
  readonly sort: <Value>(entries: Iterable<readonly [string, Value]>) => readonly (readonly [string, Value])[];
  /** Starts with the entries that the product comes with. */
  readonly hasBuiltins: boolean;
  /** Documents that it starts with, too, by family. */
  readonly firstDocuments?: Partial<Readonly<Record<ResourceFamily, JsonObject>>>;
  /** What GET of a family shows beside its entries. */
  readonly shownBeside?: Partial<Readonly<Record<ResourceFamily, readonly [string, Tree][]>>>;
  /** Why a request is refused to all but administrators by certificate, whatever it is; undefined where it is not. */
  readonly refusesUnlisted?: (request: RawRequest, state: ServerState) => Reply | undefined;
  /** An administrator's certificate sees hidden entries and may change every one. */
  readonly adminOverrides: boolean;
  /** After a refusal of a stranger's path or method, the next request on that connection is taken for a stranger's too. */
  readonly staleConnections: boolean;
  /** Static entries are shown among all, and not alone. */
  readonly staticsHideAlone: boolean;
}

/** What the search engine below the security plugin says of itself, and answers to requests that are not the plugin's. */
export interface EngineFacts {
  readonly distribution?: string;
  readonly tagline: string;
  readonly number: string;
  /** Further fields of the version in `GET /`. */
  readonly build: Readonly<Record<string, string | boolean>>;
  /** Absent where neither a list of plugins nor a license shows it. */
  readonly plugin?: { readonly component: string; readonly version: string };
  /** With every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Before 8 a path of three segments is a document of an index; with the methods that are registered for it. */
  readonly documents?: DocumentFacts;
  /** The answer to a percent-escape that is none; `allowed` are the methods of the path. */
  readonly badEscape: (detail: string, allowed: readonly string[]) => Reply;
  /** A plus in a path means a space. */
  readonly plusIsBlank: boolean;
}

export interface DocumentFacts {
  readonly methods: readonly string[];
  readonly noIndex: (index: string) => string;
  /** Methods of a path of two segments, the first of which may be an index; none: there is no such path. */
  readonly ofIndex: readonly string[];
}

/** Methods in the order in which the server lists them. */
export interface RouteFacts {
  readonly prefixes: readonly string[];
  readonly collection: readonly string[];
  readonly item: readonly string[];
  readonly license?: readonly string[];
  readonly config: readonly ConfigRouteFacts[];
  /** The name of the config among the endpoints that node settings disable. */
  readonly configEndpoint: string;
  /** The families by their path segment. */
  readonly segments: ReadonlyMap<string, SegmentFacts>;
  /** What lies beside the families, by its whole path. */
  readonly otherPaths: ReadonlyMap<string, OtherRoute>;
}

export interface OtherRoute {
  readonly kind:
    | "plugins"
    | "health"
    | "whoami"
    | "authinfo"
    | "permissions"
    | "account"
    | "open-license"
    | "api-keys"
    | "users-document";
  readonly methods: readonly string[];
}

/** How a product shows callers who they are. */
export interface IdentityFacts {
  /** What backend roles are called in the text of a user. */
  readonly backendWord: "roles" | "backend_roles";
  readonly keys: { readonly roles: string; readonly tenants: string; readonly attributes: string };
  /** The answer of whoami is under a key of that name. */
  readonly wrapsWhoami: boolean;
  /** The answer has the name of the cluster too. */
  readonly reportsCluster: boolean;
}

export interface SegmentFacts {
  readonly family: ResourceFamily;
  /** Where they are not those of the other families. */
  readonly collection?: readonly string[];
  readonly item?: readonly string[];
  /** The one name below it that is routed. */
  readonly only?: string;
  /** What a PUT of the whole path writes. */
  readonly writes?: string;
  /** Refused to all but administrators by certificate. */
  readonly certificateOnly?: true;
}

export interface ConfigRouteFacts {
  readonly path: string;
  readonly methods: { readonly writable: readonly string[]; readonly readOnly: readonly string[] };
  /** Methods of the path with a name behind it, and which names are routed at all. */
  readonly named?: { readonly methods: readonly string[]; readonly any: boolean; readonly whenReadOnly: boolean };
}

export interface ProductTexts {
  /** The answer to a write that took effect; of the config, `family` is absent. */
  readonly written: (
    outcome: "created" | "updated" | "deleted",
    kind: string,
    name: string,
    family?: ResourceFamily,
  ) => Reply;
  readonly notFound: (kind: string, name: string) => string;
  readonly notFoundByGet: (kind: string, name: string) => string;
  readonly reserved: (name: string) => string;
  readonly static: (name: string) => string;
  readonly deleteLicense: string;
  /** The answer for a hidden entry, by each method of writing it. */
  readonly hidden: Readonly<Record<"PUT" | "DELETE" | "PATCH" | "bulk", (kind: string, name: string) => Reply>>;
}

export interface Flags {
  readonly reserved: boolean;
  readonly hidden: boolean;
  readonly static: boolean;
}

export type WrittenEntry = { readonly entries: StoredEntries } | { readonly refusal: Reply };

/** How entries come in, are kept and go out. */
export interface EntryModel {
  /** What a body may hold, by family. */
  readonly bodyRules: FamilyBodyRules;
  /** Why a value is refused before anything is looked up; `before` are the entries of its family. */
  readonly check: (value: Tree, by: WriteSource, before: StoredEntries) => Reply | undefined;
  /** As it is kept. */
  readonly store: (value: Tree, by: WriteSource, before: StoredEntries) => TreeOrRefusal;
  /** As it is kept when the server starts with it; undefined where it cannot be. */
  readonly load: (family: ResourceFamily, value: Tree, name: string) => Tree | undefined;
  /** As GET of a family shows it. */
  readonly show: (family: ResourceFamily, tree: Tree) => Tree;
  /** The whole answer to GET of one, where it is not the entry under its name. */
  readonly showSingle?: (family: ResourceFamily, name: string, tree: Tree) => Tree;
  readonly patchBase: (family: ResourceFamily, tree: Tree) => Tree;
  /** What a PATCH of its family leaves of an entry that it does not change; absent: all of it. */
  readonly afterPatch?: (family: ResourceFamily, tree: Tree) => Tree;
  readonly flags: (tree: Tree) => Flags;
  /** The entries with this one; by default that is all. */
  readonly write?: (entries: StoredEntries, name: string, tree: Tree) => WrittenEntry;
  /** The answer to a single patch of an entry that exists for one half of the server only. */
  readonly halfThere?: (entries: StoredEntries, name: string) => Reply | undefined;
  /** GET of one entry comes with another content type. */
  readonly singleType?: string;
  /** The header of the stored document, which lies among the entries of a bulk patch. */
  readonly meta?: MetaModel;
}

export type FamilyBodyRules = Partial<Readonly<Record<ResourceFamily, BodyRules>>>;

/** What is written, how it came, and under which name. */
export interface WriteSource {
  readonly writeKind: "PUT" | "PATCH" | "bulk";
  readonly family: ResourceFamily;
  readonly name: string;
  /** Who asks may do anything, if the product lets it. */
  readonly admin: boolean;
}

export interface MetaModel {
  readonly name: string;
  readonly value: (family: string) => Tree;
  /** A PUT under this name. */
  readonly put: (text: string) => Reply;
  /** The answer to a patch that changed the header of a document. */
  readonly changed: (family: string, value: Tree | undefined) => Reply;
}

export interface PatchModel {
  /** The operations, or the refusal of a body that is none; Search Guard reads their shape only while it applies them. */
  readonly body: (text: string, contentType: string) => TreeOrRefusal;
  /** `bulk` is the family that is patched as a whole. */
  readonly apply: (document: Tree, patch: Tree, bulk?: ResourceFamily) => TreeOrRefusal;
  /** The answer where nothing would change; undefined where that is written like anything else. */
  readonly nothing?: Reply;
  /** `changed`: every entry that differs afterwards is checked · `named`: those that a path begins with. */
  readonly bulk: "changed" | "named";
}

export interface ConfigModel {
  /** The key around the document. */
  readonly key: string;
  readonly load: (value: Tree) => Tree;
  readonly show: (tree: Tree) => Tree;
  /** Absent where no request writes it. */
  readonly writes?: ConfigWrites;
}

export interface ConfigWrites {
  /** The document in the body of a PUT. */
  readonly unwrap?: (body: Tree) => Tree;
  readonly check: (value: Tree) => Reply | undefined;
  readonly store: (value: Tree, by: "PUT" | "PATCH") => TreeOrRefusal;
  readonly patchBase: (tree: Tree) => Tree;
  readonly meta?: MetaModel;
  /** What a PUT under another name than the document's gets. */
  readonly otherName?: Reply;
  /** Writing routes that are there and refuse. */
  readonly denied?: Reply;
  /** The answer where a patch took the document away or put another beside it. */
  readonly misplaced: (document: ReadonlyMap<string, Tree>) => Reply;
}

export interface LicenseFacts {
  readonly key: string;
  /** What is shown where none is installed. */
  readonly absent: (engine: string, now: Date) => JsonObject;
}
