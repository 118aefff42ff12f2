import type { Edit } from "../../json/patch.ts";
import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { formatName, quoteText } from "../escape.ts";
import { createHeading, createRowsAt, getSpaceAt, type Row, type Spot } from "./row.ts";
import { cutText, formatPairLines, formatValue, formatValueLines, listLeaves } from "./values.ts";

/** Children of the config whose entries users name, and what those are called. */
const named: ReadonlyMap<string, string> = new Map([
  ["authc", "domain"],
  ["authz", "domain"],
  ["auth_failure_listeners", "listener"],
]);

/** What a place holds: an edit, a whole entry that comes or goes, or further places. */
type Place = Map<string, Place> | { readonly edit: Edit };

/** The edits of a config as a tree: places with one place in them alone are on one line with it. */
export function createConfigRows(edits: readonly Edit[], spot: Spot): readonly Row[] {
  const root: Map<string, Place> = new Map();
  for (const edit of edits.flatMap(splitEdit)) {
    let place = root;
    for (const token of edit.path.slice(0, -1)) {
      const inner = place.get(token);
      const next: Map<string, Place> = inner instanceof Map ? inner : new Map();
      place.set(token, next);
      place = next;
    }
    place.set(edit.path.at(-1) ?? "", { edit });
  }
  return placeRows(root, [], spot);
}

/** What `authc is managed whole: 6 of 7 domains go` is said of: an entry that no file declares goes. */
export function describeManagedWhole({
  family,
  before,
  edits,
}: Pick<Change, "family" | "before" | "edits">): readonly string[] {
  if (family !== "config" || !before) return [];
  return [...named].flatMap(([child, noun]) => {
    const gone = edits
      .flatMap(splitEdit)
      .filter(({ path, after }) => isEntry(path) && path[1] === child && after === undefined);
    if (gone.length === 0) return [];
    const held = isObject(before.dynamic) ? before.dynamic[child] : undefined;
    const count = isObject(held) ? Object.keys(held).length : gone.length;
    return [
      `${child} is managed whole: ${gone.length} of ${count} ${noun}${count === 1 ? "" : "s"} ${gone.length === 1 ? "goes" : "go"}`,
    ];
  });
}

/** Whole entries stay whole; of everything else each value is an edit. */
function splitEdit(edit: Edit): readonly Edit[] {
  const { path } = edit;
  if (isEntry(path) && (edit.before === undefined) !== (edit.after === undefined)) return [edit];
  const sides = (["before", "after"] as const).flatMap((side) => {
    const value = edit[side];
    if (value === undefined) return [];
    const isAbove = path.length === 2 && named.has(path[1] ?? "") && isObject(value) && Object.keys(value).length > 0;
    const leaves = isAbove
      ? Object.entries(value).map(([name, item]) => ({ path: [...path, name], value: item }))
      : path.length === 1 && isObject(value)
        ? Object.entries(value)
            .flatMap(([name, item]) => splitEdit({ path: [...path, name], [side]: item }))
            .map((one) => ({ path: one.path, value: one[side] as Value }))
        : listLeaves(value, path);
    return leaves.map((leaf) => ({ side, ...leaf }));
  });
  const byPath = new Map<string, Edit>();
  for (const { side, path: at, value } of sides) {
    const key = JSON.stringify(at);
    byPath.set(key, { ...byPath.get(key), path: at, [side]: value });
  }
  return [...byPath.values()];
}

function isEntry([root, child = "", ...rest]: readonly string[]): boolean {
  return root === "dynamic" && named.has(child) && rest.length === 1;
}

function placeRows(places: ReadonlyMap<string, Place>, path: readonly string[], spot: Spot): readonly Row[] {
  return [...places].flatMap(([token, place]) => {
    let [label, below, inner] = [formatToken(token), place, [...path, token]];
    while (below instanceof Map && below.size === 1) {
      const [[name, only]] = below as unknown as readonly [[string, Place]];
      if (isEntry([...inner, name]) && !(only instanceof Map) && isWhole(only.edit)) break;
      [label, below, inner] = [`${label}.${formatToken(name)}`, only, [...inner, name]];
    }
    const deeper = { ...spot, indent: spot.indent + 2 };
    if (below instanceof Map) return [createHeading(spot.indent, label), ...placeRows(below, inner, deeper)];
    const { edit } = below;
    if (isEntry(edit.path) && isWhole(edit)) return entryRows(edit, spot);
    return [createHeading(spot.indent, label), ...createRowsAt(deeper, formatEditLines(edit, deeper))];
  });
}

function isWhole({ before, after }: Edit): boolean {
  return isObject(before ?? after) && (before === undefined) !== (after === undefined);
}

/** A domain that does not say whether it is on, is on: where it begins, that is shown. */
function formatEditLines({ path, before, after }: Edit, spot: Spot) {
  const [, child = "", , field] = path;
  const isSwitch = path.length === 4 && (child === "authc" || child === "authz") && field === "http_enabled";
  if (isSwitch && before !== undefined && after === undefined)
    return formatPairLines(formatValue(before), "true", spot);
  return formatValueLines(before, after, spot);
}

/** `- kerberos_auth_domain (disabled, kerberos)`, and below it what is in it. */
function entryRows({ path: [, child = "", name = ""], before, after }: Edit, spot: Spot): readonly Row[] {
  const entry = (after ?? before) as Fields;
  const sign = after === undefined ? "-" : "+";
  const isDomain = named.get(child) === "domain";
  const { http_enabled = true, ...rest } = entry;
  const part = child === "authc" ? entry.http_authenticator : child === "authz" ? entry.authorization_backend : entry;
  const type = isObject(part) && part.type !== undefined && part.type !== null ? [formatValue(part.type)] : [];
  const state = isDomain ? [String(http_enabled) === "false" ? "disabled" : "enabled"] : [];
  const facts = [...state, ...type].join(", ");
  const first = `${formatName(name)}${facts === "" ? "" : ` (${facts})`}`;
  const shown = isDomain ? { http_enabled, ...rest } : entry;
  return [
    { indent: spot.indent, label: "", sign, text: first },
    ...fieldRows(shown, sign, { ...spot, indent: spot.indent + 2 }),
  ];
}

function fieldRows(fields: Fields, sign: "+" | "-", spot: Spot): readonly Row[] {
  return Object.entries(fields).flatMap(([name, value]): readonly Row[] => {
    const label = formatToken(name);
    if (isObject(value) && Object.keys(value).length > 0)
      return [
        { indent: spot.indent, label: "", sign, text: label },
        ...fieldRows(value, sign, { ...spot, indent: spot.indent + 2 }),
      ];
    const text = `${label}: ${formatValue(value)}`;
    return [{ indent: spot.indent, label: "", sign, text: cutText(text, 0, getSpaceAt(spot), spot.style) }];
  });
}

/** `"my.domain"`: a name with a dot in it is quoted. */
export function formatToken(token: string): string {
  return token.includes(".") ? quoteText(token) : formatName(token);
}
