import { type IndexName, listIndicesBehind } from "../../access/evaluate/coverage.ts";
import { findLimits } from "../../access/evaluate/limits.ts";
import type { Chain, Objection } from "../../access/evaluate/permission.ts";
import {
  evaluateRequest,
  type PermissionPart,
  type RequestAnswer,
  type RequestPermissions,
} from "../../access/evaluate/request.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import type { Subject } from "../../access/model/subject.ts";
import { combineAll, combineAny, negate, type Verdict } from "../../access/verdict.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { listSubjectRoles } from "./users.ts";

/** A request with what the model does not know of it. */
export interface ExplainedRequest extends RequestPermissions {
  /** Fails wherever DLS, FLS or masking applies. */
  readonly failsWhereRestricted: Verdict;
}

/** What the emulator says of a request. */
export interface AnswerExplanation {
  readonly verdict: Verdict;
  /** Actions that are not granted. */
  readonly missing: readonly string[];
  /** Those of them that the server would name. */
  readonly named: readonly string[];
  /** Why it is not certain that it is permitted; empty where it is. */
  readonly why: readonly string[];
  /** Roles, limits and the rest, for people to read. */
  readonly about: JsonObject;
}

export function explainAnswer(model: AccessModel, subject: Subject, named: ExplainedRequest): AnswerExplanation {
  const indices = named.on.flatMap(({ name }) => listIndicesBehind(name, model.state.semantics));
  const request = { ...named, on: [...new Set(indices)].map((name) => ({ name })) };
  const open = request.on.filter(({ name }) => isOpen(name)).map(({ name }) => name);
  const held = rolesExplained(model, subject);
  if (open.length > 0) {
    const why = `The emulator holds no indices, so which of them ${open.join(", ")} matches is unknown: name one.`;
    return { verdict: "unknown", missing: [], named: [], why: [why], about: held };
  }
  const answer = evaluateRequest(model, subject, request);
  const restricted = combineAny(request.on.map((one) => findLimits(model, subject, one).restricted));
  const fails = combineAll([request.failsWhereRestricted, restricted]);
  const { reducedTo } = answer;
  const missing = missingIn(answer);
  return {
    verdict: combineAll([answer.verdict, negate(fails)]),
    missing: actionsOf(missing),
    named: namedFirst(missing, answer.takesOneRole !== undefined),
    why: [
      ...(answer.verdict === "no" || (answer.verdict === "unknown" && fails !== "yes") ? reasons(answer) : []),
      ...(answer.verdict === "no" ? [] : { yes: [noUpdates], unknown: [perhapsNoUpdates], no: [] }[fails]),
    ],
    about: {
      ...held,
      ...(reducedTo && { reduced_to: reducedTo.map(({ name }) => name) }),
      ...(answer.verdict !== "no" && isRead(request) && limitsExplained(model, subject, reducedTo ?? request.on)),
    },
  };
}

const noUpdates = "The server updates no documents of an index on which DLS, FLS or masking applies to the caller.";

const perhapsNoUpdates = "Unknown: whether DLS, FLS or masking applies to this user there. If it does, updates fail.";

/** A name that means several indices, or a date. */
function isOpen(name: string): boolean {
  return /[*?]|^<|^$/.test(name) || name === "_all";
}

