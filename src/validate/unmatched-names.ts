import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import { getNoun } from "../families/index.ts";
import { matchesName } from "../families/scope.ts";
import { listTexts } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node, type ScalarNode } from "../model/node.ts";

type Names = ReadonlySet<string>;

/**
 * Names in `protect`, `exclude`, `apply_as` and `admin_roles` of gate-sync.yaml that match nothing, neither declared nor on the server. A
 * pattern may be for entries that are yet to come, and so says nothing. Families that were not read say nothing either.
 *
 * @param settings those of the target, as they were written
 */
export function findUnmatchedNames(settings: Node, declared: DesiredState, live: LiveState): readonly Diagnostic[] {
  const known = new Map(
    [...live.resources].map(([family, held]) => [
      family,
      new Set([...held.keys(), ...(declared.resources.get(family)?.keys() ?? [])]),
    ]),
  );
  const policies = findMapEntry(settings, "families")?.value;
  return [
    ...listNames(settings, "protect").flatMap((name) => checkProtected(name, known)),
    ...[...known].flatMap(([family, names]) =>
      listNames(findMapEntry(policies, family)?.value, "exclude").flatMap((name) =>
        checkName(name, name.value, family, names, `Nothing is excluded by it.`),
      ),
    ),
    ...(known.has("role_mappings") ? checkApplyAs(settings, declared, live) : []),
    ...checkAdminRoles(settings, known),
  ];
}

type Text = ScalarNode & { readonly value: string };

/** The strings of a list that are no patterns. */
function listNames(setting: Node | undefined, key: string): readonly Text[] {
  const list = findMapEntry(setting, key)?.value;
  return list?.kind === "list" ? list.items.filter((item): item is Text => isName(item)) : [];
}

function isName(node: Node): node is Text {
  return node.kind === "scalar" && typeof node.value === "string" && !/[*?$]/.test(node.value);
}

function checkProtected(node: Text, known: ReadonlyMap<ResourceFamily, Names>): readonly Diagnostic[] {
  const [family = "", ...rest] = node.value.split("/");
  const names = isResourceFamily(family) ? known.get(family) : undefined;
  if (!isResourceFamily(family) || !names || rest.length === 0) return [];
  return checkName(node, rest.join("/"), family, names, "It protects nothing.");
}

function checkName(node: Text, name: string, family: ResourceFamily, names: Names, why: string): readonly Diagnostic[] {
  if (names.has(name)) return [];
  const near = findMeant(name, names);
  return [
    createDiagnostic(node, "unmatched-name", {
      what: `No ${getNoun(family)} ${JSON.stringify(name)} is declared or on the server.${formatSuggestion(near)}`,
      why,
      fix: near ? `Write ${JSON.stringify(node.value.replace(name, () => near))}.` : "Correct the name, or remove it.",
    }),
  ];
}

/** Servers go by the name alone, so that of a mapping counts as well. */
function checkAdminRoles(settings: Node, known: ReadonlyMap<ResourceFamily, Names>): readonly Diagnostic[] {
  const [roles, mappings] = [known.get("roles"), known.get("role_mappings")];
  if (!roles || !mappings) return [];
  const names = new Set([...roles, ...mappings]);
  return listNames(settings, "admin_roles").flatMap((name) =>
    checkName(name, name.value, "roles", names, "Lock-out and escalation do not count it."),
  );
}

/** Of one or two characters, nearly all names are near each other. */
function findMeant(name: string, names: Iterable<string>): string | undefined {
  const isLong = (one: string) => one.length > 2;
  return isLong(name) ? findNearest(name, [...names].filter(isLong)) : undefined;
}

/** Of backend roles: a user name may be in no mapping, and have all that it may do from these. */
function checkApplyAs(own: Node, declared: DesiredState, live: LiveState): readonly Diagnostic[] {
  const identity = findMapEntry(own, "apply_as")?.value;
  const user = findMapEntry(identity, "user")?.value;
  if (user && isName(user) && isMatched(user.value, listMembers(declared, live, ["users"]))) return [];
  const members = listMembers(declared, live, ["backend_roles", "and_backend_roles"]);
  return listNames(identity, "backend_roles").flatMap((node) => {
    if (isMatched(node.value, members)) return [];
    const near = findMeant(node.value, members);
    return [
      createDiagnostic(node, "unmatched-name", {
        what: `No mapping has the backend role ${JSON.stringify(node.value)}.${formatSuggestion(near)}`,
        why: "Lock-out is checked for an identity that has nothing by it.",
        fix: near ? `Write ${JSON.stringify(near)}.` : "Correct the name, or remove it.",
      }),
    ];
  });
}

function isMatched(name: string, members: readonly string[]): boolean {
  return members.some((member) => member.startsWith("/") || matchesName(member, name));
}

/** Names and patterns in these fields of all mappings. */
function listMembers(declared: DesiredState, live: LiveState, fields: readonly string[]): readonly string[] {
  const mappings = [declared, live].flatMap(({ resources }) => [...(resources.get("role_mappings")?.values() ?? [])]);
  return [...new Set(mappings.flatMap(({ value }) => fields.flatMap((field) => listTexts(value[field]))))];
}
