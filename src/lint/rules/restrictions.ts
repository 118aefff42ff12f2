import { type Fields, isList, listTexts } from "../../json/value.ts";
import { joinWithOr } from "../../validate/wording.ts";
import {
  createElements,
  type Elements,
  findNeighbour,
  formatMemberText,
  listNeighbourPatterns,
  type Neighbour,
} from "../neighbours.ts";
import { coversPlainly, overlapPlainly } from "../plainly.ts";
import {
  isRestrictingReads,
  type LintFinding,
  type LintPermission,
  type LintRole,
  type LintRule,
  type LintState,
} from "../rule.ts";

/** Servers unite the lists of fields of all roles. As soon as one field is excluded in them, no included field counts. */
export const mixedFieldRules: LintRule = {
  code: "mixed-field-rules",
  where: ({ excludesWin }) => excludesWin,
  goesBy: "others",
  find: (state) => [...state.restricting.flatMap(mixedInRole), ...mixedOverRoles(state)],
};

/** A role with DLS or FLS whose principals have another role without, as if that removed the restriction: it stays. */
export const restrictionStays: LintRule = {
  code: "restriction-stays",
  where: ({ emptyRemoves }) => !emptyRemoves,
  goesBy: "others",
  find: (state) => {
    const neighbour = findNeighbour(openElements(state), state);
    return state.restricting.flatMap((role) =>
      role.indices.filter(isRestrictingReads).flatMap((permission) => staying(role, permission, neighbour)),
    );
  },
};

function mixedInRole({ indices }: LintRole): readonly LintFinding[] {
  const listed = indices.filter(({ fls }) => fls.length > 0).slice(0, mostCompared);
  for (const [at, one] of listed.entries()) {
    for (const other of listed.slice(at)) {
      const included = one.fls.find(isIncluded) ?? other.fls.find(isIncluded);
      const excluded = other.fls.find(isExcluded) ?? one.fls.find(isExcluded);
      if (!included || !excluded || !(one === other || overlapPlainly(patternsOf(one), patternsOf(other)))) continue;
      return [
        {
          at: included,
          what: `The field ${JSON.stringify(included.value)} is included, and ${JSON.stringify(excluded.value)} is excluded on the same indices.`,
          why: "One exclude, and no include counts: every field is seen but those that are excluded.",
          fix: "Write only the fields to include, or only those to exclude.",
          ...(excluded !== included && { related: [{ range: excluded, what: "the exclude" }] }),
        },
      ];
    }
  }
  return [];
}

/** For one principal: reported at the includes, which have no effect. */
function mixedOverRoles(state: LintState): readonly LintFinding[] {
  if (!state.restricting.some(({ indices }) => indices.some(({ fls }) => fls.some(isIncluded)))) return [];
  const neighbour = findNeighbour(createElements(state, excludesFields), state);
  return state.restricting.flatMap((role) => {
    for (const permission of role.indices) {
      const included = permission.fls.find(isIncluded);
      if (!included || permission.fls.some(isExcluded)) continue;
      const relevant = patternsOf(permission);
      const other = neighbour(role.name, (patterns) => overlapPlainly(patterns, relevant));
      if (other === undefined) continue;
      return [
        {
          at: included,
          what: `The field ${JSON.stringify(included.value)} is included, and the role ${JSON.stringify(other.role)}, which is mapped to ${formatMemberText(other.member)} as well, excludes fields there.`,
          why: "One exclude in any role, and no include counts: a principal with both sees every field but those that are excluded.",
          fix: "Have both roles include fields, or both exclude them.",
        },
      ];
    }
    return [];
  });
}

/** The elements which leave all to be seen, and which may cover what is restricted in some roles. */
function openElements(state: LintState): Elements {
  const firsts = state.restricting.flatMap(({ indices }) =>
    indices.filter(isRestrictingReads).flatMap(({ patterns: [first] }) => first?.value ?? []),
  );
  if (firsts.length === 0) return new Map();
  const covering = patternsCovering(firsts);
  return createElements(
    state,
    (element) =>
      !isRestricted(element) &&
      listNeighbourPatterns(element).some((pattern) => covering.has(pattern)) &&
      isRead(element, state),
  );
}

/** All patterns that plainly cover a relevant one, as texts to look up: thousands are not compared with thousands. */
function patternsCovering(relevant: readonly string[]): ReadonlySet<string> {
  const covering = new Set<string>();
  for (const pattern of relevant) {
    for (let length = Math.min(pattern.length, longestName); length >= 0; length--) {
      const beginning = `${pattern.slice(0, length)}*`;
      // All that are shorter are there as well.
      if (covering.has(beginning)) break;
      covering.add(beginning);
    }
  }
  for (const pattern of relevant) covering.add(pattern);
  return covering;
}

/** The longest name of an index, in bytes: a pattern with a longer beginning matches none. */
const longestName = 255;

function staying(role: LintRole, permission: LintPermission, neighbour: Neighbour): readonly LintFinding[] {
  const relevant = patternsOf(permission);
  const other = neighbour(role.name, (patterns) =>
    relevant.every((one) => patterns.some((their) => coversPlainly(their, one))),
  );
  const place = permission.dls ?? permission.fls[0] ?? permission.masks[0];
  if (other === undefined || !place) return [];
  const kinds = [
    ...(permission.dls ? ["DLS"] : []),
    ...(permission.fls.length > 0 ? ["FLS"] : []),
    ...(permission.masks.length > 0 ? ["masking"] : []),
  ];
  return [
    {
      at: place,
      what: `The role ${JSON.stringify(other.role)} is mapped to ${formatMemberText(other.member)} as well, and covers these indices without ${joinWithOr(kinds)}.`,
      why: `The restriction also applies to what ${JSON.stringify(other.role)} grants. Only with dfm_empty_overrides_all on the nodes does that role remove it.`,
      fix: "Map the two to different people, or silence this where it is meant.",
    },
  ];
}

function isRestricted({ dls, fls, masked_fields }: Fields): boolean {
  return dls !== undefined || fls !== undefined || masked_fields !== undefined;
}

function isRead(element: Fields, { gives }: LintState): boolean {
  return listTexts(element.allowed_actions).some((text) => gives(text, "indices:data/read/search") === "yes");
}

function excludesFields({ fls }: Fields): boolean {
  return isList(fls) && fls.some((field) => typeof field === "string" && /^[~!]/.test(field));
}

/** No more are compared: for a role with hundreds of elements the first of them show the problem. */
const mostCompared = 20;

function isExcluded({ value }: { readonly value: string }): boolean {
  return /^[~!]/.test(value);
}

function isIncluded(field: { readonly value: string }): boolean {
  return !isExcluded(field);
}

function patternsOf({ patterns }: LintPermission): readonly string[] {
  return patterns.map(({ value }) => value);
}
