import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { Family } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode } from "../model/node.ts";
import { findFamiliesByName } from "./file-names.ts";

const headerKeys = ["_meta", "_sg_meta", "_gate_meta"];

const families: Readonly<Record<string, Family>> = {
  roles: "roles",
  rolesmapping: "role_mappings",
  actiongroups: "action_groups",
  tenants: "tenants",
  internalusers: "internal_users",
  blocks: "blocks",
  nodesdn: "nodes_dn",
  audit: "audit",
  whitelist: "whitelist",
  allowlist: "allowlist",
  config: "config",
};

const unmanaged: Readonly<Record<string, string>> = {
  authc: "authentication settings of newer releases",
  authc_transport: "authentication settings of newer releases",
  authz: "authentication settings of newer releases",
  authz_dlsfls: "authentication settings of newer releases",
  frontend_authc: "authentication settings of newer releases",
  frontend_authz: "authentication settings of newer releases",
  frontend_multi_tenancy: "authentication settings of newer releases",
  sessions: "authentication settings of newer releases",
};

/** What the header of a native file says: a family, something that gate-sync does not manage, or nothing known. */
export type Header =
  | { readonly family: Family; readonly diagnostics: readonly Diagnostic[] }
  | { readonly unmanaged: string }
  | { readonly unknown: Diagnostic };

/** Whether a top-level entry is the header of a file, such as `_meta`, and no entry of a family. */
export function isHeader(entry: MapEntry): boolean {
  return headerKeys.includes(entry.key);
}

/** Undefined where there is no header, or one without a type. It may be anywhere in the map. */
export function parseHeader(root: MapNode): Header | undefined {
  const type = findMapEntry(root.entries.find(isHeader)?.value, "type")?.value;
  if (type === undefined || isNullNode(type)) return undefined;
  const word = type.kind === "scalar" ? String(type.value).trim().toLowerCase() : "";
  const family = Object.hasOwn(families, word) ? families[word] : undefined;
  if (family) return { family, diagnostics: mismatch(family, type) };
  const noun = Object.hasOwn(unmanaged, word) ? unmanaged[word] : undefined;
  return noun === undefined ? { unknown: unknownType(word, type) } : { unmanaged: noun };
}

/** What a file that cannot be parsed holds by its header, where gate-sync does not manage that: `audit settings`. */
export function findUnmanagedByHeader(text: string): string | undefined {
  const word = findTypeInText(text);
  return Object.hasOwn(unmanaged, word) ? unmanaged[word] : undefined;
}

/** The family that the header of a file says that cannot be parsed. */
export function findFamilyInText(text: string): Family | undefined {
  const word = findTypeInText(text);
  return Object.hasOwn(families, word) ? families[word] : undefined;
}

function findTypeInText(text: string): string {
  const [, word = ""] =
    /^[ \t]+type[ \t]*:[ \t]*["']?(\w+)["']?[ \t\r]*$|^_meta[ \t]*:.*\btype[ \t]*:[ \t]*["']?(\w+)/m
      .exec(text)
      ?.filter(Boolean) ?? [];
  return /^_\w*meta\s*:/m.test(text) ? word : "";
}

/** The line that says which family a native file is. */
export function createHeader(family: string, key = "_meta"): string {
  const type = Object.keys(families).find((word) => families[word] === family) ?? "roles";
  return `${key}: {type: ${type}, config_version: 2}`;
}

function mismatch(family: Family, type: MapEntry["value"]): readonly Diagnostic[] {
  const byName = findFamiliesByName(type.file.path);
  if (byName.length === 0 || byName.includes(family)) return [];
  return [
    createDiagnostic(type, "meta-mismatch", {
      what: `The header says ${family}, the name of the file says ${byName[0]}.`,
      why: `Its entries are taken as ${family}, because the server's own tools go by the header, too.`,
      fix: "Correct the header, or rename the file.",
    }),
  ];
}

function unknownType(word: string, type: MapEntry["value"]): Diagnostic {
  return createDiagnostic(type, "unknown-family", {
    what: `The header names a type "${word}" that is not known.${suggestNearest(word, [...Object.keys(families), ...Object.keys(unmanaged)])}`,
    why: "Which resource type the file declares is unknown, so nothing in it is used.",
    fix: `Known types: ${Object.keys(families).join(", ")}.`,
  });
}
