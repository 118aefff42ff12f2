import { renderAccessJson, renderTermsJson } from "../../access/compare/to-json.ts";
import { findBlindFields } from "../../access/explain/blind-fields.ts";
import type { AccessDoubt } from "../../access/explain/doubts.ts";
import type { PermissionExplanation, ShareExplanation } from "../../access/explain/explanation.ts";
import type { ChainStep } from "../../access/explain/grant-path.ts";
import { nowhere } from "../../access/explain/grant-path.ts";
import type { Miss } from "../../access/explain/misses.ts";
import type { Member } from "../../access/model/subject.ts";
import type { LevelAccess } from "../../access/questions/access-map.ts";
import type { UnknownGrant } from "../../access/questions/unknown-grants.ts";
import type { Principal } from "../../access/questions/who.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Limits } from "../../model/access.ts";
import type { CanIView, WhoCanView } from "../views/access-answer.ts";
import type { AccessMapView } from "../views/access-map.ts";
import { formatDoubt, formatMiss } from "../views/access-reasons.ts";
import type { AccessSinceView } from "../views/access-since.ts";
import { toSpan } from "../views/place.ts";
import type { WhatCanView } from "../views/what-can.ts";
import { formatVersion } from "./parts.ts";

/** As `schemas/access.schema.json` describes it. */
export function renderCanIJson({ verdict, answer }: CanIView): JsonObject {
  const { who, asked, shares, tooMany, reduced, takesOneRole, basis, assumptions, notes } = answer;
  return {
    format_version: formatVersion,
    kind: "can-i",
    who,
    asked,
    verdict,
    shares: shares.map(renderShareJson),
    more_shares: tooMany,
    reduced,
    ...(takesOneRole && { takes_one_role: true }),
    basis,
    assumptions,
    notes,
  };
}

export function renderWhoCanJson({ answer }: WhoCanView): JsonObject {
  const { asked, principals, of, mayBeMore, basis, assumptions, notes } = answer;
  return {
    format_version: formatVersion,
    kind: "who-can",
    asked,
    principals: principals.map(({ principal, verdict, shares }) => ({
      ...renderPrincipalJson(principal),
      verdict,
      shares: shares.map(renderShareJson),
    })),
    asked_about: of,
    may_be_more: mayBeMore,
    basis,
    assumptions,
    notes,
  };
}

export function renderAccessMapJson({ map }: AccessMapView): JsonObject {
  const { columns, rows, unheldRoles, unknownGrants, ofOtherClusters, basis, assumptions, notes } = map;
  return {
    format_version: formatVersion,
    kind: "access-map",
    columns: columns.map(({ kind, name }) => ({ kind, name })),
    principals: rows.map(({ principal, cells, restrictingRoles }) => ({
      ...renderPrincipalJson(principal),
      cells: cells.map(({ column, levels }) => ({
        column: { kind: column.kind, name: column.name },
        levels: levels.map(renderLevelJson),
      })),
      restricting_roles: restrictingRoles,
    })),
    unheld_roles: unheldRoles,
    unknown_grants: unknownGrants.map(renderUnknownGrantJson),
    of_other_clusters: ofOtherClusters,
    basis,
    assumptions,
    notes,
  };
}

export function renderAccessSinceJson({ compared }: AccessSinceView): JsonObject {
  const { since, asNow, access, commits, notes } = compared;
  return {
    format_version: formatVersion,
    kind: "access-since",
    since,
    as_now: asNow,
    access: renderAccessJson(access),
    commits: commits.map((one) => ({ ...one })),
    notes,
  };
}

function renderPrincipalJson(principal: Principal): JsonObject {
  return principal.kind === "persona" ? { persona: principal.name } : { entry: memberJson(principal.member) };
}

function renderLevelJson({ level, verdict, request, restricted, chain }: LevelAccess): JsonObject {
  return { level, verdict, request, restricted, chain: chain.map(renderStepJson) };
}

