import type { Fields } from "../json/value.ts";

/** A key by which a program logs in: it has permissions of its own, and neither roles nor the rights of who made it. */
export interface ApiKey {
  readonly name: string;
  /** Its name and, where another key has the same, its id: no two keys have the same title. */
  readonly title: string;
  /** As a role has them. */
  readonly permissions: Fields;
  /** Why no request with it is answered any more; absent: it works, or will once the config has keys on. */
  readonly ended?: "revoked" | "expired";
  /** Whom it outlives. */
  readonly createdBy?: string;
}

/** The API keys of a server. `unread`: there may be any, and `why` says what kept them from being read. */
export type ApiKeys =
  | { readonly kind: "known"; readonly keys: readonly ApiKey[] }
  | { readonly kind: "unread"; readonly why: string };
