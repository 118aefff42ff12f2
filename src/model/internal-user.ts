/** What a user of the server's own database has without any role mapping. Hashes are never read. */
export interface InternalUser {
  /** OpenSearch: `opendistro_security_roles`; Search Guard: `search_guard_roles`. */
  readonly roles: readonly string[];
  readonly backendRoles: readonly string[];
  /** By their names, without `attr.internal.`; absent where the values are not known. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The internal users of a server. `unread`: there may be any, and `why` says what kept them from being read. */
export type InternalUsers =
  | { readonly kind: "known"; readonly byName: ReadonlyMap<string, InternalUser> }
  | { readonly kind: "unread"; readonly why: string };
