import { canonicalFields } from "../../families/canonical.ts";
import { factsOf } from "../../families/index.ts";
import { equal, type Fields, isList, isObject, isText, text, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { isResourceFamily, type ResourceFamily } from "../../model/names.ts";

/**
 * The least of a change that a request can make by itself: an element that a set loses or gains; or all of a change that
 * has nothing to take apart.
 */
export interface Atom {
  readonly kind: "removing" | "adding";
  /** Absent: all of the change. */
  readonly element?: Element;
}

interface Element {
  readonly field: string;
  /** In the list before where it is removed, in the list after where it is added. */
  readonly at: number;
  /** The element stands in a permission that stays: where that was and where it will be. */
  readonly inside?: Inside;
}

interface Inside {
  readonly field: string;
  readonly before: number;
  readonly after: number;
}

/** What one value of a resource was and will be. */
export interface Ends {
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
}

const known = new WeakMap<Change, readonly Atom[]>();

/** At least one. Fields that are no sets are no atoms of their own: they change along with the first. */
export function atomsOf(change: Change): readonly Atom[] {
  const atoms = known.get(change) ?? takenApart(change);
  known.set(change, atoms);
  return atoms;
}

function takenApart({ family, action, before, after }: Change): readonly Atom[] {
  const whole: Atom = { kind: action === "delete" ? "removing" : "adding" };
  if (!isResourceFamily(family)) return [whole];
  const facts = Object.entries(factsOf[family].fields);
  const isOfAnotherKind = facts.some(([field, { kind }]) => kind === "word" && before?.[field] !== after?.[field]);
  if (before && after && isOfAnotherKind) return [whole];
  // Who has all of several backend roles: with one of them less, others would be let in.
  if (!equal(before?.and_backend_roles, after?.and_backend_roles)) return [whole];
  const atoms = facts.flatMap(([field, { kind }]): readonly Atom[] => {
    const [old, wanted] = [before?.[field], after?.[field]];
    if (kind === "set") return atomsOfSet(field, listOf(old), listOf(wanted));
    return kind === "permissions" ? atomsOfPermissions(field, listOf(old), listOf(wanted)) : [];
  });
  return atoms.length === 0 ? [whole] : atoms;
}

function atomsOfSet(field: string, before: readonly Value[], after: readonly Value[], inside?: Inside): Atom[] {
  const [old, wanted] = [before, after].map((list) => new Set(list.map(wordOf)));
  const of = (kind: Atom["kind"], list: readonly Value[], others: Set<unknown> | undefined) =>
    list.flatMap((item, at): Atom[] =>
      others?.has(wordOf(item)) ? [] : [{ kind, element: { field, at, ...(inside && { inside }) } }],
    );
  return [...of("removing", before, wanted), ...of("adding", after, old)];
}

/** A permission of which one list alone changes is taken apart; any other goes and comes as a whole. */
function atomsOfPermissions(field: string, before: readonly Value[], after: readonly Value[]): readonly Atom[] {
  const { gone, come } = unmatched(before, after, equal);
  const pairs = gone.flatMap((at) => {
    const place = come.findIndex((other) => listThatDiffers(before[at], after[other]) !== undefined);
    return place === -1 ? [] : [{ field, before: at, after: come.splice(place, 1)[0] as number }];
  });
  const paired = new Set(pairs.map((pair) => pair.before));
  return [
    ...pairs.flatMap((inside) => {
      const [old, wanted] = [before[inside.before], after[inside.after]];
      const list = listThatDiffers(old, wanted) ?? "";
      return atomsOfSet(list, listIn(old, list), listIn(wanted, list), inside);
    }),
    ...gone.filter((at) => !paired.has(at)).map((at): Atom => ({ kind: "removing", element: { field, at } })),
    ...come.map((at): Atom => ({ kind: "adding", element: { field, at } })),
  ];
}

/** The places of elements that the other list does not have, one by one. */
function unmatched(before: readonly Value[], after: readonly Value[], isSame: (a: Value, b: Value) => boolean) {
  const come = after.map((_, at) => at);
  const gone = before.flatMap((item, at) => {
    const place = come.findIndex((other) => isSame(item, after[other] ?? null));
    if (place !== -1) come.splice(place, 1);
    return place === -1 ? [at] : [];
  });
  return { gone, come };
}

function listThatDiffers(before: Value | undefined, after: Value | undefined): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = fields.filter((field) => !equal(before[field], after[field]));
  const [field] = differing;
  if (field === undefined || differing.length > 1) return undefined;
  if (!isList(before[field]) || !isList(after[field])) return undefined;
  // A permission of no action is one that servers keep; of one without patterns that is not known.
  const stays = new Set(listOf(after[field]).map(wordOf));
  const keepsSome = listOf(before[field]).some((item) => stays.has(wordOf(item)));
  return keepsSome || field === "allowed_actions" ? field : undefined;
}

