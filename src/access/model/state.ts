import type { Semantics } from "../../dialects/semantics.ts";
import type { Fields } from "../../json/value.ts";
import type { ReadAliases } from "../../model/aliases.ts";
import type { ApiKeys } from "../../model/api-key.ts";
import type { InternalUsers } from "../../model/internal-user.ts";
import type { Family } from "../../model/names.ts";

export type HeldEntries = ReadonlyMap<string, Fields>;

/** What decides who may do what, declared or live, in canonical form. */
export interface AccessState {
  readonly semantics: Semantics;
  readonly roles: HeldEntries;
  /** Roles that the product may have besides, wherever `roles` has none of that name: whether it does is unknown. */
  readonly unlisted?: HeldEntries;
  readonly mappings: HeldEntries;
  readonly groups: HeldEntries;
  readonly tenants: HeldEntries;
  readonly blocks: HeldEntries;
  readonly settings: AccessSettings;
  /** Absent: a subject has what the question says, and nothing else is known of it. */
  readonly users?: InternalUsers;
  /** Absent: none are known of, as files say nothing of them, and older releases have none. */
  readonly apiKeys?: ApiKeys;
  /** Absent: none are known of, as files say nothing of them; known ones are part of `semantics` as well. */
  readonly aliases?: ReadAliases;
  /** Internal users that differ between the states of a plan; they are not among `users`. */
  readonly changedUsers?: ChangedUsers;
}

/** A subject of one of these names has what the state says of it, and nothing where it does not have that user. */
export interface ChangedUsers {
  readonly names: ReadonlySet<string>;
  /** By name, as `{backend_roles, roles, attributes}`. */
  readonly held: HeldEntries;
}

/** The entries of a family; none of one that decides nothing about access. */
export function getHeldEntries(state: AccessState, family: Family): HeldEntries {
  const { roles, mappings, groups, tenants, blocks, changedUsers } = state;
  const held: Partial<Record<Family, HeldEntries>> = {
    roles,
    role_mappings: mappings,
    action_groups: groups,
    tenants,
    blocks,
    ...(changedUsers && { internal_users: changedUsers.held }),
  };
  return held[family] ?? new Map();
}

/**
 * Settings of the config and of the node. No request shows those of the node: they have their defaults unless the
 * target states them.
 */
export interface AccessSettings {
  /** `multi_rolespan_enabled` of the config. */
  readonly spansRoles?: boolean;
  /** `privileges_evaluation_ignore_unauthorized_indices` of the config, which v4 goes by; absent: it does. */
  readonly ignoresUnauthorized?: boolean;
  /** `do_not_fail_on_forbidden` of the config. */
  readonly reducesRequests?: boolean;
  /** `do_not_fail_on_forbidden_empty`: a request of which nothing is permitted is answered, with nothing in it. */
  readonly reducesToNothing?: boolean;
  /** `roles_mapping_resolution` of the nodes; by default, mappings alone give roles. */
  readonly mappingResolution?: "MAPPING_ONLY" | "BACKENDROLES_ONLY" | "BOTH";
  /** `dfm_empty_overrides_all` of the nodes. */
  readonly emptyRemoves?: boolean;
  /** Hosts may be given by their names: `hosts_resolver_mode: ip-hostname-lookup` of the config. */
  readonly resolvesHosts?: boolean;
  /** `kibana` of the config: the dashboards' own index, and their user; `false`: without multitenancy. */
  readonly dashboards?: false | { readonly index: string; readonly server: string };
  /** `api_tokens.enabled` of the config: requests with API keys are answered. */
  readonly answersApiKeys?: boolean;
  /** `http.anonymous_auth_enabled` of the config: who has not logged in is let in under a name of the product's. */
  readonly anonymous?: boolean;
}
