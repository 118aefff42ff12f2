import { formatCount, getNoun } from "../../families/index.ts";
import { groupItems } from "../../json/collections.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Row } from "../rows/row.ts";
import type { Style } from "../style.ts";
import type { ChangeSign, ChangeView } from "./change.ts";
import { type ListPart, leastAlike, listSingly, mostNames, mostWhole, splitIntoParts } from "./list-parts.ts";
import { findNamePatterns, hole, type PatternLooks, putHole } from "./name-pattern.ts";

/** What a long list of changes shows at one place: a change by itself, or several that are alike or only named. */
export interface PartView<T extends ChangeView> {
  readonly sign: ChangeSign;
  /** The name of one change; `9987 roles alike`. */
  readonly title: string;
  /** Shown beside the title. */
  readonly aside: string;
  /** Of several, as many as anybody could read, and how many are left out. */
  readonly names: readonly string[];
  readonly items: readonly [T, ...T[]];
  /** Whether the fields of the first are shown: they are the fields of all. */
  readonly hasRows: boolean;
  /** The word of the name of the first by which all of them differ; absent where nothing differs. */
  readonly word?: string;
}

/** The fields of the first, which are those of all; {@link hole} is in them for the word by which names differ. */
export function createPartRows<T extends ChangeView>(
  { items: [first], hasRows, word }: PartView<T>,
  indent: number,
  style: Style,
): readonly Row[] {
  if (!hasRows) return [];
  if (isRenaming(first, style)) return [{ indent, label: "", text: renamedText }];
  const rows = createChangeRows(first, indent, style);
  if (word === undefined) return rows;
  return rows.map((row) => ({ ...row, label: putHole(row.label, word), text: putHole(row.text, word) }));
}

/** A server renames nothing. */
const renamedText = "renamed: created and deleted, with the same fields";

/** Where all is asked for, the two are shown apart. */
function isRenaming({ renamed }: ChangeView, { full, verbose }: Style): boolean {
  return renamed !== undefined && !full && !verbose;
}

/** The remarks on a change: all of them, and what of them has to be equal for changes to be named together. */
export interface Remark {
  readonly text: string;
  readonly kind: string;
}

const noRemark: Remark = { text: "", kind: "" };

/** Of many changes those that look alike are one part. Shown alone: what a guard found. Never only named: what comes to mean all. */
export function listChangeParts<T extends ChangeView>(
  changes: readonly T[],
  style: Style,
  remarkOn: (change: T) => Remark = () => noRemark,
): readonly PartView<T>[] {
  if (style.full) return listSingly(changes).map((part) => createPartView(part, style));
  // What is deleted is in the line of what is created.
  const shown = changes.filter((change) => change.action !== "delete" || !isRenaming(change, style));
  const looks = memoiseByObject((change: T) => `${remarkOn(change).text}\n${looksOf(change, style)}`);
  const patterns = shown.length <= mostWhole ? undefined : findPatterns(shown, looks);
  return splitIntoParts(shown, {
    looks: (change) => patterns?.get(change)?.key ?? looks(change),
    isAlone: ({ isNamedByGuard }) => isNamedByGuard,
    isShown: ({ before, after }) => countStars(after) > countStars(before),
    kindOf: (change) =>
      `${change.action} ${change.action === "leave" ? change.reason : ""} ${change.renamed !== undefined} ${remarkOn(change).kind}`,
  }).map((part) => createPartView(part, style, patterns?.get(part.items[0])));
}

/** Of changes that do not look alike as they are: which do but for a word of their names. */
function findPatterns<T extends ChangeView>(changes: readonly T[], looks: (change: T) => string) {
  const groups = groupItems(changes, looks).filter((group) => group.length < leastAlike);
  const different = groups.flat().filter(({ isNamedByGuard, renamed }) => !isNamedByGuard && renamed === undefined);
  const looksOf = (change: T) => ({
    name: change.title,
    text: looks(change),
    fixed: [change.before, change.after].flatMap((fields) => listActions(fields)),
  });
  return findNamePatterns(different, looksOf, leastAlike);
}

