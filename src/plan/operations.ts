import { assert } from "../diagnostics/failure.ts";
import { encodeConfig, encodeField, encodeForBulk, encodeResource, getWireName } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getEmptyValue } from "../families/canonical.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { toPointer } from "../json/pointer.ts";
import type { Fields } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import { exceeds, formatLimit, splitIntoRuns, usualBodyLimit, withTestsThatFit } from "./body-limit.ts";
import { createConfigPatch } from "./config-patch.ts";
import { canUrlCarry } from "./names.ts";
import { orderCut } from "./order/stages.ts";
import { createTests, removeSecretTests } from "./tests.ts";

/** The paths of families on this server, as far as reading has shown them. */
export interface WireContext {
  readonly dialect: Dialect;
  /** Why PATCH does not work for a family, where it does not. */
  readonly withoutPatch: ReadonlyMap<ResourceFamily, string>;
  /** The path that a collection answered to, where it is not the plain one. */
  readonly paths: ReadonlyMap<ResourceFamily, string>;
  /** Bytes that a body may have; absent: the default of search engines. */
  readonly bodyLimit?: number;
}

/**
 * The fewest requests that make the changes of one family: one, wherever the server can take it. A lone create is a
 * PUT, a lone update a PATCH of that resource, a lone delete a DELETE, anything more one bulk PATCH, or as many as the
 * limit of a body forces. What is too long by itself is left so: a guard refuses it.
 */
export function createOperations(changes: readonly Change[], context: WireContext): readonly Operation[] {
  const { bodyLimit = usualBodyLimit } = context;
  return createWithTests(changes, context, bodyLimit).map((operation) => withTestsThatFit(operation, bodyLimit));
}

function createWithTests(changes: readonly Change[], context: WireContext, bodyLimit: number): readonly Operation[] {
  const [first] = changes;
  if (!first) return [];
  if (!isResourceFamily(first.family)) return [documentOperation(first, context.dialect)];
  const family = first.family;
  if (context.dialect.documents?.[family] !== undefined) {
    return changes.map((change) => createSingleOperation(change, family, context, undefined));
  }
  const noPatch = context.withoutPatch.get(family);
  if (noPatch !== undefined) return changes.map((change) => createSingleOperation(change, family, context, noPatch));

  const { pointerReaches } = context.dialect;
  const bulk = changes.filter(({ name }) => pointerReaches(name));
  const beyond = changes.filter(({ name }) => !pointerReaches(name));
  const alone = changes.length === 1;
  return [
    ...createBulkOperations(bulk, family, context, bodyLimit),
    ...beyond.map((change) =>
      createSingleOperation(change, family, context, alone ? undefined : explainUnreachable(change.name)),
    ),
  ];
}

function createBulkOperations(
  changes: readonly Change[],
  family: ResourceFamily,
  context: WireContext,
  bodyLimit: number,
): readonly Operation[] {
  if (changes.length === 0) return [];
  const whole = createOperation(changes, family, context);
  if (changes.length === 1 || !exceeds(whole.body, bodyLimit)) return [whole];
  const runs = splitIntoRuns(orderCut(changes), (change) => stepsOf(change, family, context.dialect), bodyLimit);
  const split = `split: the body limit is ${formatLimit(bodyLimit)}`;
  return runs
    .map((run) => createOperation(run, family, context))
    .map((operation) => ({
      ...operation,
      reason: operation.reason === undefined ? split : `${split}; ${operation.reason}`,
    }));
}

/** One request for all of them, as short as it gets. */
function createOperation(changes: readonly Change[], family: ResourceFamily, context: WireContext): Operation {
  const [first] = changes;
  assert(first, "A request is made for no change.");
  if (changes.length === 1 && canUrlCarry(first.name)) return createSingleOperation(first, family, context, undefined);
  return {
    family,
    method: "PATCH",
    path: context.paths.get(family) ?? getCollectionPath(context.dialect, family),
    body: removeSecretTests(changes.flatMap((change) => stepsOf(change, family, context.dialect))),
    names: changes.map(({ name }) => name),
    bulk: true,
    ...(changes.length === 1 && { reason: `the name ${JSON.stringify(first.name)} does not travel well in a URL` }),
  };
}

/** What a change adds to the list of a bulk PATCH. */
function stepsOf(change: Change, family: ResourceFamily, dialect: Dialect): readonly Fields[] {
  return [...createTests(change, dialect, [change.name]), ...bulkPatch(change, family, dialect)];
}

