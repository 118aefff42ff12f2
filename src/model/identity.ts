/** The caller of a request, as a server sees it. */
export interface Identity {
  readonly user: string;
  readonly backendRoles: readonly string[];
  /** The IP address that the request comes from; absent where it is unknown. */
  readonly address?: string;
  /** The roles that the server itself says it holds; absent where only mappings show them. */
  readonly roles?: readonly string[];
  /** The roles that its internal user has, which no mapping takes away. */
  readonly ownRoles?: readonly string[];
  /** Why it may have more roles of its own than these: internal users could not be read. */
  readonly mayHaveMore?: string;
}

/** The login that made a plan, where another one is to send its requests: it reads the server again for the next plan and for drift. */
export type PlanningLogin =
  | { readonly kind: "known"; readonly identity: Identity; readonly adminRoles: readonly string[] }
  /** Neither the server says who it is, nor the target. */
  | { readonly kind: "not-known" };

/** Who makes the requests of a plan, as far as that is known where the plan is made. */
export type ApplyingIdentity =
  | {
      readonly kind: "known";
      /** Who asks, and whom gate-sync.yaml names besides: all of them keep their right. */
      readonly identities: readonly Identity[];
      /** The roles that may administer, as stated or by the product's defaults. */
      readonly adminRoles: readonly string[];
    }
  /** May do everything, whatever mappings, blocks and config say. */
  | { readonly kind: "admin-certificate" }
  /** A plan, and gate-sync.yaml does not say who applies it. */
  | { readonly kind: "checked-at-apply" }
  /** The server does not say who we are, and neither does gate-sync.yaml. */
  | { readonly kind: "not-known" };
