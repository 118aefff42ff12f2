import { formatCount, getNoun } from "../../families/index.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import type { ChangeSign, ChangeView } from "./change.ts";
import { type ListPart, listSingly, splitIntoParts } from "./list-parts.ts";

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
  return splitIntoParts(changes, {
    looks: (change) => `${remarkOn(change).text}\n${looksOf(change, style)}`,
    isAlone: ({ isNamedByGuard }) => isNamedByGuard,
    isShown: ({ before, after }) => countStars(after) > countStars(before),
    kindOf: (change) => `${change.action} ${change.action === "leave" ? change.reason : ""} ${remarkOn(change).kind}`,
  }).map((part) => createPartView(part, style));
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
  const sides = `${before === undefined} ${after === undefined}`;
  const rows = createChangeRows(change, 0, { ...style, full: true });
  const lines = rows.map(({ sign, indent, label, text }) => `${indent} ${label}${sign ?? ""}${text}`);
  return [`${action} ${reason} ${sides}`, ...lines].join("\n");
}

function createPartView<T extends ChangeView>({ kind, items }: ListPart<T>, { verbose }: Style): PartView<T> {
  const [first] = items;
  const { family, sign, action } = first;
  if (kind === "one") return { sign, title: first.title, aside: first.aside, names: [], items, hasRows: true };
  const all = formatCount(items.length, family);
  // Of what is deleted nothing is shown in which it could be alike.
  const alike = action === "delete" && !verbose ? all : `${all} alike`;
  return {
    sign,
    title: kind === "alike" ? alike : `${items.length} more ${getNoun(family, items.length)}, by name only`,
    aside: items.some(isPlaced) ? formatFiles(items) : first.aside,
    names: listNames(items, action === "delete" ? mostDeleted : mostNames[kind]),
    items,
    hasRows: kind === "alike",
  };
}

const mostDeleted = 400;
const mostNames = { alike: 6, more: 100 } as const;

function listNames(items: readonly ChangeView[], most: number): readonly string[] {
  const shown = items.length <= most ? items : items.slice(0, most - 1);
  const names = shown.map(({ name }) => joinNames([name]));
  return shown.length === items.length ? names : [...names, `... ${items.length - shown.length} more (--full)`];
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