function isRead({ index }: RequestPermissions): boolean {
  return index.some((action) => /^indices:(data\/read|admin\/mappings)\//.test(action));
}

function rolesExplained(model: AccessModel, subject: Subject): JsonObject {
  const unsure = listSubjectRoles(model, subject, "unknown");
  return { roles: listSubjectRoles(model, subject, "yes"), ...(unsure.length > 0 && { roles_unsure: unsure }) };
}

/** The limits of one index alone; those of several under their names. */
function limitsExplained(model: AccessModel, subject: Subject, on: readonly IndexName[]): JsonObject {
  const limits = on.map((one): [string, JsonObject] => {
    const { documents, fields, unsure } = findLimits(model, subject, one);
    const { only, not, masks } = fields;
    const isLimited = only !== undefined || not.length + masks.length > 0;
    return [
      one.name,
      {
        ...(documents && { documents: documents.map(({ shown }) => shown) }),
        ...(isLimited && { fields: { ...(only && { only }), not, masks } }),
        ...(unsure.length > 0 && { limits_unsure: unsure }),
      },
    ];
  });
  const [[, first] = []] = limits;
  return limits.length === 1 && first ? first : { by_index: Object.fromEntries(limits) };
}

/** What nothing grants; of what is granted, but not by one role as it has to be, all that one role would have to grant. */
function missingIn({ verdict, parts, takesOneRole }: RequestAnswer): readonly PermissionPart[] {
  const denied = parts.filter(({ evaluation }) => evaluation.verdict === "no");
  return verdict === "no" && denied.length === 0 && takesOneRole ? takesOneRole : denied;
}

/** Servers ask for what the cluster permits first and for what is done on shards last, and go no further than they must. */
function namedFirst(missing: readonly PermissionPart[], takesOneRole = false): readonly string[] {
  const stages = [
    missing.filter(({ index }) => index === undefined),
    missing.filter(({ action }) => takesOneRole || !/\[s(hard)?\]$/.test(action)),
    missing,
  ];
  const first = stages.find((stage) => stage.length > 0) ?? [];
  return actionsOf(first.filter(({ evaluation }) => evaluation.against.every(({ kind }) => kind !== "protected")));
}

function actionsOf(parts: readonly PermissionPart[]): readonly string[] {
  return unique(parts.map(({ action }) => action));
}

function reasons({ verdict, parts, takesOneRole }: RequestAnswer): readonly string[] {
  const deciding = parts.filter(({ evaluation }) => evaluation.verdict === verdict);
  const oneRole = sentence(
    verdict,
    `no role that is held grants all of it, and one role must: multi_rolespan_enabled is false`,
  );
  return unique([...deciding.flatMap(reasonsFor), ...(takesOneRole ? [oneRole] : [])]);
}

function reasonsFor({ action, index, evaluation: { verdict, chains, against } }: PermissionPart): readonly string[] {
  const what = `${action}${index ? ` on ${index.name}` : ""}`;
  const kept = against
    .filter((one) => verdict === "unknown" || one.verdict === "yes")
    .map((one) => sentence(one.verdict, againstExplained(one, what)));
  if (verdict === "unknown") return [...kept, ...chains.flatMap((chain) => unsureOf(chain, what))];
  return kept.length > 0 ? kept : [`No role that is held grants ${what}.`];
}

function againstExplained(one: Objection, what: string): string {
  switch (one.kind) {
    case "blocked":
      return "a block keeps this user out";
    case "protected":
      return "the product's own configuration is kept from everybody but its administrators";
    case "tenant":
      return `the tenant ${one.tenant} is needed besides`;
    case "excluded":
      return `the role ${one.role} excludes ${what}`;
    case "rewritten-query":
      return `the server answers 500 over the query of the role ${one.role} on ${one.pattern}`;
    case "refused-expression":
      return `the index pattern ${one.pattern} of the role ${one.role} becomes an expression that Java refuses, and the server answers 500`;
  }
}

function sentence(verdict: Verdict, clause: string): string {
  if (verdict === "unknown") return `Unknown: whether ${clause}.`;
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}

function unsureOf({ verdict, holding, granted, pattern, at }: Chain, what: string): readonly string[] {
  if (verdict === "yes") return [];
  if (holding.unlisted)
    return [sentence("unknown", `there is a role ${holding.role}, as the documentation names no built-in one`)];
  if (holding.verdict === "unknown") {
    const { field, entries } = holding.member;
    return [sentence(verdict, `the role ${holding.role} is held: its mapping has ${field}: ${entries.join(", ")}`)];
  }
  const place = at === undefined ? "cluster_permissions" : `index_permissions[${at}] (${pattern ?? ""})`;
  return [sentence(verdict, `${granted.pattern}, in ${place} of the role ${holding.role}, means ${what}`)];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** As JSON, whole. */
export function encodeExplanation({ verdict, missing, why, about }: AnswerExplanation): Json {
  return { verdict, ...about, missing, ...(why.length > 0 && { why }) };
}
