// The classes that Search Guard 7 and OpenSearch read their configuration into; OpenSearch inherited them.

import type { Contents } from "../product.ts";
import type { Bean, BeanSlot } from "../values/classes.ts";
import type { Beans } from "./class-entries.ts";
import { createBean, flag, free, textSlot, textsSlot } from "./slots.ts";

/** What releases gained. */
export interface AddedProperties {
  readonly blocks: boolean;
  /** `exclude_cluster_permissions` and `exclude_index_permissions` of roles. */
  readonly excludes: boolean;
  /** `alias_permissions` and `data_stream_permissions` of roles. */
  readonly aliases: boolean;
  /** `ips` of mappings. */
  readonly addresses: boolean;
}

const asAtFirst: AddedProperties = { blocks: false, excludes: false, aliases: false, addresses: false };

/** Entries by family; `home` is the package of the classes, `userRoles` what internal users call their roles. */
export function createEntryBeans(home: string, userRoles: string, added = asAtFirst): Beans {
  const index = createBean(
    `${home}.RoleV7$Index`,
    { index_patterns: textsSlot, dls: textSlot, fls: textsSlot, masked_fields: textsSlot, allowed_actions: textsSlot },
    ["index_patterns", "dls", "fls", "allowed_actions", "masked_fields"],
  );
  const tenant = createBean(`${home}.RoleV7$Tenant`, { tenant_patterns: textsSlot, allowed_actions: textsSlot });
  return {
    roles: createBean(`${home}.RoleV7`, {
      reserved: flag,
      hidden: flag,
      description: textSlot,
      cluster_permissions: textsSlot,
      index_permissions: { kind: "list", of: index },
      tenant_permissions: { kind: "list", of: tenant },
      ...(added.excludes && excludeSlots(home)),
      ...(added.aliases && aliasSlots(home)),
      static: flag,
    }),
    ...(added.blocks && { blocks: blockBean(home) }),
    role_mappings: createBean(`${home}.RoleMappingsV7`, {
      reserved: flag,
      hidden: flag,
      backend_roles: textsSlot,
      hosts: textsSlot,
      users: textsSlot,
      and_backend_roles: textsSlot,
      ...(added.addresses && { ips: textsSlot }),
      description: textSlot,
    }),
    tenants: createBean(`${home}.TenantV7`, { reserved: flag, hidden: flag, description: textSlot, static: flag }),
    action_groups: createBean(`${home}.ActionGroupsV7`, {
      reserved: flag,
      hidden: flag,
      allowed_actions: textsSlot,
      type: textSlot,
      description: textSlot,
      static: flag,
    }),
    internal_users: {
      ...createBean(`${home}.InternalUserV7`, {
        reserved: flag,
        hidden: flag,
        backend_roles: textsSlot,
        attributes: free,
        [userRoles]: textsSlot,
        static: flag,
        description: textSlot,
        hash: { kind: "secret" },
      }),
      ignored: ["password"],
    },
  };
}

function excludeSlots(home: string): Readonly<Record<string, BeanSlot>> {
  const index = createBean(`${home}.RoleV7$ExcludeIndex`, { index_patterns: textsSlot, actions: textsSlot });
  return { exclude_cluster_permissions: textsSlot, exclude_index_permissions: { kind: "list", of: index } };
}

function aliasSlots(home: string): Readonly<Record<string, BeanSlot>> {
  const through = (name: string, patterns: string): BeanSlot => ({
    kind: "list",
    of: createBean(`${home}.RoleV7$${name}`, {
      [patterns]: textsSlot,
      dls: textSlot,
      fls: textsSlot,
      masked_fields: textsSlot,
      allowed_actions: textsSlot,
    }),
  });
  return {
    alias_permissions: through("Alias", "alias_patterns"),
    data_stream_permissions: through("DataStream", "data_stream_patterns"),
  };
}

/** Blocks have no flags, and a block without a value has not even an empty list. */
function blockBean(home: string): Bean {
  const name = `${home}.BlocksV7`;
  return createBean(name, {
    type: { kind: "word", name: `${name}$Type`, of: ["ip", "name", "net_mask"] },
    value: { kind: "texts", initial: null },
    verdict: { kind: "word", name: `${name}$Verdict`, of: ["disallow", "allow"] },
    description: textSlot,
  });
}

/** What a body may hold, by family. */
export function createEntryContents(tenantPayload: boolean, added = asAtFirst): Contents {
  return {
    roles: {
      keys: {
        cluster_permissions: "Array",
        index_permissions: "Array",
        tenant_permissions: "Array",
        ...(added.excludes && { exclude_cluster_permissions: "Array", exclude_index_permissions: "Array" }),
        ...(added.aliases && { alias_permissions: "Array", data_stream_permissions: "Array" }),
        description: "String",
      },
      payload: true,
    },
    role_mappings: {
      keys: {
        backend_roles: "Array",
        and_backend_roles: "Array",
        hosts: "Array",
        users: "Array",
        ...(added.addresses && { ips: "Array" }),
        description: "String",
      },
      oneOf: ["backend_roles", "hosts", "and_backend_roles", "users"],
      payload: true,
    },
    tenants: { keys: { description: "String" }, payload: tenantPayload },
    ...(added.blocks && {
      blocks: { keys: { type: "String", verdict: "String", value: "Array", description: "String" }, payload: true },
    }),
    action_groups: {
      keys: { allowed_actions: "Array", description: "String", type: "String" },
      mandatory: "allowed_actions",
      payload: true,
    },
  };
}
