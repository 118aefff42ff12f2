// Two evaluators of the fixtures of the proofs, one of which is our own model of access, and one the naive evaluator: what a principal
// holds, part by part, as bits.
import { isShutOut } from "../../../src/access/evaluate/blocked.ts";
import { coversIndex } from "../../../src/access/evaluate/coverage.ts";
import { showField } from "../../../src/access/evaluate/fields.ts";
import { findLimits } from "../../../src/access/evaluate/limits.ts";
import { createPermission, evaluatePermission as evaluatedByModel } from "../../../src/access/evaluate/permission.ts";
import { evaluateTenantAccess } from "../../../src/access/evaluate/tenants.ts";
import type { AccessModel } from "../../../src/access/model/access-model.ts";
import type { Subject } from "../../../src/access/model/subject.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Limits } from "../../../src/model/access.ts";
import type { Block, Fixture, Mapping } from "../../support/evaluated.ts";
import { evaluate, rolesOf } from "../../support/evaluator.ts";
import { modelOfFixture, subjectOfPerson } from "../../support/modelled.ts";
import { type AskedPerson, fixtureFor, isOut } from "../access/people.ts";
import { levelIn, queries, type Seen, tenantsSeen } from "../access/seen.ts";

/** Requests to the cluster, tenants, or one of the indices. */
export const parts = ["cluster", "tenants", "a", "ab", "abb", "b"] as const;
export type Part = (typeof parts)[number];

export interface Evaluate {
  readonly isMapped: (product: Fixture["product"], mapping: Mapping, askedPerson: AskedPerson) => boolean;
  readonly isOut: (product: Fixture["product"], block: Block, askedPerson: AskedPerson) => boolean;
  readonly covers: (product: Fixture["product"], pattern: string, index: string) => boolean;
  /** A bit for each thing that is held; each evaluator has an order of its own. */
  readonly batches: (fixture: Fixture, askedPerson: AskedPerson, part: Part) => bigint;
}

export const byNaiveEvaluate: Evaluate = {
  isMapped: (product, mapping, { person }) =>
    rolesOf({ ...empty(product), mappings: { x: mapping } }, person).length > 0,
  isOut: (product, block, { person }) => isOut(fixtureFor({ ...empty(product), blocks: [block] }, person), person),
  covers(product, pattern, name) {
    const roles = { x: { index_permissions: [{ index_patterns: [pattern], allowed_actions: ["*"] }] } };
    const person = { user: "x", backendRoles: [], roles: ["x"] };
    return evaluate({ ...empty(product), roles }, person, ["indices:data/read/search"], [{ name }]) !== false;
  },
  batches(fixture, { person }, part) {
    if (part === "tenants") {
      const levels = [...tenantsSeen(fixture, person).values()];
      return bits(digits(levels.flatMap((level) => [true, level === "write"])));
    }
    if (part === "cluster")
      return bits(digits(ofCluster.map((action) => levelIn(fixture, person, action) !== "denied")));
    return bits(...ofIndex.map((action) => digitsSeen(levelIn(fixture, person, action, part))));
  },
};

export const byModel: Evaluate = {
  isMapped(product, mapping, askedPerson) {
    const model = modelOfFixture({ ...empty(product), mappings: { x: mapping } });
    return model.holdings(subjectOf(askedPerson)).some(({ verdict }) => isYes(verdict));
  },
  isOut(product, block, askedPerson) {
    const { blocks = [] } = fixtureFor({ ...empty(product), blocks: [block] }, askedPerson.person);
    return isYes(isShutOut(blocks as readonly (Block & Fields)[], subjectOf(askedPerson)));
  },
  covers(product, pattern, name) {
    return isYes(coversIndex(pattern, { name }, modelOfFixture(empty(product)).state.semantics, { backendRoles: [] }));
  },
  batches(fixture, askedPerson, part) {
    const [model, subject] = [modelFor(fixtureFor(fixture, askedPerson.person)), subjectOf(askedPerson)];
    const holds = (action: string, name?: string) =>
      isYes(
        evaluatedByModel(model, subject, createPermission(action, name === undefined ? undefined : { name })).verdict,
      );
    if (part === "cluster") return bits(digits(ofCluster.map((action) => holds(action))));
    if (part === "tenants") {
      const { reads, writes } = evaluateTenantAccess(model, subject, "t1");
      return bits(digits([isYes(reads), isYes(writes)]));
    }
    const looks = looksAt(model, subject, part);
    return bits(
      ...ofIndex.map((action) => {
        if (!holds(action, part)) return `0${unseen}`;
        return action.startsWith("indices:data/read/") ? `1${looks}` : `1${unseen}`;
      }),
    );
  },
};