export function renderWhatCanJson({ answer }: WhatCanView): JsonObject {
  const {
    who,
    roles,
    shutOutBy,
    indices,
    tooMany,
    opaque,
    unknownGrants,
    cluster,
    tenants,
    everyTenant,
    basis,
    assumptions,
    notes,
  } = answer;
  return {
    format_version: formatVersion,
    kind: "what-can",
    who,
    ...(shutOutBy && { shut_out_by: shutOutBy }),
    roles: roles.map(({ role, verdict, isThere, chain: [held] }) => ({
      role,
      verdict,
      ...(isThere !== "unknown" && { exists: isThere === "yes" }),
      ...(held && { held: renderStepJson(held) }),
    })),
    indices: indices.map(({ by, region, everything, can, perhaps, doubts, obstacles, limits, unsure }) => ({
      patterns: by,
      region: renderTermsJson(region),
      everything,
      can,
      unknown: perhaps,
      ...doubtsJson(doubts),
      obstacles: obstacles.map((obstacle) => ({
        kind: obstacle.kind,
        requests: obstacle.requests,
        ...(obstacle.kind === "cluster-missing" && { missing: obstacle.missing }),
      })),
      sees: limitsJson(limits),
      ...(unsure.length > 0 && { may_be_restricted: unsure.map(doubtJson) }),
    })),
    more_indices: tooMany,
    not_worked_out: opaque.map(({ role, pattern, actions }) => ({ role, pattern, actions })),
    unknown_grants: unknownGrants.map(renderUnknownGrantJson),
    cluster: {
      everything: cluster.everything,
      can: cluster.can,
      unknown: cluster.perhaps,
      ...doubtsJson(cluster.doubts),
      permissions: cluster.permissions,
      unknown_permissions: cluster.perhapsPermissions,
    },
    tenants: tenants.map(({ name, reads, writes, doubts }) => ({
      name,
      reads,
      writes,
      ...doubtsJson(doubts),
    })),
    every_tenant: everyTenant,
    basis,
    assumptions,
    notes,
  };
}

function renderUnknownGrantJson({ role, indices, actions }: UnknownGrant): JsonObject {
  return { role, ...(indices && { indices }), actions };
}

export function renderShareJson(share: ShareExplanation): JsonObject {
  const { indices, verdict, permissions, limits, unsure, takesOneRole, answersAll } = share;
  const { failsAsRestricted, failsByQuery, failsByRoleOrder } = share;
  return {
    ...(indices && { indices: indicesJson(indices) }),
    verdict,
    permissions: permissions.map(permissionJson),
    ...(limits && { sees: limitsJson(limits) }),
    ...(unsure.length > 0 && { may_be_restricted: unsure.map(doubtJson) }),
    ...(failsByQuery && { fails_by_query: failsByQuery }),
    ...(failsByRoleOrder && { fails_by_role_order: failsByRoleOrder }),
    ...(failsAsRestricted && { fails_as_restricted: failsAsRestricted }),
    ...(takesOneRole && { takes_one_role: true }),
    ...(answersAll && { answers_about_all: true }),
  };
}

function indicesJson({ by, region, example, one }: NonNullable<ShareExplanation["indices"]>): JsonObject {
  return { patterns: by, region: renderTermsJson(region), example, exact: one };
}

function permissionJson(permission: PermissionExplanation): JsonObject {
  const { action, level, verdict, chain, own, otherMembers, misses, doubts } = permission;
  return {
    action,
    level,
    verdict,
    ...(chain && { chain: chain.map(renderStepJson), other_paths: otherMembers }),
    ...(own && { own_tenant: true }),
    ...(misses.length > 0 && { misses: misses.map(missJson) }),
    ...doubtsJson(doubts),
  };
}

export function renderStepJson({ kind, name, member, on, place }: ChainStep): JsonObject {
  return {
    kind,
    name,
    ...(member && kind === "mapping" && { by: memberJson(member) }),
    ...(on !== undefined && { on }),
    ...(place && { place: toSpan(place) }),
  };
}

function memberJson({ field, entries }: Member): JsonObject {
  return { field, entries };
}

function limitsJson(limits: Limits): JsonObject {
  const {
    documents,
    fields: { only, not, masks },
    restricted,
  } = limits;
  const blind = findBlindFields(limits);
  return {
    restricted,
    ...(documents && { documents: documents.map(({ shown }) => shown) }),
    ...(only && { only_fields: only }),
    ...(not.length > 0 && { not_fields: not }),
    ...(masks.length > 0 && { masked_fields: masks }),
    ...(blind.length > 0 && { blind_fields: blind }),
  };
}

function missJson(miss: Miss): JsonObject {
  return { kind: miss.kind, ...("role" in miss && { role: miss.role }), what: formatMiss(miss, nowhere) };
}

function doubtsJson(doubts: readonly AccessDoubt[]): JsonObject {
  return doubts.length > 0 ? { doubts: doubts.map(doubtJson) } : {};
}

function doubtJson(doubt: AccessDoubt): JsonObject {
  return { kind: doubt.kind, ...("role" in doubt && { role: doubt.role }), what: formatDoubt(doubt) };
}
