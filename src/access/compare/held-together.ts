// Where one role has to grant all that a request takes (`multi_rolespan_enabled: false`), tables of single permissions
// do not show which requests are permitted: permissions that are granted before and after may no longer be held together.
import { findHiddenPatterns, restoreExample } from "../evaluate/attribute-values.ts";
import { listHeldRules } from "../evaluate/permission.ts";
import { isWrittenTogether } from "../evaluate/request.ts";
import type { AccessModel } from "../model/access-model.ts";
import { getHoldingCondition } from "../model/holders.ts";
import { needsOneRole } from "../model/settings.ts";
import type { Subject } from "../model/subject.ts";
import { getConditionKey } from "../verdict.ts";
import { verdicts } from "./table/codes.ts";
import { createGrantsFinder, getRulesText } from "./table/grants.ts";
import { createParting, type PartFinder } from "./table/parts.ts";
import { buildTable, type Column, type Table } from "./table/table.ts";

/** A permission that a request takes together with others; by example. */
export interface HeldPlace {
  readonly action: string;
  readonly index: string;
}

/** By an example of what a request takes. */
export interface HeldOtherwise {
  readonly gained?: HeldPlace;
  readonly lost?: HeldPlace;
}

/** What a subject holds by one role, as a state of its own. */
export interface OneRole {
  readonly name: string;
  /** The same for two states in which it grants the same, on the same condition. */
  readonly key: string;
  readonly model: AccessModel;
}

/** The roles of a subject that are about indices. */
export function listOneRoles(model: AccessModel, subject: Subject): readonly OneRole[] {
  const held = listHeldRules(model, subject).filter(({ rules }) => rules.index.length > 0);
  return held.map(({ holding, rules }) => ({
    name: holding.role,
    key: `${getConditionKey(getHoldingCondition(holding))} ${getRulesText(rules)}`,
    model: {
      ...model,
      holdings: (one: Subject) => model.holdings(one).filter(({ role }) => role === holding.role),
    },
  }));
}

/**
 * Requests that one role permits after and none before, though all that they take is granted before, and the other way
 * round. What single permissions show is not among them.
 */
export function findHeldOtherwise(
  [before, after]: readonly [AccessModel, AccessModel],
  subject: Subject,
  part: PartFinder,
): HeldOtherwise {
  if (!needsOneRole(before) || !needsOneRole(after)) return {};
  const [old, now] = [listOneRoles(before, subject), listOneRoles(after, subject)];
  const gained = findHeldByNone(
    excludeKnown(now, old).map(({ model }) => [model, before]),
    old,
    subject,
    part,
  );
  const lost = findHeldByNone(
    excludeKnown(old, now).map(({ model }) => [model, after]),
    now,
    subject,
    part,
  );
  const hidden = findHiddenPatterns([before, after], subject);
  const shown = ({ action, index }: HeldPlace): HeldPlace => ({ action, index: restoreExample(index, hidden) });
  return { ...(gained && { gained: shown(gained) }), ...(lost && { lost: shown(lost) }) };
}

/** In sentences: for whom requests that take several permissions at once pass, or fail, as roles share them otherwise. */
export function listHeldOtherwise(
  models: readonly [AccessModel, AccessModel],
  subjects: readonly { readonly name: string; readonly subject: Subject }[],
): readonly string[] {
  if (!models.every(needsOneRole)) return [];
  const [grantsOf, part] = [createGrantsFinder(), createParting()];
  const known = new Map<string | Subject, HeldOtherwise>();
  const all = subjects.map(({ name, subject }) => {
    const grants = models.map((model) => grantsOf(model, subject));
    const key = grants.every(({ isSameForAll }) => isSameForAll) ? grants.map((one) => one.key).join("\n") : subject;
    const found = known.get(key) ?? findHeldOtherwise(models, subject, part);
    known.set(key, found);
    return { name, ...found };
  });
  const of = (kind: keyof HeldOtherwise) =>
    all.flatMap(({ name, [kind]: place }) => (place === undefined ? [] : [{ name, place }]));
  return [...formatHeldOtherwise("gain", of("gained")), ...formatHeldOtherwise("lose", of("lost"))];
}

