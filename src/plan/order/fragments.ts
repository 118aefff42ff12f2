import { canonicaliseFields } from "../../families/canonical.ts";
import { factsOf } from "../../families/index.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { type Fields, isEqual, isList, isObject, isText, toComparable, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { isResourceFamily, type ResourceFamily } from "../../model/names.ts";

/**
 * The smallest part of a change that one request can make: an element that a set loses or gains; or the whole of a
 * change without sets.
 */
export interface ChangeFragment {
  readonly kind: "removing" | "adding";
  /** Absent: all of the change. */
  readonly element?: Element;
}

interface Element {
  readonly field: string;
  /** In the list before where it is removed, in the list after where it is added. */
  readonly at: number;
  /** The element is in a permission that stays: its position before and after. */
  readonly inside?: Inside;
}

interface Inside {
  readonly field: string;
  readonly before: number;
  readonly after: number;
}

/** What one value of a resource was and will be. */
export interface FragmentEnds {
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
}

/**
 * At least one. Fields that are no sets are no fragments of their own: they change with the first one. The same change
 * (the same object, which nothing mutates) always gets the same fragments, as they are compared by identity: in the
 * batches that requests are made of, and among what may concern a principal.
 */
export const splitIntoFragments: (change: Change) => readonly ChangeFragment[] = memoiseByObject(takenApart);

function takenApart({ family, action, before, after }: Change): readonly ChangeFragment[] {
  const whole: ChangeFragment = { kind: action === "delete" ? "removing" : "adding" };
  // A password goes with all of its user.
  if (!isResourceFamily(family) || family === "internal_users") return [whole];
  const facts = Object.entries(factsOf[family].fields);
  const isOfAnotherKind = facts.some(([field, { kind }]) => kind === "word" && before?.[field] !== after?.[field]);
  if (before && after && isOfAnotherKind) return [whole];
  // Who has all of several backend roles: with one of them less, others would be let in.
  if (!isEqual(before?.and_backend_roles, after?.and_backend_roles)) return [whole];
  const fragments = facts.flatMap(([field, { kind }]): readonly ChangeFragment[] => {
    const [old, wanted] = [before?.[field], after?.[field]];
    if (kind === "set") return fragmentsOfSet(field, listOf(old), listOf(wanted));
    return kind === "permissions" ? fragmentsOfPermissions(field, listOf(old), listOf(wanted)) : [];
  });
  return fragments.length === 0 ? [whole] : fragments;
}

function fragmentsOfSet(
  field: string,
  before: readonly Value[],
  after: readonly Value[],
  inside?: Inside,
): ChangeFragment[] {
  const [old, wanted] = [before, after].map((list) => new Set(list.map(wordOf)));
  const of = (kind: ChangeFragment["kind"], list: readonly Value[], others: Set<unknown> | undefined) =>
    list.flatMap((item, at): ChangeFragment[] =>
      others?.has(wordOf(item)) ? [] : [{ kind, element: { field, at, ...(inside && { inside }) } }],
    );
  return [...of("removing", before, wanted), ...of("adding", after, old)];
}

