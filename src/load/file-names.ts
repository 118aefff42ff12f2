import { createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNearest } from "../diagnostics/suggest.ts";
import type { Family, ResourceFamily } from "../model/names.ts";

const endings = ["yml", "yaml", "json"];

/** By its ending alone. */
export function isStateFile(path: string): boolean {
  return endings.includes(endingOf(path));
}

/** Whether a file is gate-sync.yaml, which may be among the state files and declares nothing. */
export function isOwnFile(path: string): boolean {
  return ["gate-sync.yaml", "gate-sync.yml"].includes(nameOf(path));
}

/** The families whose word is in the name of a file: `roles_tenants.yml` may be either. */
export function findFamiliesByName(path: string): readonly Family[] {
  let rest = stemOf(path);
  return familyWords.flatMap(([word, family]) => {
    if (!word.test(rest)) return [];
    rest = rest.replace(word, "_");
    return [family];
  });
}

/** The family of a file that is named as the servers' own tools name it, or nearly all teams: `sg_roles.yml`. */
export function getFamilyOfProductName(path: string): ResourceFamily | undefined {
  return familyOfStem.get(stemOf(path));
}

/** The family of a file that has the product's name for it, if it is what that name says. */
export function findDocumentByName(path: string): ResourceFamily | undefined {
  return documentOfStem.get(stemOf(path));
}

/**
 * What an unmanaged file holds, by its name: `audit settings`; undefined for others. Only the products' own names
 * count: `audit_tenants.yml` may be a team's file of tenants, whose entries would be lost.
 */
export function findUnmanagedByName(path: string): string | undefined {
  const stem = stemOf(path);
  return unmanagedWords.find(([word]) => word.test(stem))?.[1];
}

/** A name that is nearly one that products use: `roes_mapping.yml` is `roles_mapping`. */
export function findNearestName(path: string): string | undefined {
  const stem = stemOf(path);
  return productNames.includes(stem) ? undefined : findNearest(stem, productNames);
}

/**
 * The product's name for a file that is nearly called so, with its own prefix and ending: `roles_mapping.yml` for
 * `roes_mapping.yml`, `roles.yaml` for `role.yaml`. Digits at the end count the files of a team.
 */
export function findMisspeltName(path: string): string | undefined {
  const stem = stemOf(path);
  if (knownStems.has(stem) || knownStems.has(stem.replace(/[_.-]?\d+$/, ""))) return undefined;
  // `roles_a` has a word more, on purpose.
  const near = findNearest(
    stem,
    [...knownStems].filter((known) => wordsIn(known) === wordsIn(stem)),
  );
  return near === undefined ? undefined : nameOf(path).replace(new RegExp(escaped(stem), "i"), near);
}

function wordsIn(stem: string): number {
  return stem.split(/[_.-]/).length;
}

/** `config.yml.example`: meant to be copied, and read by nothing. */
export function isExample(path: string): boolean {
  return /\.(ya?ml|json)[._-](example|sample|dist|default|template)$/i.test(nameOf(path));
}

/** A state file by its name, but for the dot that it begins with: `.roles.yml`, and not `.gitlab-ci.yml`. */
export function isHiddenState(name: string): boolean {
  return /^\.[^.]/.test(name) && isStateFile(name) && looksLikeState(name.slice(1));
}

function looksLikeState(name: string): boolean {
  return findFamiliesByName(name).length > 0 || productNames.includes(stemOf(name));
}

