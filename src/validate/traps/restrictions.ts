import { textsOf } from "../../access/groups.ts";
import { includes } from "../../access/patterns/language.ts";
import { type Diagnostic, diagnosticAt } from "../../diagnostics/diagnostic.ts";
import { isList, isObject } from "../../json/value.ts";
import { either } from "../wording.ts";
import { keyOf, type Trap, type TrapPermission, type TrapRole, type TrapState } from "./trap.ts";

/** Lists of fields are united over all roles; one exclude among them, and no include counts. */
export const mixedFieldRules: Trap = {
  code: "mixed-field-rules",
  where: ({ excludesWin }) => excludesWin,
  together: true,
  find: (state) => [...state.roles.flatMap(mixedInRole), ...mixedOverRoles(state)],
};

/** What one role restricts, another does not lift by leaving the restriction out. */
export const restrictionStays: Trap = {
  code: "restriction-stays",
  where: ({ emptyLifts }) => !emptyLifts,
  together: true,
  find: (state) => {
    const unrestricted = unrestrictedReads(state);
    return state.roles.flatMap((role) =>
      role.indices.filter(isRestricting).flatMap((permission) => staying(role, permission, unrestricted, state)),
    );
  },
};

function mixedInRole({ indices }: TrapRole): readonly Diagnostic[] {
  const listed = indices.filter(({ fls }) => fls.length > 0).slice(0, mostCompared);
  for (const [at, one] of listed.entries()) {
    for (const other of listed.slice(at)) {
      const included = one.fls.find(isIncluded) ?? other.fls.find(isIncluded);
      const excluded = other.fls.find(isExcluded) ?? one.fls.find(isExcluded);
      if (!included || !excluded || !(one === other || areOnSame(one, other))) continue;
      return [
        diagnosticAt(included, "mixed-field-rules", {
          what: `The field ${JSON.stringify(included.value)} is included, and ${JSON.stringify(excluded.value)} is excluded on the same indices.`,
          why: "One exclude, and no include counts: every field is seen but those that are excluded.",
          fix: "Write only the fields to include, or only those to exclude.",
          ...(excluded !== included && { related: [{ range: excluded, what: "the exclude" }] }),
        }),
      ];
    }
  }
  return [];
}

/** Of the same principal: told at the includes, which come to nothing. */
function mixedOverRoles({ roles, waysTo, rolesOfWay, known }: TrapState): readonly Diagnostic[] {
  const listed = roles.filter(({ indices }) => indices.some(({ fls }) => fls.some(isIncluded)));
  if (listed.length === 0) return [];
  const excluding = rolesThat(known, (element) => textsOf(element, "fls").some((field) => /^[~!]/.test(field)));
  return listed.flatMap((role) => {
    for (const permission of role.indices) {
      const included = permission.fls.find(isIncluded);
      if (!included || permission.fls.some(isExcluded)) continue;
      const other = neighboursOf(role.name, waysTo, rolesOfWay).find((name) =>
        excluding.get(name)?.some((patterns) => meetSame(patterns, patternsOf(permission))),
      );
      if (other === undefined) continue;
      return [
        diagnosticAt(included, "mixed-field-rules", {
          what: `The field ${JSON.stringify(included.value)} is included, and the role ${JSON.stringify(other)}, which is mapped to the same, excludes fields there.`,
          why: "One exclude in any role, and no include counts: whoever has both sees every field but those that are excluded.",
          fix: "Have both roles include fields, or both exclude them.",
        }),
      ];
    }
    return [];
  });
}

function staying(
  role: TrapRole,
  permission: TrapPermission,
  unrestricted: ReadonlyMap<string, readonly (readonly string[])[]>,
  { waysTo, rolesOfWay }: TrapState,
): readonly Diagnostic[] {
  const other = neighboursOf(role.name, waysTo, rolesOfWay).find((name) =>
    unrestricted
      .get(name)
      ?.some((patterns) => patternsOf(permission).every((one) => includes(patterns, one) === "yes")),
  );
  const place = permission.dls ?? permission.fls[0] ?? permission.masks[0];
  if (other === undefined || !place) return [];
  const kinds = [
    ...(permission.dls ? ["DLS"] : []),
    ...(permission.fls.length > 0 ? ["FLS"] : []),
    ...(permission.masks.length > 0 ? ["masking"] : []),
  ];
  return [
    diagnosticAt(place, "restriction-stays", {
      what: `Whoever has this role by a mapping has the role ${JSON.stringify(other)} too, which covers these indices without ${either(kinds)}.`,
      why: "What the other role grants is restricted as well, unless the nodes have dfm_empty_overrides_all: then the restriction is lifted.",
      fix: "Map the two to different people, or silence this where it is meant.",
    }),
  ];
}

/** Index patterns of the elements of roles that leave all to be seen and let it be read, by role. */
function unrestrictedReads({ known, gives }: TrapState): ReadonlyMap<string, readonly (readonly string[])[]> {
  return rolesThat(known, (element) => {
    const isRestricted = ["dls", "fls", "masked_fields"].some(
      (field) => element[field] !== undefined && element[field] !== "",
    );
    return (
      !isRestricted &&
      textsOf(element, "allowed_actions").some((text) => gives(text, "indices:data/read/search") === "yes")
    );
  });
}

type Element = Parameters<typeof textsOf>[0];

/** Patterns of the elements that are so, of mapped roles. */
function rolesThat(
  { roles, mappings }: TrapState["known"],
  isSo: (element: Element) => boolean,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, readonly (readonly string[])[]>();
  for (const [name, { index_permissions: elements }] of roles ?? []) {
    if (!mappings?.has(name) || !isList(elements)) continue;
    const so = elements.filter(isObject).filter(isSo);
    if (so.length > 0)
      found.set(
        name,
        so.map((element) => textsOf(element, "index_patterns")),
      );
  }
  return found;
}

/** Roles beyond these are not looked at: who has thousands has them on purpose. */
const mostCompared = 50;

/** The other roles of everybody who has one. */
function neighboursOf(
  role: string,
  waysTo: TrapState["waysTo"],
  rolesOfWay: TrapState["rolesOfWay"],
): readonly string[] {
  const found = new Set<string>();
  for (const way of waysTo(role).slice(0, mostCompared)) {
    for (const other of (rolesOfWay.get(keyOf(way)) ?? []).slice(0, mostCompared)) if (other !== role) found.add(other);
  }
  return [...found];
}

function isRestricting({ dls, fls, masks }: TrapPermission): boolean {
  return dls !== undefined || fls.length > 0 || masks.length > 0;
}

function isExcluded({ value }: { readonly value: string }): boolean {
  return /^[~!]/.test(value);
}

function isIncluded(field: { readonly value: string }): boolean {
  return !isExcluded(field);
}

function patternsOf({ patterns }: TrapPermission): readonly string[] {
  return patterns.map(({ value }) => value);
}

function areOnSame(one: TrapPermission, other: TrapPermission): boolean {
  return meetSame(patternsOf(one), patternsOf(other));
}

function meetSame(some: readonly string[], others: readonly string[]): boolean {
  return (
    some.some((pattern) => includes(others, pattern) === "yes") ||
    others.some((pattern) => includes(some, pattern) === "yes")
  );
}
