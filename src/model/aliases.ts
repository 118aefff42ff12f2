/** Which names lead to which indices on a server. */
export interface Aliases {
  /** The indices that an alias leads to. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The aliases that lead to an index. */
  readonly ofIndex: ReadonlyMap<string, readonly string[]>;
  /** Aliases with a filter, which holds for requests that name the alias and for no others. */
  readonly filtered: ReadonlySet<string>;
  /** The indices of each data stream, where they are named as OpenSearch names them. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
}

/** `unread`: there may be any, and `why` says what kept them from being read. */
export type ReadAliases =
  | { readonly kind: "known"; readonly aliases: Aliases }
  | { readonly kind: "unread"; readonly why: string };
