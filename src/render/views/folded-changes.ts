import { formatCount, getNoun } from "../../families/index.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { type FoldedPart, fold, type SeveralItems } from "./fold.ts";

// How the changes of one family are folded, and the words for it that text and Markdown share.

/** These rules count changes; the other rules name those that are dangerous by themselves. */
const rulesAboutNumbers: ReadonlySet<string> = new Set(["changes", "deletions"]);

/** What a guard found, agreed to or not: it is never folded away. */
export function listNamedByGuards({ violations, waived }: Plan): ReadonlySet<Address> {
  const reporting = [...violations, ...waived].filter(({ rule }) => !rulesAboutNumbers.has(rule));
  return new Set(reporting.flatMap(({ addresses }) => addresses));
}

/** The remarks on a change: all of them, and the part that has to be equal for changes to fold together. */
export interface Remark {
  readonly text: string;
  readonly kind: string;
}

const noRemark: Remark = { text: "", kind: "" };

export function foldChanges(
  changes: readonly Change[],
  apart: ReadonlySet<Address>,
  style: Style,
  remarkOn: (change: Change) => Remark = () => noRemark,
): readonly FoldedPart<Change>[] {
  if (style.full) return changes.map((item) => ({ kind: "one", item }));
  return fold(changes, {
    looks: (change) => `${remarkOn(change).text}\n${looksOf(change, style)}`,
    isApart: ({ family, name }) => apart.has(createAddress(family, name)),
    isReporting: ({ before, after }) => stars(after) > stars(before),
    kindOf: (change) => `${change.action} ${change.action === "leave" ? change.reason : ""} ${remarkOn(change).kind}`,
  });
}

/** How often all is meant: what comes to mean more than it did must not hide behind its name. */
function stars(value: Value | undefined): number {
  if (value === "*") return 1;
  if (isList(value)) return value.reduce<number>((sum, item) => sum + stars(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + stars(item), 0);
}

/** Uncut: what a cut line leaves out may be where two differ. */
function looksOf(change: Change, style: Style): string {
  const { action, reason, before, after } = change;
  const sides = `${before === undefined} ${after === undefined}`;
  const rows = createChangeRows(change, 0, { ...style, full: true });
  const lines = rows.map(({ sign, indent, label, text }) => `${indent} ${label}${sign ?? ""}${text}`);
  return [`${action} ${reason} ${sides}`, ...lines].join("\n");
}

/** `9987 roles alike`; of what is deleted nothing is shown in which it could be alike. */
export function formatPartTitle({ kind, items }: SeveralItems<Change>, { verbose }: Style): string {
  const [{ family, action }] = items;
  const what = formatCount(items.length, family);
  if (kind === "more") return `${items.length} more ${getNoun(family, items.length)}, by name only`;
  return action === "delete" && !verbose ? what : `${what} alike`;
}

/** Names of what goes: as many as anybody could read. */
const mostDeleted = 400;
const mostNames = { alike: 6, more: 100 } as const;

/** The names, and how many are left out. */
export function formatPartNames({ kind, items }: SeveralItems<Change>): readonly string[] {
  const most = items[0].action === "delete" ? mostDeleted : mostNames[kind];
  const shown = items.length <= most ? items : items.slice(0, most - 1);
  const names = shown.map(({ name }) => joinNames([name]));
  return shown.length === items.length ? names : [...names, `... ${items.length - shown.length} more (--full)`];
}

/** `roles/hr.yml`, or `3 files`; empty where nothing declares them. */
export function formatFiles(changes: readonly Change[]): string {
  const paths = [...new Set(changes.flatMap(({ origin }) => (origin === undefined ? [] : [origin.file.path])))];
  const [only = "", ...others] = paths;
  return others.length === 0 ? escapeInvisible(only) : `${paths.length} files`;
}
