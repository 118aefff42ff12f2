import type { ResourceFamily } from "../../model/names.ts";
import type { Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import type { ParserVoice } from "./jackson.ts";
import type { RealEntries, RealState } from "./kept.ts";

/** A real server as data: what its products and releases say and do differently. Read by the handlers of this folder. */
export interface RealProduct {
  /** In challenges: `Basic realm="…"`. */
  readonly title: string;
  /** In refusals: `User x with … [roles]`. */
  readonly rolesWord: string;
  readonly engine: EngineFacts;
  readonly routes: RouteFacts;
  readonly identity: IdentityFacts;
  readonly kinds: Readonly<Record<ResourceFamily, string>>;
  /** The word for an internal user, and the field with its roles where the answers have one. */
  readonly internalUsers: { readonly kind: string; readonly roles?: string };
  /** Whether the answer says what is wrong with a body that is no JSON. */
  readonly parserReports: boolean;
  readonly texts: ProductTexts;
  readonly entries: EntryModel;
  readonly patch: PatchModel;
  readonly config: ConfigModel;
  /** Refusals that go by what else the server holds; undefined where there are none. */
  readonly rules?: (
    family: ResourceFamily,
    name: string,
    value: Tree,
    state: RealState,
    writeKind: WriteSource["writeKind"],
  ) => Reply | undefined;
  /** False where the nodes choke on what was stored: every write is then answered 500, and takes effect. */
  readonly loads: (state: RealState) => boolean;
  /** An administrator's certificate sees hidden entries and may change every one. */
  readonly adminOverrides: boolean;
  /** After a refusal of a stranger's path or method, the next request on that connection is taken for a stranger's too. */
  readonly staleConnections: boolean;
  /** Static entries are shown among all, and not alone. */
  readonly staticsHideAlone: boolean;
}

export interface EngineFacts {
  readonly distribution?: string;
  readonly tagline: string;
  readonly number: string;
  /** Further fields of the version in `GET /`. */
  readonly build: Readonly<Record<string, string | boolean>>;
  readonly plugin: { readonly component: string; readonly version: string };
  /** With every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Before 8 a path of three segments is a document of an index; with the methods that are registered for it. */
  readonly documents?: { readonly methods: readonly string[]; readonly noIndex: (index: string) => string };
  readonly badEscape: (detail: string, allowed: readonly string[]) => Reply;
  /** A plus in a path means a space. */
  readonly plusIsBlank: boolean;
}

/** Methods in the order in which the server lists them. */
export interface RouteFacts {
  readonly prefixes: readonly string[];
  readonly collection: readonly string[];
  readonly item: readonly string[];
  readonly license?: readonly string[];
  readonly config: readonly ConfigRouteFacts[];
  /** Further segments of a family, with methods of their own. */
  readonly segments: ReadonlyMap<string, SegmentFacts>;
  /** What lies beside the families, by its whole path. */
  readonly statePair: ReadonlyMap<string, EngineAnswers>;
}

export interface EngineAnswers {
  readonly kind: "plugins" | "health" | "whoami" | "authinfo" | "permissions" | "account" | "open-license";
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
  /** Names of what node settings may disable: where something can be written, and the rest. */
  readonly endpoints: { readonly written: readonly string[]; readonly others: readonly string[] };
}

export interface SegmentFacts {
  readonly family: ResourceFamily;
  readonly collection?: readonly string[];
  readonly item?: readonly string[];
}

export interface ConfigRouteFacts {
  readonly path: string;
  readonly methods: { readonly writable: readonly string[]; readonly fixed: readonly string[] };
  /** Methods of the path with a name behind it, and which names are routed at all. */
  readonly named?: { readonly methods: readonly string[]; readonly any: boolean; readonly whenFixed: boolean };
}

export interface ProductTexts {
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

export type StoredEntry = { readonly tree: Tree } | { readonly refusal: Reply };
export type WrittenEntry = { readonly entries: RealEntries } | { readonly refusal: Reply };

/** How entries come in, are kept and go out. */
export interface EntryModel {
  readonly body: (family: ResourceFamily, text: string) => StoredEntry;
  /** Why a value is refused before anything is looked up. */
  readonly check: (family: ResourceFamily, value: Tree, admin: boolean) => Reply | undefined;
  /** As it is kept. */
  readonly stored: (family: ResourceFamily, value: Tree, by: WriteSource) => StoredEntry;
  readonly shown: (family: ResourceFamily, tree: Tree) => Tree;
  readonly patchBase: (family: ResourceFamily, tree: Tree) => Tree;
  readonly flags: (tree: Tree) => Flags;
  readonly write: (entries: RealEntries, name: string, tree: Tree) => WrittenEntry;
  /** The answer to a single patch of an entry that exists for one half of the server only. */
  readonly halfThere: (entries: RealEntries, name: string) => Reply | undefined;
  /** GET of one entry comes with another content type. */
  readonly singleType?: string;
  /** An entry of this value cannot be patched by itself. */
  readonly patchable: (tree: Tree) => boolean;
  /** The header of the stored document, which lies among the entries of a bulk patch. */
  readonly meta?: MetaModel;
}

/** How a value came, and under which name. */
export interface WriteSource {
  readonly writeKind: "PUT" | "PATCH" | "bulk";
  readonly name: string;
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
  readonly body: (text: string, contentType: string) => StoredEntry;
  readonly apply: (document: Tree, patch: Tree) => { readonly tree: Tree } | { readonly refusal: Reply };
  /** The answer where nothing would change; undefined where that is written like anything else. */
  readonly nothing?: Reply;
  /** `changed`: every entry that differs afterwards is checked · `named`: those that a path begins with. */
  readonly bulk: "changed" | "named";
}

export interface ConfigModel {
  /** The key around the document. */
  readonly key: string;
  readonly voice: ParserVoice;
  readonly check: (value: Tree) => Reply | undefined;
  readonly stored: (value: Tree, by: "PUT" | "PATCH", document: Tree) => StoredEntry;
  readonly shown: (tree: Tree) => Tree;
  readonly patchBase: (tree: Tree) => Tree;
  readonly meta?: MetaModel;
  /** What a PUT under another name than the document's gets. */
  readonly otherName?: Reply;
  /** Writing routes that are there and refuse. */
  readonly denied?: Reply;
  /** Where a patch took the document away or put another beside it. */
  readonly misplaced: Reply;
}
