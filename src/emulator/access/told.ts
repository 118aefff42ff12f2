import type { IndexName } from "../../access/coverage.ts";
import type { Against, Chain } from "../../access/judge.ts";
import { limitsOn } from "../../access/limits.ts";
import type { AccessModel } from "../../access/model.ts";
import { type Answer, type Asked, judgeRequest, type Part } from "../../access/request.ts";
import type { Subject } from "../../access/subject.ts";
import { allOf, anyOf, not, type Verdict } from "../../access/verdict.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { rolesOf } from "./users.ts";

/** A request with what the model does not know of it. */
export interface Request extends Asked {
  /** Fails wherever DLS, FLS or masking applies. */
  readonly failsWhereRestricted: boolean;
}

/** What the emulator says of a request. */
export interface Told {
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

export function toldOf(model: AccessModel, subject: Subject, request: Request): Told {
  const open = request.on.filter(({ name }) => isOpen(name)).map(({ name }) => name);
  const held = rolesTold(model, subject);
  if (open.length > 0) {
    const why = `The emulator holds no indices, so that it cannot tell which ones ${open.join(", ")} stands for: name one.`;
    return { verdict: "unknown", missing: [], named: [], why: [why], about: held };
  }
  const answer = judgeRequest(model, subject, request);
  const fails: Verdict = request.failsWhereRestricted
    ? anyOf(request.on.map((one) => limitsOn(model, subject, one).restricted))
    : "no";
  const { reducedTo } = answer;
  const missing = missingIn(answer);
  return {
    verdict: allOf([answer.verdict, not(fails)]),
    missing: actionsOf(missing),
    named: namedFirst(missing, answer.takesOneRole !== undefined),
    why: [
      ...(answer.verdict === "no" || (answer.verdict === "unknown" && fails !== "yes") ? reasons(answer) : []),
      ...(answer.verdict === "no" ? [] : { yes: [noUpdates], unknown: [perhapsNoUpdates], no: [] }[fails]),
    ],
    about: {
      ...held,
      ...(reducedTo && { reduced_to: reducedTo.map(({ name }) => name) }),
      ...(answer.verdict !== "no" && isRead(request) && limitsTold(model, subject, reducedTo ?? request.on)),
    },
  };
}

const noUpdates = "The server updates no documents of an index on which DLS, FLS or masking applies to whoever asks.";

const perhapsNoUpdates = "Unknown: whether DLS, FLS or masking applies to this user there. If it does, updates fail.";

/** A name that stands for whatever indices there are, or for a date. */
function isOpen(name: string): boolean {
  return /[*?]|^<|^$/.test(name) || name === "_all";
}

function isRead({ index }: Asked): boolean {
  return index.some((action) => /^indices:(data\/read|admin\/mappings)\//.test(action));
}

function rolesTold(model: AccessModel, subject: Subject): JsonObject {
  const unsure = rolesOf(model, subject, "unknown");
  return { roles: rolesOf(model, subject, "yes"), ...(unsure.length > 0 && { roles_unsure: unsure }) };
}

/** Of one index they stand by themselves; of several, below their names. */
function limitsTold(model: AccessModel, subject: Subject, on: readonly IndexName[]): JsonObject {
  const limits = on.map((one): [string, JsonObject] => {
    const { documents, fields, unsure } = limitsOn(model, subject, one);
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
function missingIn({ verdict, parts, takesOneRole }: Answer): readonly Part[] {
  const denied = parts.filter(({ judgement }) => judgement.verdict === "no");
  return verdict === "no" && denied.length === 0 && takesOneRole ? takesOneRole : denied;
}

/** Servers ask for what the cluster permits first and for what is done on shards last, and go no further than they must. */
function namedFirst(missing: readonly Part[], takesOneRole = false): readonly string[] {
  const stages = [
    missing.filter(({ index }) => index === undefined),
    missing.filter(({ action }) => takesOneRole || !/\[s(hard)?\]$/.test(action)),
    missing,
  ];
  const first = stages.find((stage) => stage.length > 0) ?? [];
  return actionsOf(first.filter(({ judgement }) => judgement.against.every(({ kind }) => kind !== "protected")));
}

function actionsOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.map(({ action }) => action));
}

function reasons({ verdict, parts, takesOneRole }: Answer): readonly string[] {
  const deciding = parts.filter(({ judgement }) => judgement.verdict === verdict);
  const oneRole = sentence(
    verdict,
    `no role that is held grants all of it, as one must: multi_rolespan_enabled is false`,
  );
  return unique([...deciding.flatMap(reasonsFor), ...(takesOneRole ? [oneRole] : [])]);
}

function reasonsFor({ action, index, judgement: { verdict, chains, against } }: Part): readonly string[] {
  const what = `${action}${index ? ` on ${index.name}` : ""}`;
  const kept = against
    .filter((one) => verdict === "unknown" || one.verdict === "yes")
    .map((one) => sentence(one.verdict, againstTold(one, what)));
  if (verdict === "unknown") return [...kept, ...chains.flatMap((chain) => unsureOf(chain, what))];
  return kept.length > 0 ? kept : [`No role that is held grants ${what}.`];
}

function againstTold(one: Against, what: string): string {
  switch (one.kind) {
    case "blocked":
      return "a block keeps out whoever this is";
    case "protected":
      return "the product's own configuration is kept from everybody but its administrators";
    case "tenant":
      return `the tenant ${one.tenant} is needed besides`;
    case "excluded":
      return `the role ${one.role} excludes ${what}`;
  }
}

function sentence(verdict: Verdict, clause: string): string {
  if (verdict === "unknown") return `It cannot be told whether ${clause}.`;
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}

function unsureOf({ verdict, holding, granted, pattern, at }: Chain, what: string): readonly string[] {
  if (verdict === "yes") return [];
  if (holding.verdict === "unknown") {
    const { field, entries } = holding.way;
    return [sentence(verdict, `the role ${holding.role} is held: its mapping has ${field}: ${entries.join(", ")}`)];
  }
  const place = at === undefined ? "cluster_permissions" : `index_permissions[${at}] (${pattern ?? ""})`;
  return [sentence(verdict, `${granted.pattern}, in ${place} of the role ${holding.role}, means ${what}`)];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** As JSON, whole. */
export function asJson({ verdict, missing, why, about }: Told): Json {
  return { verdict, ...about, missing, ...(why.length > 0 && { why }) };
}
