// The settings of the config, by path: maps go on, everything else is one value.
import { holdsReference, writeValue } from "../../edit/entry-edits.ts";
import { type Fields, holdsSecret, isEqual, isObject, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { LeftDifference } from "../../model/file-update.ts";
import { findMapEntry, type Node } from "../../model/node.ts";
import { hideSecrets } from "../../secrets/config-fields.ts";
import { type Attempt, createLeftDifference, type FileValueEdit, type UpdateContext } from "./attempts.ts";

export function planConfig(change: Change, context: UpdateContext): Attempt | LeftDifference {
  const { declared, use, options } = context;
  const written = declared.sections.find(({ section }) => section.family === "config");
  const place = written?.place;
  if (!written || !place) return createLeftDifference(change, "it is not written where it is declared", context);
  const others = use.othersOf(written.absolute);
  if (others.length > 0 && !options.shared)
    return createLeftDifference(
      change,
      `its file is one that ${others.join(", ")} reads, too; --shared edits it for all`,
      context,
    );
  const file = { shown: written.section.document.file.path, absolute: written.absolute };
  const resolve = declared.resolveIn(written.absolute);
  const edits: FileValueEdit[] = [];
  const live = hideSecrets(change.before ?? {});
  for (const path of listDifferences(change.after ?? {}, change.before ?? {}, [])) {
    const [at, wanted] = [path.join("."), getAt(live, path)];
    if (wanted !== undefined && holdsSecret(wanted))
      return createLeftDifference(change, `${at} holds a secret`, context);
    if (declared.overridesFiles.some(({ node }) => isOverridden(node, ["config", ...path])))
      return createLeftDifference(change, `${at} is overridden`, context);
    const raw = path.reduce<Node | undefined>((found, key) => findMapEntry(found, key)?.value, place.node);
    if (raw && holdsReference(raw, resolve))
      return createLeftDifference(change, `${at}: a reference is written there`, context, raw);
    const value = wanted === undefined ? {} : { value: writeValue(wanted) };
    edits.push({ file, document: place.document, path: [...place.path, ...path], ...value });
  }
  return { address: "config", kind: "changed", change, edits };
}

/** Paths of what differs, down to what is no map on one side. */
function listDifferences(from: Value, to: Value, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(from) || !isObject(to)) return isEqual(from, to) ? [] : [path];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => {
    const [one, other] = [getAt(from, [name]), getAt(to, [name])];
    if (one === undefined || other === undefined) return [[...path, name]];
    return listDifferences(one, other, [...path, name]);
  });
}

function getAt(value: Value, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>(
    (found, key) => (isObject(found) && Object.hasOwn(found as Fields, key) ? (found as Fields)[key] : undefined),
    value,
  );
}

/** Something is laid over it, over what is around it, or over a part of it. */
function isOverridden(node: Node | undefined, [key, ...rest]: readonly string[]): boolean {
  const found = key === undefined ? undefined : findMapEntry(node, key);
  if (!found) return key === undefined;
  return rest.length === 0 || found.value.kind !== "map" || isOverridden(found.value, rest);
}
