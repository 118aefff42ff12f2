// Three ways: what was declared when an entry was applied last, what the files declare now, and what the server has.
import type { Field } from "../families/facts.ts";
import { toMultiset } from "../json/canonical.ts";
import { type Fields, isEqual, isObject, listValues, type Value } from "../json/value.ts";
import { pairElements, withoutEqual } from "./match.ts";

/** Something that the merge leaves as the files have it. */
export interface KeptPart {
  /** From the entry down to a setting. */
  readonly path: readonly string[];
  /** Of a list of objects: the one on the server; absent where it is gone there, and of everything else. */
  readonly element?: Fields;
  /** Whether the server has changed it, too; else the files alone have. */
  readonly isBoth: boolean;
}

export interface Merged {
  readonly value: Fields;
  readonly kept: readonly KeptPart[];
}

/** What is known of the fields below; `open`: maps of settings to any depth. */
export type MergedFields = Readonly<Record<string, Field>> | "open";

/**
 * What the server alone changed is taken. What the files changed stays, and is listed. A part is a field, a setting of a
 * document, or an object of a list; a list of texts is one.
 */
export function mergeFields(base: Fields, files: Fields, live: Fields, facts: MergedFields): Merged {
  const kept: KeptPart[] = [];
  return { value: mergeAt([], [base, files, live], facts, kept), kept };
}

type Three = readonly [base: Fields, files: Fields, live: Fields];

function mergeAt(path: readonly string[], three: Three, facts: MergedFields, kept: KeptPart[]): Fields {
  const names = [...new Set(three.slice(1).flatMap(Object.keys))];
  return Object.fromEntries(
    names.flatMap((name): [string, Value][] => {
      const [base, files, live] = three.map((side) => getOwn(side, name));
      const at = [...path, name];
      const field = facts === "open" ? undefined : getField(facts, name);
      const isNested = facts === "open" || field?.kind === "settings";
      const value = ((): Value | undefined => {
        if (isEqual(files, live)) return files;
        if (isNested && isObject(files) && isObject(live))
          return mergeAt(at, [isObject(base) ? base : {}, files, live], field?.element ?? "open", kept);
        if (isEqual(base, files)) return live;
        if (isEqual(base, live)) {
          kept.push({ path: at, isBoth: false });
          return files;
        }
        const lists = [base, files, live].map(listValues);
        if (field?.kind === "permissions" && lists.every((list) => list.every(isObject)))
          return mergeElements(at, lists as unknown as Lists, Object.keys(field.element ?? {})[0] ?? "", kept);
        kept.push({ path: at, isBoth: true });
        return files;
      })();
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

type Lists = readonly [base: readonly Fields[], files: readonly Fields[], live: readonly Fields[]];

/** @param key what an element is about, such as its index patterns */
function mergeElements(
  path: readonly string[],
  [base, files, live]: Lists,
  key: string,
  kept: KeptPart[],
): Value | undefined {
  const [notInFiles, inFiles] = withoutEqual(base, files);
  const [notInLive, inLive] = withoutEqual(base, live);
  const [ofFiles, ofLive] = withoutEqual(inFiles, inLive);
  const agreed = omit(inFiles, ofFiles);
  const changedInFiles = omit(notInFiles, notInLive);
  const changedInLive = omit(notInLive, notInFiles);
  const changedInBoth = omit(notInFiles, changedInFiles);
  const unchanged = omit(base, [...notInFiles, ...changedInLive]);
  const same = pairElements(changedInBoth, agreed, key);
  const open = changedInBoth.filter((element) => !same.has(element));
  const inFilesNow = pairElements([...changedInFiles, ...open], ofFiles, key);
  const inLiveNow = pairElements([...changedInLive, ...open], ofLive, key);
  const conflicting = new Set<Fields>();
  const listed = new Set<Fields>();
  const list = (own: Fields | undefined, element: Fields | undefined) => {
    if (own) listed.add(own);
    if (element) conflicting.add(element);
    kept.push({ path, isBoth: true, ...(element && { element }) });
  };
  for (const element of open) {
    const [own, other] = [inFilesNow.get(element), inLiveNow.get(element)];
    // What has no pattern in common with an element that is gone may well be another one, which the files added.
    if (other || (own && sharesMember(element[key], own[key]))) list(own, other);
  }
  // Both may add one about the same patterns.
  const isNew = (changed: readonly Fields[], now: ReadonlyMap<Fields, Fields>) => {
    const edited = changed
      .map((element) => now.get(element))
      .filter((to, at) => sharesMember(changed[at]?.[key], to?.[key]));
    return (element: Fields) => !edited.includes(element) && !listed.has(element) && !conflicting.has(element);
  };
  const newInFiles = ofFiles.filter(isNew(changedInFiles, inFilesNow));
  const newInLive = ofLive.filter(isNew(changedInLive, inLiveNow));
  for (const [own, other] of pairElements(newInFiles, newInLive, key))
    if (isEqual(own[key], other[key])) list(own, other);
  if (changedInFiles.length > 0 || ofFiles.some((element) => !listed.has(element))) kept.push({ path, isBoth: false });
  const taken = ofLive.filter((element) => !conflicting.has(element));
  const all = toMultiset([...unchanged, ...agreed, ...ofFiles, ...taken]);
  return all.length === 0 ? undefined : all;
}

function omit(list: readonly Fields[], others: readonly Fields[]): readonly Fields[] {
  return withoutEqual(list, others)[0];
}

function sharesMember(one: Value | undefined, other: Value | undefined): boolean {
  const members = listValues(other);
  return listValues(one).some((member) => members.some((each) => isEqual(member, each)));
}

function getOwn(fields: Fields | undefined, name: string): Value | undefined {
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function getField(facts: Readonly<Record<string, Field>>, name: string): Field | undefined {
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}