/** Some permission distinguishes each from the others of the fixtures. */
const ofCluster = ["cluster:monitor/main", "cluster:admin/other", "indices:data/read/mget"];
const ofIndex = [
  "indices:data/write/index",
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/read/other",
];
const fields = ["f", "f.x", "g", "g.x", "h", "h.x", "hx", "z"];
const documents = [0, 1, 2, 3];

function empty(product: Fixture["product"]): Fixture {
  return { product, groups: {}, roles: {}, mappings: {}, tenants: [], blocks: [] };
}

/** A digit for each. */
function digits(held: readonly boolean[]): string {
  return held.map(Number).join("");
}

function bits(...held: readonly string[]): bigint {
  return BigInt(`0b0${held.join("")}`);
}

const unseen = "0".repeat(documents.length * (1 + 2 * fields.length));

function digitsSeen(seen: Seen): string {
  if (seen === "denied") return `0${unseen}`;
  return seen === "allowed" ? `1${unseen}` : `1${looksSeen(seen)}`;
}

const known = new Map<string, string>();

/** Of each document whether it is seen, and each of its fields: whether it is, and whether clearly. */
function looksSeen({ docs, fields: looks }: Exclude<Seen, string>): string {
  const key = `${docs} ${looks}`;
  const ofFields = () => digits(looks.flatMap((look) => [look !== "hidden", look === "shown"]));
  const found = known.get(key) ?? looksOf((document) => docs.includes(document), ofFields());
  known.set(key, found);
  return found;
}

function looksOf(isSeen: (document: number) => boolean, ofFields: string): string {
  return documents.map((document) => (isSeen(document) ? `1${ofFields}` : "0".repeat(1 + ofFields.length))).join("");
}

const models = new WeakMap<Fixture, AccessModel>();

function modelFor(fixture: Fixture): AccessModel {
  const model = models.get(fixture) ?? modelOfFixture(fixture);
  models.set(fixture, model);
  return model;
}

function looksAt(model: AccessModel, subject: Subject, name: string): string {
  const limits = findLimits(model, subject, { name });
  if (limits.unsure.length > 0) throw new Error("bug: a fixture that cannot be evaluated");
  const looks = fields.map((field) => showField(limits.fields, field));
  const ofFields = digits(looks.flatMap((look) => [look !== "hidden", look === "shown"]));
  return looksOf((document) => finds(limits, document), ofFields);
}

/** A document has a bit for each query that finds it. */
function finds({ documents: found }: Limits, document: number): boolean {
  return !found || found.some(({ key }) => (document & (1 << queries.indexOf(key))) !== 0);
}

const subjects = new Map<AskedPerson, Subject>();

/** Of a missing name nothing is said. */
function subjectOf(askedPerson: AskedPerson): Subject {
  const { user: _, ...nameless } = subjectOfPerson(askedPerson.person);
  const isNamed = askedPerson.members.some(({ field }) => field === "users");
  const subject = subjects.get(askedPerson) ?? (isNamed ? subjectOfPerson(askedPerson.person) : nameless);
  subjects.set(askedPerson, subject);
  return subject;
}

function isYes(verdict: "yes" | "no" | "unknown"): boolean {
  if (verdict === "unknown") throw new Error("bug: a fixture that cannot be evaluated");
  return verdict === "yes";
}
