// The classes that Search Guard 7 and OpenSearch read their configuration into; OpenSearch inherited them.

import type { ResourceFamily } from "../../model/names.ts";
import type { Bean, Slot } from "../real/beans.ts";
import type { Content } from "../real/content.ts";
import { bean, flag, text, texts } from "./slots.ts";

/** What releases gained. */
export interface Gains {
  readonly blocks: boolean;
  /** `exclude_cluster_permissions` and `exclude_index_permissions` of roles. */
  readonly excludes: boolean;
  /** `alias_permissions` and `data_stream_permissions` of roles. */
  readonly aliases: boolean;
  /** `ips` of mappings. */
  readonly addresses: boolean;
}

const asAtFirst: Gains = { blocks: false, excludes: false, aliases: false, addresses: false };

/** Entries by family; `home` is the package of the classes. */
export function entryBeans(home: string, gains = asAtFirst): Partial<Readonly<Record<ResourceFamily, Bean>>> {
  const index = bean(
    `${home}.RoleV7$Index`,
    { index_patterns: texts, dls: text, fls: texts, masked_fields: texts, allowed_actions: texts },
    ["index_patterns", "dls", "fls", "allowed_actions", "masked_fields"],
  );
  const tenant = bean(`${home}.RoleV7$Tenant`, { tenant_patterns: texts, allowed_actions: texts });
  return {
    roles: bean(`${home}.RoleV7`, {
      reserved: flag,
      hidden: flag,
      description: text,
      cluster_permissions: texts,
      index_permissions: { kind: "list", of: index },
      tenant_permissions: { kind: "list", of: tenant },
      ...(gains.excludes && excludeSlots(home)),
      ...(gains.aliases && aliasSlots(home)),
      static: flag,
    }),
    ...(gains.blocks && { blocks: blockBean(home) }),
    role_mappings: bean(`${home}.RoleMappingsV7`, {
      reserved: flag,
      hidden: flag,
      backend_roles: texts,
      hosts: texts,
      users: texts,
      and_backend_roles: texts,
      ...(gains.addresses && { ips: texts }),
      description: text,
    }),
    tenants: bean(`${home}.TenantV7`, { reserved: flag, hidden: flag, description: text, static: flag }),
    action_groups: bean(`${home}.ActionGroupsV7`, {
      reserved: flag,
      hidden: flag,
      allowed_actions: texts,
      type: text,
      description: text,
      static: flag,
    }),
  };
}

function excludeSlots(home: string): Readonly<Record<string, Slot>> {
  const index = bean(`${home}.RoleV7$ExcludeIndex`, { index_patterns: texts, actions: texts });
  return { exclude_cluster_permissions: texts, exclude_index_permissions: { kind: "list", of: index } };
}

function aliasSlots(home: string): Readonly<Record<string, Slot>> {
  const through = (name: string, patterns: string): Slot => ({
    kind: "list",
    of: bean(`${home}.RoleV7$${name}`, {
      [patterns]: texts,
      dls: text,
      fls: texts,
      masked_fields: texts,
      allowed_actions: texts,
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
  return bean(name, {
    type: { kind: "word", name: `${name}$Type`, of: ["ip", "name", "net_mask"] },
    value: { kind: "texts", initial: null },
    verdict: { kind: "word", name: `${name}$Verdict`, of: ["disallow", "allow"] },
    description: text,
  });
}

/** What a body may hold, by family. */
export function entryContents(
  tenantPayload: boolean,
  gains = asAtFirst,
): Partial<Readonly<Record<ResourceFamily, Content>>> {
  return {
    roles: {
      keys: {
        cluster_permissions: "Array",
        index_permissions: "Array",
        tenant_permissions: "Array",
        ...(gains.excludes && { exclude_cluster_permissions: "Array", exclude_index_permissions: "Array" }),
        ...(gains.aliases && { alias_permissions: "Array", data_stream_permissions: "Array" }),
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
        ...(gains.addresses && { ips: "Array" }),
        description: "String",
      },
      oneOf: ["backend_roles", "hosts", "and_backend_roles", "users"],
      payload: true,
    },
    tenants: { keys: { description: "String" }, payload: tenantPayload },
    ...(gains.blocks && {
      blocks: { keys: { type: "String", verdict: "String", value: "Array", description: "String" }, payload: true },
    }),
    action_groups: {
      keys: { allowed_actions: "Array", description: "String", type: "String" },
      mandatory: "allowed_actions",
      payload: true,
    },
  };
}
