// What an override has to say, so that an entry becomes what a server holds.
import type { EntryEdits, FieldEdit, KeptField, ResolveWritten } from "../../edit/entry-edits.ts";
import { holdsReference, writeField, writeValue } from "../../edit/entry-edits.ts";
import type { Field } from "../../families/facts.ts";
import { encodeCanonical } from "../../json/canonical.ts";
import { type Fields, isEqual, listValues, type Value } from "../../json/value.ts";
import { findMapEntry, type Node } from "../../model/node.ts";

interface Overriding {
  /** Canonical, without the override. */
  readonly base: Fields;
  /** Canonical. */
  readonly wanted: Fields;
  /** The body of the override as it is written; absent where there is none yet. */
  readonly body: Node | undefined;
  readonly resolve: ResolveWritten;
}

/** @param fields those that the override is to decide */
export function planOverride(
  fields: readonly (readonly [name: string, facts: Field])[],
  { base, wanted, body, resolve }: Overriding,
): EntryEdits {
  const edits: FieldEdit[] = [];
  const kept: KeptField[] = [];
  const write = (field: string, place: Node | undefined, value: Value | undefined, facts: Field): void => {
    const found = writeField(place, value, facts, resolve);
    if ("why" in found) kept.push({ field, why: found.why });
    else edits.push({ path: [field], ...found });
  };
  const remove = (field: string, place: Node | undefined): void => {
    if (place && holdsReference(place, resolve)) kept.push({ field, why: "a reference is written there" });
    else if (place) edits.push({ path: [field] });
  };
  for (const [name, facts] of fields) {
    const written = (sign: string) => findMapEntry(body, sign + name)?.value;
    const isList = facts.kind === "set" || facts.kind === "permissions";
    if (isList && !written("")) {
      for (const [sign, items] of [
        ["+", omitItems(wanted[name], base[name])],
        ["-", omitItems(base[name], wanted[name])],
      ] as const) {
        if (items.length > 0) write(sign + name, written(sign), items, facts);
        else remove(sign + name, written(sign));
      }
    } else if (isEqual(base[name], wanted[name])) remove(name, written(""));
    else if (wanted[name] === undefined && !isList) edits.push({ path: [name], value: writeValue(emptyOf(facts)) });
    else write(name, written(""), wanted[name], facts);
  }
  return { edits, kept };
}

function emptyOf({ kind }: Field): Value {
  return kind === "map" ? {} : "";
}

/** The items of the one list that the other has not, each as often as it is there more often. */
function omitItems(list: Value | undefined, others: Value | undefined): readonly Value[] {
  const left = listValues(others).map(encodeCanonical);
  return listValues(list).filter((item) => {
    const at = left.indexOf(encodeCanonical(item));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
