import type { JsonObject } from "../../json/value.ts";
import type {
  AccessDifference,
  AccessDifferences,
  AffectedPrincipal,
  Limits,
  Member,
  Region,
  Term,
} from "../../model/access.ts";
import { formatConditionNames } from "../explain/conditions.ts";

/** As `schemas/plan.schema.json` describes it; of a query that is a secret, its reference. */
export function renderAccessJson({
  logins,
  blockedDiff,
  statements,
  unchanged,
  unknowns,
}: AccessDifferences): JsonObject {
  return {
    ...(logins && {
      logins: logins.map(({ addresses, kind, what, mapped }) => ({
        addresses,
        kind,
        what,
        ...(mapped && { roles: mapped.map(({ role, members }) => ({ role, by: members.map(memberJson) })) }),
      })),
    }),
    blocked: blockedDiff.map(({ who, except, before, after }) => ({
      who: who === "everybody" ? { everybody: true } : { [who.type]: who.value, ...(except && { except }) },
      shut_out_before: before,
      shut_out_after: after,
    })),
    statements: statements.map(({ who, differences, tenants }) => ({
      who: who.map(renderAffectedJson),
      differences: differences.map(differenceJson),
      tenants: tenants.map((one) => ({ ...one })),
    })),
    unchanged_unknown: unchanged.map(({ role, members, depends }) => ({
      role,
      by: members.map(memberJson),
      depends_on: formatConditionNames(depends),
    })),
    unknown: unknowns,
  };
}

export function renderAffectedJson(who: AffectedPrincipal): JsonObject {
  switch (who.kind) {
    case "principal":
      return memberJson(who.member);
    case "pair":
      return { both: who.members.map(memberJson) };
    case "persona":
      return { persona: who.name };
  }
}

function memberJson({ field, entries }: Member): JsonObject {
  return { [field === "itself" ? "roles" : field]: entries };
}

function differenceJson(one: AccessDifference): JsonObject {
  const {
    kind,
    level,
    actions,
    indices,
    before,
    after,
    depends,
    lacks,
    witness,
    via,
    viaParts,
    besides,
    isOfEverybody,
  } = one;
  return {
    kind,
    level,
    actions: regionJson(actions),
    ...(indices && { indices: regionJson(indices) }),
    ...(before && { before: limitsJson(before) }),
    ...(after && { after: limitsJson(after) }),
    ...(depends !== undefined && { depends_on: formatConditionNames(depends) }),
    ...(lacks !== undefined && { lacks }),
    examples: {
      actions: actions.examples.slice(0, mostExamples),
      ...(indices && { indices: indices.examples.slice(0, mostExamples) }),
    },
    witness: { ...witness },
    ...(via && { via: { role: via.role, groups: via.groups } }),
    ...(viaParts && {
      via_parts: {
        roles: viaParts.roles,
        groups: viaParts.groups,
        ...(viaParts.hasMore && { has_more: true }),
      },
    }),
    ...(besides && {
      not_included: besides.map(({ role, depends: on }) => ({ role, depends_on: formatConditionNames(on) })),
    }),
    ...(isOfEverybody && { of_everybody: true }),
  };
}

const mostExamples = 3;

function regionJson({ terms }: Region): readonly JsonObject[] {
  return renderTermsJson(terms);
}

/** Names, for programs to match. */
export function renderTermsJson(terms: readonly Term[]): readonly JsonObject[] {
  return terms.map(({ allOf, noneOf }) => ({ all_of: allOf, none_of: noneOf }));
}

function limitsJson({ documents, fields: { only, not, masks }, unsure }: Limits): JsonObject {
  return {
    ...(documents && { documents: documents.map(({ shown }) => shown) }),
    ...(only && { only_fields: only }),
    ...(not.length > 0 && { without_fields: not }),
    ...(masks.length > 0 && { masked_fields: masks }),
    ...(unsure.length > 0 && { unknown_roles: unsure }),
  };
}
