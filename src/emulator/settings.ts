import type { JsonObject } from "../json/value.ts";

/** Whom the server knows by password, and what they may do through the API; data they get as their roles permit. */
export interface EmulatorUser {
  readonly name: string;
  readonly password: string;
  /** By role: users with a role that lets them use the API by the product's defaults. */
  readonly rights: EmulatorRights | "by-role";
  /** Roles as refusals of real servers name them; none by default. */
  readonly roles?: readonly string[];
  readonly backendRoles?: readonly string[];
  /** Whether the search engine shows this user what it is; true by default. */
  readonly monitors?: boolean;
  /** Methods that the node settings of real servers disable for this user, by endpoint (`LICENSE`); `*` is all. */
  readonly disabled?: Readonly<Record<string, readonly string[]>>;
}

export type EmulatorRights = "all" | "read" | "none";

/** A user with the rights of this moment. */
export interface AdmittedUser extends EmulatorUser {
  readonly rights: EmulatorRights;
}

/** How `GET /` is answered: like a search engine, with 403, or with 404. */
export type RootAnswer = "open" | "forbidden" | "absent";

/** The settings of one server, whatever its product. */
export interface NodeSettings {
  readonly allowConfigModification: boolean;
  /** Names of what `endpoints_disabled` may disable. */
  readonly endpoints: readonly string[];
  /** Undefined: the server has no users, and everybody may do everything. */
  readonly users: readonly AdmittedUser[] | undefined;
  /** A request with this header comes from an administrator with a certificate that names its value; lower-case. */
  readonly adminHeader: string | undefined;
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly rootAnswer: RootAnswer;
  /** As the list of API keys shows them, where the release has them. */
  readonly apiKeys?: readonly JsonObject[];
  /** As `GET /_alias` shows the indices and their aliases. */
  readonly aliases?: JsonObject;
  readonly now: () => Date;
}