/** What may be done is never left to a name: roles `read_x` and `write_x` are not made from one pattern. */
function listActions(value: Value | undefined, isOfActions = false): readonly string[] {
  if (isList(value)) return value.flatMap((item) => listActions(item, isOfActions));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) =>
      listActions(inner, /(?:actions|cluster_permissions)$/.test(key)),
    );
  return isOfActions && typeof value === "string" ? [value] : [];
}

/** How often all is meant: what comes to mean more than it did must not hide behind its name. */
function countStars(value: Value | undefined): number {
  if (value === "*") return 1;
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countStars(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + countStars(item), 0);
}

/** Uncut: what a cut line leaves out may be where two differ. */
function looksOf(change: ChangeView, style: Style): string {
  const { action, reason, before, after } = change;
  if (isRenaming(change, style)) return renamedText;
  const sides = `${before === undefined} ${after === undefined}`;
  const rows = createChangeRows(change, 0, { ...style, full: true });
  const lines = rows.map(({ sign, indent, label, text }) => `${" ".repeat(indent)}${label}${sign ?? ""}${text}`);
  return [`${action} ${reason} ${sides}`, ...lines].join("\n");
}

function createPartView<T extends ChangeView>(
  { kind, items }: ListPart<T>,
  style: Style,
  pattern?: PatternLooks,
): PartView<T> {
  const { verbose } = style;
  const [first] = items;
  const { family, action } = first;
  const isRenamed = isRenaming(first, style) && action === "create";
  const sign = isRenamed ? "~" : first.sign;
  if (kind === "one")
    return { sign, title: formatNames(first, style), aside: first.aside, names: [], items, hasRows: true };
  const all = formatCount(items.length, family);
  if (kind === "alike" && pattern) {
    const [name = ""] = pattern.key.split("\n", 1);
    const names = listNames(items, mostNames, style);
    return {
      sign,
      title: `${all} alike but for ${hole} in ${name}`,
      aside: asideOf(items),
      names,
      items,
      hasRows: true,
      word: pattern.word,
    };
  }
  // Of what is deleted nothing is shown in which it could be alike.
  const alike = action === "delete" && !verbose ? all : `${all} alike`;
  return {
    sign,
    title:
      kind === "alike"
        ? isRenamed
          ? `${all} renamed`
          : alike
        : `${items.length} more ${getNoun(family, items.length)}, by name only`,
    aside: asideOf(items),
    names: listNames(items, action === "delete" || isRenamed ? mostDeleted : mostOf[kind], style),
    items,
    hasRows: kind === "alike",
  };
}

const mostDeleted = 400;
const mostOf = { alike: 6, more: mostNames } as const;

function listNames(items: readonly ChangeView[], most: number, style: Style): readonly string[] {
  const shown = items.length <= most ? items : items.slice(0, most - 1);
  const names = shown.map((change) => formatNames(change, style, (name) => joinNames([name])));
  return shown.length === items.length ? names : [...names, `... ${items.length - shown.length} more (--full)`];
}

/** `hr_reader`; of what is renamed, `hr_reader -> payroll_reader`. */
function formatNames(change: ChangeView, style: Style, format = formatName): string {
  const { name, renamed, action } = change;
  const isNew = action === "create" && isRenaming(change, style);
  return isNew && renamed !== undefined ? `${format(renamed)} -> ${format(name)}` : format(name);
}

function asideOf(items: readonly [ChangeView, ...ChangeView[]]): string {
  return items.some(isPlaced) ? formatFiles(items) : items[0].aside;
}

/** Whether the place is what is shown beside the name. */
function isPlaced({ aside, place }: ChangeView): boolean {
  return place !== "" && aside === place;
}

/** `roles/hr.yml`, or `3 files`. */
function formatFiles(changes: readonly ChangeView[]): string {
  const paths = [...new Set(changes.flatMap(({ origin }) => (origin === undefined ? [] : [origin.file.path])))];
  const [only = "", ...others] = paths;
  return others.length === 0 ? escapeInvisible(only) : `${paths.length} files`;
}
