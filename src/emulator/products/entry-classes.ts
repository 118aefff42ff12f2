// The classes that Search Guard 7 and OpenSearch read their configuration into; OpenSearch inherited them.

import type { ResourceFamily } from "../../model/names.ts";
import type { FamilyBodyRules } from "../product.ts";
import type { BodyRules } from "../values/body-rules.ts";
import type { ClassProperty, ServerClass } from "../values/classes.ts";
import { type EntryClasses, listKeys } from "./instance-entries.ts";
import { createClass, flagProperty, freeProperty, textProperty, textsProperty } from "./properties.ts";

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
export function createEntryClasses(home: string, userRoles: string, added = asAtFirst): EntryClasses {
  const index = createClass(
    `${home}.RoleV7$Index`,
    {
      index_patterns: textsProperty,
      dls: textProperty,
      fls: textsProperty,
      masked_fields: textsProperty,
      allowed_actions: textsProperty,
    },
    ["index_patterns", "dls", "fls", "allowed_actions", "masked_fields"],
  );
  const tenant = createClass(`${home}.RoleV7$Tenant`, {
    tenant_patterns: textsProperty,
    allowed_actions: textsProperty,
  });
  return {
    roles: createClass(`${home}.RoleV7`, {
      reserved: flagProperty,
      hidden: flagProperty,
      description: textProperty,
      cluster_permissions: textsProperty,
      index_permissions: { kind: "list", of: index },
      tenant_permissions: { kind: "list", of: tenant },
      ...(added.excludes && excludeProperties(home)),
      ...(added.aliases && aliasProperties(home)),
      static: flagProperty,
    }),
    ...(added.blocks && { blocks: blockClass(home) }),
    role_mappings: createClass(`${home}.RoleMappingsV7`, {
      reserved: flagProperty,
      hidden: flagProperty,
      backend_roles: textsProperty,
      hosts: textsProperty,
      users: textsProperty,
      and_backend_roles: textsProperty,
      ...(added.addresses && { ips: textsProperty }),
      description: textProperty,
    }),
    tenants: createClass(`${home}.TenantV7`, {
      reserved: flagProperty,
      hidden: flagProperty,
      description: textProperty,
      static: flagProperty,
    }),
    action_groups: createClass(`${home}.ActionGroupsV7`, {
      reserved: flagProperty,
      hidden: flagProperty,
      allowed_actions: textsProperty,
      type: textProperty,
      description: textProperty,
      static: flagProperty,
    }),
    internal_users: {
      ...createClass(`${home}.InternalUserV7`, {
        reserved: flagProperty,
        hidden: flagProperty,
        backend_roles: textsProperty,
        attributes: freeProperty,
        [userRoles]: textsProperty,
        static: flagProperty,
        description: textProperty,
        hash: { kind: "secret" },
      }),
      ignored: ["password"],
    },
  };
}

function excludeProperties(home: string): Readonly<Record<string, ClassProperty>> {
  const index = createClass(`${home}.RoleV7$ExcludeIndex`, { index_patterns: textsProperty, actions: textsProperty });
  return { exclude_cluster_permissions: textsProperty, exclude_index_permissions: { kind: "list", of: index } };
}

function aliasProperties(home: string): Readonly<Record<string, ClassProperty>> {
  const through = (name: string, patterns: string): ClassProperty => ({
    kind: "list",
    of: createClass(`${home}.RoleV7$${name}`, {
      [patterns]: textsProperty,
      dls: textProperty,
      fls: textsProperty,
      masked_fields: textsProperty,
      allowed_actions: textsProperty,
    }),
  });
  return {
    alias_permissions: through("Alias", "alias_patterns"),
    data_stream_permissions: through("DataStream", "data_stream_patterns"),
  };
}

/** Blocks have no flags, and a block without a value has not even an empty list. */
function blockClass(home: string): ServerClass {
  const name = `${home}.BlocksV7`;
  return createClass(name, {
    type: { kind: "word", name: `${name}$Type`, of: ["ip", "name", "net_mask"] },
    value: { kind: "texts", initial: null },
    verdict: { kind: "word", name: `${name}$Verdict`, of: ["disallow", "allow"] },
    description: textProperty,
  });
}

/** What internal users are given, and how it is checked. */
export const userKeys = { password: "String", attributes: "Object" } as const;

/** What a body must have; what it may have follows from the class. */
export function createBodyRules(classes: EntryClasses, tenantPayload: boolean): FamilyBodyRules {
  const needs: Partial<Record<ResourceFamily, Partial<BodyRules>>> = {
    role_mappings: { oneOf: ["backend_roles", "hosts", "and_backend_roles", "users"] },
    tenants: { payload: tenantPayload },
    action_groups: { mandatory: "allowed_actions" },
  };
  return Object.fromEntries(
    Object.entries(classes).map(([family, one]) => [
      family,
      {
        keys: { ...listKeys(one), ...(family === "internal_users" && userKeys) },
        payload: true,
        ...needs[family as ResourceFamily],
      },
    ]),
  );
}