/** One resource by a request of its own. */
function createSingleOperation(
  change: Change,
  family: ResourceFamily,
  context: WireContext,
  reason: string | undefined,
): Operation {
  const { dialect } = context;
  const document = dialect.documents?.[family];
  const path = document
    ? `${dialect.prefix}/${document}`
    : `${getCollectionPath(dialect, family)}/${encodeURIComponent(change.name)}`;
  const rest = { family, path, names: [change.name], bulk: false, ...(reason !== undefined && { reason }) };
  if (change.action === "delete") return { method: "DELETE", ...rest };
  const after = afterOf(change);
  if (document || isWrittenWhole(change, family, dialect) || context.withoutPatch.has(family)) {
    return { method: "PUT", body: encodeResource(dialect, family, after), ...rest };
  }
  return {
    method: "PATCH",
    body: removeSecretTests([...createTests(change, dialect, []), ...fieldPatches(change, family, dialect, [])]),
    ...rest,
  };
}

function bulkPatch(change: Change, family: ResourceFamily, dialect: Dialect): readonly Fields[] {
  if (change.action === "delete") return [{ op: "remove", path: toPointer([change.name]) }];
  const whole = { op: "add", path: toPointer([change.name]), value: encodeForBulk(dialect, family, afterOf(change)) };
  if (isWrittenWhole(change, family, dialect) || isBareGroup(family, dialect)) return [whole];
  return fieldPatches(change, family, dialect, [change.name]);
}

/** One operation for each top-level field that differs; a set is replaced as a set. */
function fieldPatches(
  change: Change,
  family: ResourceFamily,
  dialect: Dialect,
  at: readonly string[],
): readonly Fields[] {
  const after = afterOf(change);
  const touched = fieldsTouched(change);
  return [...touched, ...missingWithout(touched, after, family, dialect)].map((field): Fields => {
    const path = toPointer([...at, getWireName(dialect, family, field)]);
    const fact = factsOf[family].fields[field];
    const value = after[field] ?? (fact && getEmptyValue(fact));
    if (value === undefined) return { op: "remove", path };
    // `add` replaces what is there and works where a server keeps no default; a bare group is its list alone.
    const op = isBareGroup(family, dialect) ? "replace" : "add";
    return { op, path, value: encodeField(dialect, family, field, value) };
  });
}

/**
 * A list that has to be there, though it stays empty: the server patches the entry without its empty fields, and then
 * finds a mandatory one missing.
 */
function missingWithout(
  touched: readonly string[],
  after: Fields,
  family: ResourceFamily,
  dialect: Dialect,
): readonly string[] {
  const oneOf = mandatoryLists(family, after, dialect);
  const [first] = oneOf;
  if (first === undefined || oneOf.some((field) => after[field] !== undefined || touched.includes(field))) return [];
  return [first];
}

function mandatoryLists(family: ResourceFamily, after: Fields, dialect: Dialect): readonly string[] {
  // A role of 6.x has `cluster` or `indices`, and an empty map counts for nothing.
  const isSixRole = family === "roles" && dialect.documentTypes;
  if (isSixRole && after.index_permissions === undefined) return ["cluster_permissions"];
  if (!dialect.omitsEmpty) return [];
  return family === "role_mappings" ? dialect.mappingLists : family === "action_groups" ? ["allowed_actions"] : [];
}

function fieldsTouched(change: Change): readonly string[] {
  return [...new Set(change.edits.map(({ path }) => path[0] as string))];
}

function documentOperation(change: Change, dialect: Dialect): Operation {
  const rest = { family: change.family, method: "PUT", names: [change.name], bulk: false } as const;
  if (change.family === "config") {
    const patch = createConfigPatch(change, dialect);
    if (patch) {
      const reason = "just the edits, because the server shows asterisks for its secrets";
      return { ...rest, method: "PATCH", path: `${dialect.prefix}/${dialect.config.path}`, body: patch, reason };
    }
    const path = `${dialect.prefix}/${dialect.config.putPath}`;
    return { ...rest, path, body: encodeConfig(dialect, afterOf(change)) };
  }
  assert(dialect.license, "A license is planned for a product that has none.");
  const body = { [dialect.license.key]: afterOf(change).text ?? "" };
  return { ...rest, path: `${dialect.prefix}/${dialect.license.path}`, body };
}

export function getCollectionPath(dialect: Dialect, family: ResourceFamily): string {
  const segment = dialect.collections[family];
  assert(segment, `${dialect.product} has no ${getNoun(family, 2)}.`);
  return `${dialect.prefix}/${segment}`;
}

function isWrittenWhole({ action, live }: Change, family: ResourceFamily, dialect: Dialect): boolean {
  return action === "create" || live?.isNull === true || (family === "action_groups" && dialect.actionGroup.whole);
}

function isBareGroup(family: ResourceFamily, dialect: Dialect): boolean {
  return family === "action_groups" && dialect.actionGroup.bare;
}

function afterOf(change: Change): Fields {
  assert(change.after, `The change of ${change.family}/${change.name} has no value to write.`);
  return change.after;
}

function explainUnreachable(name: string): string {
  return `no JSON pointer reaches the name ${JSON.stringify(name)} safely`;
}
