import { createGroupExpander } from "../../access/model/groups.ts";
import { getHeldEntries, type HeldEntries } from "../../access/model/state.ts";
import { listMentions } from "../../families/mentions.ts";
import { type Fields, isObject, listTexts, toList } from "../../json/value.ts";
import type { EntryDescription, EntryFact } from "../../model/entry-description.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { CheckedFiles } from "../pipeline/checked-files.ts";
import { getDeclaredAccess } from "./declared-access.ts";

/** Undefined where neither the files nor the product have it. */
export function describeEntry(files: CheckedFiles, family: ResourceFamily, name: string): EntryDescription | undefined {
  const access = getDeclaredAccess(files);
  const declared = files.declared.resources.get(family)?.get(name);
  const value = declared?.value ?? getHeldEntries(access, family).get(name);
  if (!value) return undefined;
  const facts: readonly EntryFact[] = listFacts(files, family, name, value).filter(({ values }) => values.length > 0);
  const { description } = value;
  return {
    family,
    name,
    isBuiltin: declared === undefined,
    ...(typeof description === "string" && description !== "" && { description }),
    facts,
  };
}

function listFacts(files: CheckedFiles, family: ResourceFamily, name: string, value: Fields): readonly EntryFact[] {
  const { roles, mappings, groups, semantics } = getDeclaredAccess(files);
  switch (family) {
    case "action_groups": {
      const expanded = createGroupExpander(groups, semantics)([name]).map(({ pattern }) => pattern);
      const patterns = expanded.filter((pattern) => !groups.has(pattern));
      return [
        { kind: "comes to", values: patterns },
        ...listUses(groups, "action_groups", name),
        ...listUses(roles, "roles", name),
      ];
    }
    case "roles":
      return [...listPermissions(value), { kind: "held by", values: listMembers(mappings.get(name)) }];
    case "role_mappings":
      return [{ kind: "held by", values: listMembers(value) }, ...listPermissions(roles.get(name) ?? {})];
    case "tenants":
      return listUses(roles, "roles", name).map(({ values }) => ({ kind: "granted by" as const, values }));
    default:
      return [];
  }
}

function listUses(entries: HeldEntries, family: "roles" | "action_groups", name: string): readonly EntryFact[] {
  const users = [...entries].flatMap(([user, value]) =>
    listMentions({ family, name: user, value }).some((one) => one.name === name) ? [user] : [],
  );
  return [{ kind: "used by", values: users }];
}

function listPermissions(role: Fields): readonly EntryFact[] {
  const each = (field: string, patterns: string) =>
    toList(role[field]).flatMap((one) =>
      isObject(one) ? [`${listTexts(one[patterns]).join(", ")}: ${listTexts(one.allowed_actions).join(", ")}`] : [],
    );
  return [
    { kind: "cluster", values: listTexts(role.cluster_permissions) },
    { kind: "indices", values: each("index_permissions", "index_patterns") },
    { kind: "tenants", values: each("tenant_permissions", "tenant_patterns") },
  ];
}

function listMembers(mapping: Fields = {}): readonly string[] {
  const { users, backend_roles, and_backend_roles, hosts } = mapping;
  const all = listTexts(and_backend_roles);
  return [
    ...listTexts(users).map((one) => `user ${one}`),
    ...listTexts(backend_roles).map((one) => `backend role ${one}`),
    ...(all.length > 0 ? [`backend roles ${all.join(" and ")}`] : []),
    ...listTexts(hosts).map((one) => `host ${one}`),
  ];
}