/** A warning where a file looks like state that was meant to be read, but its ending says otherwise. */
export function warnUnreadFile(path: string): Diagnostic | undefined {
  const name = nameOf(path);
  if (isExample(path)) return undefined;
  const copy = /^(.+\.(?:ya?ml|json))[.~_-].*$|^(.+\.(?:ya?ml|json))~$/i.exec(name);
  const template = /^(.+)\.(?:tpl|tmpl|gotmpl|j2|jinja2?|erb|mustache|template)$/i.exec(name);
  const misspelt = findNearest(endingOf(name), endings);
  const text = getFamilyOfProductName(path) && /^(.+)\.(?:txt|text|bak|old|orig|save)$/i.exec(name);
  if (!copy && !text && !(looksLikeState(name) && (template || misspelt))) return undefined;
  const meant = copy?.[1] ?? `${(text ?? template)?.[1] ?? name.slice(0, name.lastIndexOf("."))}.${misspelt ?? "yml"}`;
  return createFileDiagnostic(path, "unread-file", {
    what: `${path} looks like a state file, but is not read because of its ending.`,
    why: "What it declares reaches no server.",
    fix: template
      ? `Render the template to ${meant}, have gate-sync import FILE --out FOLDER take its entries, or move it out of the state folder.`
      : `Name it ${meant} if it is meant to be read, or move it out of the state folder.`,
  });
}

function word(text: string): RegExp {
  return new RegExp(`(^|[_.-])${text}(?=$|[_.-])`);
}

/** The longer words first: what they match is not looked at again. */
const familyWords: readonly (readonly [RegExp, Family])[] = [
  [word("internal[_-]?users?"), "internal_users"],
  [word("roles?[_-]?mappings?"), "role_mappings"],
  [word("actions?[_-]?groups?"), "action_groups"],
  [word("tenants?"), "tenants"],
  [word("blocks?"), "blocks"],
  [word("roles?"), "roles"],
  [/(^|[_.-]|security)config(?=$|[_.-])/, "config"],
  [word("license"), "license"],
];

const unmanagedWords: readonly (readonly [RegExp, string])[] = [
  // Where they are not what these products have under such a name.
  [/^audit$/, "audit settings of another form"],
  [/^nodes[_-]?dn$/, "node certificates of another form"],
  [/^(allow|white)list$/, "API allow lists of another form"],
  [/^(elasticsearch|opensearch|kibana|opensearch_dashboards|log4j2?|jvm)$/, "the node's own settings"],
  [
    /^(authc|authc_transport|authz|authz_dlsfls|frontend_authc|frontend_authz|frontend_multi_tenancy|sessions|auth_token_service|variables|sg_variables)$/,
    "authentication settings of newer releases",
  ],
  [/^license_key$/, "the license of newer releases"],
];

const familyOfStem: ReadonlyMap<string, ResourceFamily> = new Map([
  ["roles", "roles"],
  ["roles_mapping", "role_mappings"],
  ["role_mappings", "role_mappings"],
  ["rolesmapping", "role_mappings"],
  ["action_groups", "action_groups"],
  ["actiongroups", "action_groups"],
  ["tenants", "tenants"],
  ["internal_users", "internal_users"],
  ["internalusers", "internal_users"],
  ["blocks", "blocks"],
]);

/** By names that files of many programs have, too. */
const documentOfStem: ReadonlyMap<string, ResourceFamily> = new Map([
  ["nodes_dn", "nodes_dn"],
  ["audit", "audit"],
  ["whitelist", "whitelist"],
  ["allowlist", "allowlist"],
]);

/** What the products call their files, without prefix and ending. */
const productNames: readonly string[] = [
  "roles",
  "roles_mapping",
  "action_groups",
  "tenants",
  "blocks",
  "config",
  "internal_users",
  "audit",
  "nodes_dn",
  "allowlist",
  "whitelist",
];

/** The names of products, of this tool, and what both are called in one word. */
const knownStems: ReadonlySet<string> = new Set([
  ...productNames,
  ...["role_mappings", "license", "rolesmapping", "actiongroups", "internalusers", "securityconfig"],
]);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Without folder, product's prefix and endings. */
function stemOf(path: string): string {
  return nameOf(path)
    .toLowerCase()
    .replace(/\.(ya?ml|json).*$|\.[^.]*$/, "")
    .replace(/^(sg|gate|opendistro_security|opensearch_security|opendistro)?_/, "");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function endingOf(path: string): string {
  return (/\.([^.]*)$/.exec(nameOf(path))?.[1] ?? "").toLowerCase();
}
