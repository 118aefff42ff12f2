// What a role may say where Search Guard 6 keeps it as maps of settings.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { Secret } from "../json/secret.ts";
import type { MapEntry, Node } from "../model/node.ts";
import {
  listGrantedPermissions,
  listTenantPermissions,
  restrictions,
  type WrittenPermission,
  type WrittenTenants,
  type WrittenText,
} from "./written.ts";

export function findSixRoleFaults({ value }: MapEntry, dialect: Dialect): readonly Diagnostic[] {
  const indices = listGrantedPermissions(value);
  return [
    ...restrictedDifferently(indices),
    ...cutShort(indices),
    ...indices.flatMap(({ patterns }) => patterns.flatMap((pattern) => [...countedKey(pattern), ...dotted(pattern)])),
    ...indices.flatMap(({ documentTypes }) => documentTypes.flatMap(unreadableType)),
    ...tenants(value, dialect),
  ];
}

/** DLS, FLS and masking are written once, beside all the types of a pattern. */
function restrictedDifferently(permissions: readonly WrittenPermission[]): readonly Diagnostic[] {
  const first = new Map<string, { readonly restricted: string; readonly pattern: WrittenText }>();
  return permissions.flatMap((permission) =>
    permission.patterns.flatMap((pattern) => {
      const name = shown(pattern);
      const restricted = restrictionsOf(permission);
      const earlier = first.get(name);
      if (!earlier) first.set(name, { restricted, pattern });
      if (!earlier || earlier.restricted === restricted) return [];
      return [
        createDiagnostic(pattern, "unsupported-here", {
          what: `The pattern ${JSON.stringify(name)} is here with other restrictions than before.`,
          why: "Search Guard 6 has one query, one list of fields and one of masks for each pattern of a role: one of the two would be lost.",
          fix: "Restrict both alike, or put one of them into a role of its own.",
          related: [{ range: earlier.pattern, what: "the same pattern" }],
        }),
      ];
    }),
  );
}

/** Equal for equal restrictions; sets have no order. */
function restrictionsOf({ dls, fls, maskedFields }: WrittenPermission): string {
  const set = (texts: readonly WrittenText[]) => [...new Set(texts.map(shown))].sort();
  return JSON.stringify([dls ? shown(dls) : "", set(fls), set(maskedFields)]);
}

/** For comparing only: what a secret is counts by its reference. */
function shown({ value }: WrittenText): string {
  return value instanceof Secret ? value.reference : value;
}

/** Where one key ends, another that goes on by two parts or more loses the next of them: `a.*.x.*` beside `a.*`. */
function cutShort(permissions: readonly WrittenPermission[]): readonly Diagnostic[] {
  const patterns = permissions.flatMap((permission) =>
    permission.patterns.map((pattern) => ({ pattern, keys: keysOf(shown(pattern), permission) })),
  );
  const all = new Set(patterns.flatMap(({ keys }) => keys));
  const isCut = (key: string) => {
    const parts = key.split(".");
    return parts.some((_, end) => end > 0 && end < parts.length - 1 && all.has(parts.slice(0, end).join(".")));
  };
  return patterns
    .filter(({ keys }) => keys.some(isCut))
    .map(({ pattern }) =>
      createDiagnostic(pattern, "unsupported-here", {
        what: `The pattern ${JSON.stringify(shown(pattern))} goes on where another key of this role ends.`,
        why: "Search Guard 6 takes both apart at their dots, and loses a part of the longer one.",
        fix: `Write ${JSON.stringify(shown(pattern).replaceAll(".", "?"))}: the question mark matches any one character.`,
      }),
    );
}

/** The settings that a pattern becomes. */
function keysOf(pattern: string, { documentTypes, dls, fls, maskedFields }: WrittenPermission): readonly string[] {
  const types = documentTypes.length === 0 ? ["*"] : documentTypes.map(shown);
  const beside = { _dls_: dls, _fls_: fls[0], _masked_fields_: maskedFields[0] };
  const set = Object.entries(beside).flatMap(([word, value]) => (value ? [word] : []));
  return [...types, ...set].map((last) => `${pattern}.${last}`);
}

function countedKey(text: WrittenText): readonly Diagnostic[] {
  const name = shown(text);
  if (!name.split(".").includes("0")) return [];
  return [
    createDiagnostic(text, "unsupported-here", {
      what: `${JSON.stringify(name)} is, or has between its dots, the number 0.`,
      why: "Search Guard 6 keeps it as the first place of a list: the role is stored, and cannot be read or written again.",
      fix: 'Write the question mark, which matches any one character: "logs-?".',
    }),
  ];
}

function dotted(pattern: WrittenText): readonly Diagnostic[] {
  const name = shown(pattern);
  if (!name.includes(".")) return [];
  return [
    createDiagnostic(pattern, "dotted-pattern", {
      what: `The pattern ${JSON.stringify(name)} has a dot, and Search Guard 6 takes it apart there.`,
      why: "It is stored and matches no index: the permission grants nothing.",
      fix: `Write ${JSON.stringify(name.replaceAll(".", "?"))}: the question mark matches any one character.`,
    }),
  ];
}

function unreadableType(type: WrittenText): readonly Diagnostic[] {
  const name = shown(type);
  if (!name.includes(".") && name !== "0" && !restrictions.has(name)) return [];
  return [
    createDiagnostic(type, "unsupported-here", {
      what: `The document type ${JSON.stringify(name)} cannot be distinguished from other parts of its pattern.`,
      why: "Search Guard 6 takes keys apart at their dots, keeps numbers as places of a list, and has restrictions beside the types.",
      fix: "Write * for all the types of the index.",
    }),
  ];
}

function tenants(role: Node, dialect: Dialect): readonly Diagnostic[] {
  return listTenantPermissions(role).flatMap((permission) => [
    ...permission.patterns.flatMap(unreadableTenant),
    ...unreadableAccess(permission, dialect),
  ]);
}

function unreadableTenant(tenant: WrittenText): readonly Diagnostic[] {
  const name = shown(tenant);
  if (!/[.*?]|\$\{|^\/.*\/$|^0$/.test(name)) return [];
  return [
    createDiagnostic(tenant, "unsupported-here", {
      what: `${JSON.stringify(name)} is not the name of one tenant.`,
      why: name.includes(".")
        ? "Search Guard 6 takes it apart at the dot, and grants the tenant before the dot for reading."
        : "Search Guard 6 knows tenants by their names only, without wildcards, expressions and variables.",
      fix: "Name each tenant that is meant.",
    }),
  ];
}

function unreadableAccess({ actions }: WrittenTenants, { tenantAccess }: Dialect): readonly Diagnostic[] {
  const { RW, RO } = tenantAccess;
  return actions
    .filter((action) => shown(action) !== RW && shown(action) !== RO)
    .map((action) =>
      createDiagnostic(action, "unsupported-here", {
        what: `${JSON.stringify(shown(action))} cannot be granted in a tenant.`,
        why: "Search Guard 6 has reading and writing there, and nothing else.",
        fix: `Write ${RW} or ${RO}, which mean them.`,
      }),
    );
}
