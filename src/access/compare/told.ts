import type { JsonObject } from "../../json/value.ts";
import type { AccessDifferences, Affected, Difference, Limits, Region, Way } from "../../model/access.ts";

/** As `schemas/plan.schema.json` describes it; of a query that is a secret, its reference. */
export function accessToJson({ entering, statements, untold }: AccessDifferences): JsonObject {
  return {
    entering: entering.map(({ who, before, after }) => ({
      who: who === "everybody" ? { everybody: true } : { [who.type]: who.value },
      shut_out_before: before,
      shut_out_after: after,
    })),
    statements: statements.map(({ who, differences, tenants }) => ({
      who: who.map(affectedJson),
      differences: differences.map(differenceJson),
      tenants: tenants.map((one) => ({ ...one })),
    })),
    cannot_tell: untold,
  };
}

function affectedJson(who: Affected): JsonObject {
  switch (who.kind) {
    case "principal":
      return wayJson(who.way);
    case "pair":
      return { both: who.ways.map(wayJson) };
    case "persona":
      return { persona: who.name };
  }
}

function wayJson({ field, entries }: Way): JsonObject {
  return { [field === "itself" ? "roles" : field]: entries };
}

function differenceJson(one: Difference): JsonObject {
  const { kind, level, actions, indices, before, after, depends, lacks, witness, via } = one;
  return {
    kind,
    level,
    actions: regionJson(actions),
    ...(indices && { indices: regionJson(indices) }),
    ...(before && { before: limitsJson(before) }),
    ...(after && { after: limitsJson(after) }),
    ...(depends !== undefined && { depends_on: depends }),
    ...(lacks !== undefined && { lacks }),
    witness: { ...witness },
    ...(via && { via: { role: via.role, groups: via.groups } }),
  };
}

function regionJson({ patterns, except, suchAs }: Region): JsonObject {
  return { patterns, ...(except.length > 0 && { except }), ...(suchAs.length > 0 && { such_as: suchAs }) };
}

function limitsJson({ documents, fields: { only, not, masks } }: Limits): JsonObject {
  return {
    ...(documents && { documents: documents.map(({ shown }) => shown) }),
    ...(only && { only_fields: only }),
    ...(not.length > 0 && { without_fields: not }),
    ...(masks.length > 0 && { masked_fields: masks }),
  };
}
