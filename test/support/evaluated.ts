// What the naive evaluator is asked about, in the canonical form of resources: what is empty may be absent.
type Texts = readonly string[];

export interface Fixture {
  readonly product: "opensearch" | "search-guard-7" | "search-guard-6";
  /** Of OpenSearch; absent: 2.19. */
  readonly release?: string;
  /** `privileges_evaluation_type` of the config. */
  readonly evaluation?: "v4";
  readonly groups: Readonly<Record<string, Texts>>;
  readonly roles: Readonly<Record<string, Role>>;
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly blocks?: readonly Block[];
  readonly tenants?: Texts;
  /** Internal users, by name: what they have without any mapping. */
  readonly users?: Readonly<
    Record<
      string,
      Pick<Person, "backendRoles"> & { readonly roles: Texts; readonly attributes: NonNullable<Person["attributes"]> }
    >
  >;
  /** Of indices, by name, the aliases that lead to each; all others have none. Absent: it is not known which have. */
  readonly aliases?: Readonly<Record<string, Texts>>;
  readonly settings?: {
    /** Absent: true, but for Search Guard 6. */
    readonly multi_rolespan_enabled?: boolean;
    /** For requests over several indices, which the naive evaluator knows as one request each. */
    readonly do_not_fail_on_forbidden?: boolean;
    readonly dfm_empty_overrides_all?: boolean;
    readonly roles_mapping_resolution?: "MAPPING_ONLY" | "BACKENDROLES_ONLY" | "BOTH";
  };
}

export interface Role {
  readonly cluster_permissions?: Texts;
  readonly index_permissions?: readonly Element[];
  readonly tenant_permissions?: readonly { readonly tenant_patterns?: Texts; readonly allowed_actions?: Texts }[];
}

export interface Element {
  readonly index_patterns?: Texts;
  readonly allowed_actions?: Texts;
  readonly dls?: string;
  readonly fls?: Texts;
  readonly masked_fields?: Texts;
}

export type Mapping = Partial<Readonly<Record<"users" | "backend_roles" | "and_backend_roles" | "hosts", Texts>>>;

export interface Block {
  readonly type: "ip" | "net_mask" | "name";
  readonly value: Texts;
  readonly verdict: "allow" | "disallow";
}

export interface Person {
  readonly user: string;
  readonly backendRoles: Texts;
  /** An IP address. */
  readonly host?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Carried by the user itself. */
  readonly roles?: Texts;
}

export interface Index {
  /** On Search Guard `_all` represents everything there is; on OpenSearch everything is the indices themselves. */
  readonly name: string;
  /** Those that it is a member of. */
  readonly aliases?: Texts;
  /** There is no such index. */
  readonly missing?: true;
}

export interface Access {
  /** Documents that meet any of these queries, variables filled in. */
  readonly docs: "all" | Texts;
  /** Of a field by its whole path; `mask` is what is behind the name of a masked field. */
  readonly field: (path: string) => "shown" | "hidden" | { readonly mask: string };
  /** By whatever of these: servers then refuse updates. */
  readonly isRestricted?: boolean;
}