/**
 * A resource of whose change some atoms are made: in canonical form; what it was without any, what it will be with all.
 *
 * @param ends of the change that the atoms are of, or what is shown of them, place by place
 */
export function midway(change: Change, chosen: ReadonlySet<Atom>, ends: Ends = change): Fields | undefined {
  const atoms = atomsOf(change);
  const { before, after } = ends;
  const made = atoms.filter((atom) => chosen.has(atom));
  if (made.length === 0) return before;
  if (made.length === atoms.length) return after;
  const fields: Record<string, Value> = { ...(after ?? before) };
  const lists = new Set(atoms.flatMap(({ element }) => (element ? [(element.inside ?? element).field] : [])));
  for (const field of lists) {
    fields[field] = listMidway(field, listOf(before?.[field]), listOf(after?.[field]), atoms, chosen);
  }
  return canonicalFields(fields, factsOf[change.family as ResourceFamily].fields);
}

function listMidway(
  field: string,
  before: readonly Value[],
  after: readonly Value[],
  atoms: readonly Atom[],
  chosen: ReadonlySet<Atom>,
): readonly Value[] {
  const ours = atoms.filter(({ element }) => element && (element.inside ?? element).field === field);
  const [removed, added] = placesOf(
    ours.filter(({ element }) => !element?.inside),
    chosen,
  );
  const stays = before.flatMap((item, at) => {
    const inside = ours.filter(({ element }) => element?.inside?.before === at);
    if (inside.length > 0) return [permissionMidway(item, after, inside, chosen)];
    return removed.has(at) ? [] : [item];
  });
  return [...stays, ...after.filter((_, at) => added.has(at))];
}

function permissionMidway(
  before: Value,
  after: readonly Value[],
  atoms: readonly Atom[],
  chosen: ReadonlySet<Atom>,
): Value {
  const { field = "", inside } = atoms[0]?.element ?? {};
  const [removed, added] = placesOf(atoms, chosen);
  const [old, wanted] = [listIn(before, field), listIn(after[inside?.after ?? 0], field)];
  return {
    ...(before as Fields),
    [field]: [...old.filter((_, at) => !removed.has(at)), ...wanted.filter((_, at) => added.has(at))],
  };
}

/** Of the chosen atoms, in the lists before and after. */
function placesOf(atoms: readonly Atom[], chosen: ReadonlySet<Atom>): readonly [Set<number>, Set<number>] {
  const made = (kind: Atom["kind"]) =>
    new Set(atoms.flatMap((atom) => (atom.kind === kind && atom.element && chosen.has(atom) ? [atom.element.at] : [])));
  return [made("removing"), made("adding")];
}

function listIn(value: Value | undefined, field: string): readonly Value[] {
  return isObject(value) ? listOf(value[field]) : [];
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

function wordOf(item: Value): unknown {
  return isText(item) ? text(item) : item;
}
