import { termsJson } from "../access/compare/to-json.ts";
import type { CanIAnswer, WhatCanAnswer, WhoCanAnswer } from "../access/questions/answers.ts";
import { blindFields } from "../access/questions/blind.ts";
import type { Standing } from "../access/questions/can.ts";
import type { Doubt } from "../access/questions/doubts.ts";
import type { Miss } from "../access/questions/misses.ts";
import type { Step } from "../access/questions/steps.ts";
import { nowhere } from "../access/questions/steps.ts";
import type { ToldPermission, ToldShare } from "../access/questions/told.ts";
import type { Way } from "../access/subject.ts";
import type { JsonObject } from "../json/value.ts";
import type { Limits } from "../model/access.ts";
import { formatVersion } from "./json.ts";
import { spanOf } from "./place.ts";
import { doubtWords, missWords } from "./text/access-words.ts";

/** As `schemas/access.schema.json` describes it. */
export function canIToJson({
  who,
  asked,
  verdict,
  shares,
  tooMany,
  reduced,
  takesOneRole,
  basis,
  assumptions,
  notes,
}: CanIAnswer): JsonObject {
  return {
    format_version: formatVersion,
    kind: "can-i",
    who,
    asked,
    verdict: verdictWord(verdict),
    shares: shares.map(shareJson),
    more_shares: tooMany,
    reduced,
    ...(takesOneRole && { takes_one_role: true }),
    basis,
    assumptions,
    notes,
  };
}

export function whoCanToJson({ asked, principals, of, basis, assumptions, notes }: WhoCanAnswer): JsonObject {
  return {
    format_version: formatVersion,
    kind: "who-can",
    asked,
    principals: principals.map(({ principal, verdict, shares }) => ({
      ...(principal.kind === "persona" ? { persona: principal.name } : { entry: wayJson(principal.way) }),
      verdict: verdictWord(verdict),
      shares: shares.map(shareJson),
    })),
    asked_about: of,
    basis,
    assumptions,
    notes,
  };
}

export function whatCanToJson(told: WhatCanAnswer): JsonObject {
  const { who, roles, shutOutBy, indices, tooMany, opaque, cluster, tenants, basis, assumptions, notes } = told;
  return {
    format_version: formatVersion,
    kind: "what-can",
    who,
    ...(shutOutBy && { shut_out_by: shutOutBy }),
    roles: roles.map(({ role, verdict, missing, chain: [held] }) => ({
      role,
      verdict: verdictWord(verdict),
      exists: !missing,
      ...(held && { held: stepJson(held) }),
    })),
    indices: indices.map(({ by, region, can, perhaps, doubts, traps, limits, unsure }) => ({
      patterns: by,
      region: termsJson(region),
      can,
      cannot_tell: perhaps,
      ...doubtsJson(doubts),
      traps: traps.map((trap) => ({
        kind: trap.kind,
        requests: trap.requests,
        ...(trap.kind === "cluster-missing" && { missing: trap.missing }),
      })),
      sees: limitsJson(limits),
      ...(unsure.length > 0 && { may_be_restricted: unsure.map(doubtJson) }),
    })),
    more_indices: tooMany,
    not_worked_out: opaque.map(({ role, pattern, actions }) => ({ role, pattern, actions })),
    cluster: {
      can: cluster.can,
      cannot_tell: cluster.perhaps,
      ...doubtsJson(cluster.doubts),
      permissions: cluster.permissions,
      cannot_tell_permissions: cluster.perhapsPermissions,
    },
    tenants: tenants.map(({ name, reads, writes, doubts }) => ({
      name,
      reads: verdictWord(reads),
      writes: verdictWord(writes),
      ...doubtsJson(doubts),
    })),
    basis,
    assumptions,
    notes,
  };
}

export function verdictWord(verdict: Standing): string {
  return verdict === "unknown" ? "cannot-tell" : verdict;
}

export function shareJson(share: ToldShare): JsonObject {
  const { indices, verdict, permissions, limits, unsure, failsAsRestricted, failsByQuery, takesOneRole, answersAll } =
    share;
  return {
    ...(indices && { indices: indicesJson(indices) }),
    verdict: verdictWord(verdict),
    permissions: permissions.map(permissionJson),
    ...(limits && { sees: limitsJson(limits) }),
    ...(unsure.length > 0 && { may_be_restricted: unsure.map(doubtJson) }),
    ...(failsByQuery && { fails_by_query: verdictWord(failsByQuery) }),
    ...(failsAsRestricted && { fails_as_restricted: verdictWord(failsAsRestricted) }),
    ...(takesOneRole && { takes_one_role: true }),
    ...(answersAll && { answers_about_all: true }),
  };
}

function indicesJson({ by, region, example, one }: NonNullable<ToldShare["indices"]>): JsonObject {
  return { patterns: by, region: termsJson(region), example, exact: one };
}

function permissionJson(permission: ToldPermission): JsonObject {
  const { action, level, verdict, chain, own, otherWays, misses, doubts } = permission;
  return {
    action,
    level,
    verdict: verdictWord(verdict),
    ...(chain && { chain: chain.map(stepJson), other_ways: otherWays }),
    ...(own && { own_tenant: true }),
    ...(misses.length > 0 && { misses: misses.map(missJson) }),
    ...doubtsJson(doubts),
  };
}

export function stepJson({ kind, name, way, on, place }: Step): JsonObject {
  return {
    kind,
    name,
    ...(way && kind === "mapping" && { by: wayJson(way) }),
    ...(on !== undefined && { on }),
    ...(place && { place: spanOf(place) }),
  };
}

function wayJson({ field, entries }: Way): JsonObject {
  return { field, entries };
}

function limitsJson(limits: Limits): JsonObject {
  const {
    documents,
    fields: { only, not, masks },
    restricted,
  } = limits;
  const blind = blindFields(limits);
  return {
    restricted: verdictWord(restricted),
    ...(documents && { documents: documents.map(({ shown }) => shown) }),
    ...(only && { only_fields: only }),
    ...(not.length > 0 && { not_fields: not }),
    ...(masks.length > 0 && { masked_fields: masks }),
    ...(blind.length > 0 && { blind_fields: blind }),
  };
}

function missJson(miss: Miss): JsonObject {
  return { kind: miss.kind, ...("role" in miss && { role: miss.role }), what: missWords(miss, nowhere) };
}

function doubtsJson(doubts: readonly Doubt[]): JsonObject {
  return doubts.length > 0 ? { doubts: doubts.map(doubtJson) } : {};
}

function doubtJson(doubt: Doubt): JsonObject {
  return { kind: doubt.kind, ...("role" in doubt && { role: doubt.role }), what: doubtWords(doubt) };
}