/** A permission of which one list alone changes is taken apart; any other goes and comes as a whole. */
function fragmentsOfPermissions(
  field: string,
  before: readonly Value[],
  after: readonly Value[],
): readonly ChangeFragment[] {
  const { gone, come } = unmatched(before, after, isEqual);
  const pairs = gone.flatMap((at) => {
    const place = come.findIndex((other) => listThatDiffers(before[at], after[other]) !== undefined);
    return place === -1 ? [] : [{ field, before: at, after: come.splice(place, 1)[0] as number }];
  });
  const paired = new Set(pairs.map((pair) => pair.before));
  return [
    ...pairs.flatMap((inside) => {
      const [old, wanted] = [before[inside.before], after[inside.after]];
      const list = listThatDiffers(old, wanted) ?? "";
      return fragmentsOfSet(list, listIn(old, list), listIn(wanted, list), inside);
    }),
    ...gone.filter((at) => !paired.has(at)).map((at): ChangeFragment => ({ kind: "removing", element: { field, at } })),
    ...come.map((at): ChangeFragment => ({ kind: "adding", element: { field, at } })),
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
  const differing = fields.filter((field) => !isEqual(before[field], after[field]));
  const [field] = differing;
  if (field === undefined || differing.length > 1) return undefined;
  if (!isList(before[field]) || !isList(after[field])) return undefined;
  // A permission of no action is one that servers keep; of one without patterns that is not known.
  const stays = new Set(listOf(after[field]).map(wordOf));
  const keepsSome = listOf(before[field]).some((item) => stays.has(wordOf(item)));
  return keepsSome || field === "allowed_actions" ? field : undefined;
}

/**
 * A resource with some fragments of its change made, in canonical form: with none it is the value before, with all
 * the value after.
 *
 * @param ends the values before and after, or what is shown of them, at the same positions
 */
export function getIntermediateResource(
  change: Change,
  chosen: ReadonlySet<ChangeFragment>,
  ends: FragmentEnds = change,
): Fields | undefined {
  const fragments = splitIntoFragments(change);
  const { before, after } = ends;
  const made = fragments.filter((fragment) => chosen.has(fragment));
  if (made.length === 0) return before;
  if (made.length === fragments.length) return after;
  const fields: Record<string, Value> = { ...(after ?? before) };
  const lists = new Set(fragments.flatMap(({ element }) => (element ? [(element.inside ?? element).field] : [])));
  for (const field of lists) {
    fields[field] = listIntermediate(field, listOf(before?.[field]), listOf(after?.[field]), fragments, chosen);
  }
  return canonicaliseFields(fields, factsOf[change.family as ResourceFamily].fields);
}

function listIntermediate(
  field: string,
  before: readonly Value[],
  after: readonly Value[],
  fragments: readonly ChangeFragment[],
  chosen: ReadonlySet<ChangeFragment>,
): readonly Value[] {
  const relevant = fragments.filter(({ element }) => element && (element.inside ?? element).field === field);
  const [removed, added] = placesOf(
    relevant.filter(({ element }) => !element?.inside),
    chosen,
  );
  const stays = before.flatMap((item, at) => {
    const inside = relevant.filter(({ element }) => element?.inside?.before === at);
    if (inside.length > 0) return [permissionIntermediate(item, after, inside, chosen)];
    return removed.has(at) ? [] : [item];
  });
  return [...stays, ...after.filter((_, at) => added.has(at))];
}

function permissionIntermediate(
  before: Value,
  after: readonly Value[],
  fragments: readonly ChangeFragment[],
  chosen: ReadonlySet<ChangeFragment>,
): Value {
  const { field = "", inside } = fragments[0]?.element ?? {};
  const [removed, added] = placesOf(fragments, chosen);
  const [old, wanted] = [listIn(before, field), listIn(after[inside?.after ?? 0], field)];
  return {
    ...(before as Fields),
    [field]: [...old.filter((_, at) => !removed.has(at)), ...wanted.filter((_, at) => added.has(at))],
  };
}

/** The positions of the chosen fragments in the lists before and after. */
function placesOf(
  fragments: readonly ChangeFragment[],
  chosen: ReadonlySet<ChangeFragment>,
): readonly [Set<number>, Set<number>] {
  const made = (kind: ChangeFragment["kind"]) =>
    new Set(
      fragments.flatMap((fragment) =>
        fragment.kind === kind && fragment.element && chosen.has(fragment) ? [fragment.element.at] : [],
      ),
    );
  return [made("removing"), made("adding")];
}

function listIn(value: Value | undefined, field: string): readonly Value[] {
  return isObject(value) ? listOf(value[field]) : [];
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

function wordOf(item: Value): unknown {
  return isText(item) ? toComparable(item) : item;
}