function formatHeldOtherwise(
  verb: "gain" | "lose",
  found: readonly { readonly name: string; readonly place: HeldPlace }[],
): readonly string[] {
  const [first] = found;
  if (!first) return [];
  const names = [...new Set(found.map(({ name }) => name))];
  const more = names.length > mostNames ? [`${names.length - mostNames} more`] : [];
  const who = [...names.slice(0, mostNames), ...more].join(", ");
  const { action, index } = first.place;
  return [
    `what ${who} ${verb}${names.length === 1 ? "s" : ""} by requests that take several permissions or indices at once, such as ` +
      `${action} on ${index}: one role has to grant all of these (multi_rolespan_enabled is off), and roles share them otherwise than before.`,
  ];
}

const mostNames = 5;

/** Those that grant something else than any of the others. */
export function excludeKnown(roles: readonly OneRole[], others: readonly OneRole[]): readonly OneRole[] {
  const known = new Set(others.map(({ key }) => key));
  return roles.filter(({ key }) => !known.has(key));
}

/**
 * Something that one request may take together, that all states of one of the lists grant, and no single one of some
 * roles.
 */
export function findHeldByNone(
  given: readonly (readonly AccessModel[])[],
  roles: readonly OneRole[],
  subject: Subject,
  part: PartFinder,
  isMeant: (action: string) => boolean = () => true,
): HeldPlace | undefined {
  // By one role everything is held together, and by none there is nothing.
  if (given.length === 0 || roles.length === 0) return undefined;
  const models = roles.map(({ model }) => model);
  for (const states of given) {
    const table = buildTable([...states, ...models], subject, part);
    const [all, single] = [table.columns.slice(0, states.length), table.columns.slice(states.length)];
    const place = findUncovered(table, all, single, isMeant);
    if (place) return place;
  }
  return undefined;
}

function findUncovered(
  table: Table,
  given: readonly Column[],
  single: readonly Column[],
  isMeant: (action: string) => boolean,
): HeldPlace | undefined {
  const { indices, actions } = table;
  const ofIndices = actions.ofLevel("index").filter((action) => isMeant(nameOf(table, action)));
  const written = ofIndices.filter((action) => isWrittenTogether(nameOf(table, action)));
  const isGiven = (action: number, index: number): boolean =>
    given.every((column) => column.index(index)[action] !== verdicts.no);
  // What is as unknown as it is there is held alike.
  const isHeld = (column: Column, action: number, index: number): boolean =>
    column.index(index)[action] === verdicts.yes ||
    given.some(
      (one) => getConditionKey(one.condition(action, index)) === getConditionKey(column.condition(action, index)),
    );
  const placeOf = (action: number, index: number): HeldPlace => ({
    action: nameOf(table, action),
    index: indices.cells[index]?.example ?? "",
  });
  // Documents are written by one request for each index.
  for (const index of indices.every) {
    const taken = written.filter((action) => isGiven(action, index));
    const last = taken.at(-1);
    if (taken.length < 2 || last === undefined) continue;
    if (!single.some((column) => taken.every((action) => isHeld(column, action, index)))) return placeOf(last, index);
  }
  // Any other request that is not made for each shard takes the same permission on all of its indices.
  for (const action of ofIndices) {
    if (written.includes(action) || nameOf(table, action).endsWith("[s]")) continue;
    const on = indices.every.filter((index) => isGiven(action, index));
    const last = on.at(-1);
    if (on.length < 2 || last === undefined) continue;
    if (!single.some((column) => on.every((index) => isHeld(column, action, index)))) return placeOf(action, last);
  }
  return undefined;
}

function nameOf({ actions }: Table, action: number): string {
  return actions.cells[action]?.example ?? "";
}
