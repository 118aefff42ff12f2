import { includes } from "../../access/patterns/includes.ts";
import { isEqual, isObject, listTexts, type Value } from "../../json/value.ts";
import { matchesHost } from "../../load/allowed-hosts.ts";
import { findOwners, type ProtectionSide } from "./found.ts";

export function isGone(_: Value | undefined, after: Value | undefined): boolean {
  return after === undefined;
}

export function isOther(): boolean {
  return true;
}

/** What is new is no weaker. */
export function isOtherThanBefore(before: Value | undefined): boolean {
  return before !== undefined;
}

/** What a family is no longer owned of may change unseen, and what it is owned of by now may be deleted. */
export function isOtherSet(usual: readonly string[]) {
  return (before: Value = usual, after: Value = usual) =>
    !isEqual(listTexts(before).toSorted(), listTexts(after).toSorted());
}

/** What was left as it is may be written now, or what was written is left; a type of which files are the first is no weaker. */
export function isOtherMode(
  before: Value | undefined,
  after: Value | undefined,
  { then }: { readonly then: ProtectionSide },
): boolean {
  if (before === undefined) return after !== "observe" && then.modes.size > 0;
  return after !== undefined || before !== "observe";
}

/** What was left as the server has it is written now; or is left now, and was deleted where its type was managed. */
export function isOtherMark(
  before: Value | undefined,
  _: unknown,
  { id, then }: { id: string; then: ProtectionSide },
): boolean {
  return before !== undefined || [...then.declared.resources.keys()].some((family) => id.startsWith(`${family}/`));
}

export function isNarrowed(before: Value | undefined, after: Value | undefined): boolean {
  return listTexts(before).some((pattern) => includes(listTexts(after), pattern) !== "yes");
}

export function isExtended(before: Value | undefined, after: Value | undefined): boolean {
  return isNarrowed(after, before);
}

/** Without a list, all are allowed. */
export function isOpened(before: Value | undefined, after: Value | undefined): boolean {
  if (before === undefined) return false;
  const listed = listTexts(before);
  const isListed = (host: string) =>
    listed.includes(host) || (!/[*?]/.test(host) && listed.some((pattern) => matchesHost(pattern, host.toLowerCase())));
  return after === undefined || !listTexts(after).every(isListed);
}

export function isLessSevere(before: Value | undefined, after: Value | undefined): boolean {
  const severities = ["off", "warning", "error"];
  return severities.indexOf(String(after)) < severities.indexOf(String(before));
}

/** One that waives nothing any more. */
export function isPast(until: Value | undefined, today: string): boolean {
  return until !== "no end" && String(until) < today;
}

/** A folder within one that has an owner takes its files from that owner's share. */
export function isWiderShare(
  before: Value | undefined,
  after: Value | undefined,
  { id, then }: { readonly id: string; readonly then: ProtectionSide },
): boolean {
  const owners = findOwners(then);
  const outer = [...owners.keys()]
    .filter((folder) => isInFolder(id, folder))
    .toSorted((a, b) => b.length - a.length)[0];
  const was = before ?? (outer === undefined ? undefined : owners.get(outer)?.value);
  if (!isObject(was)) return false;
  if (!isObject(after)) return true;
  return ["names", "index_patterns", "cluster_permissions", "action_groups"].some((key) =>
    isExtended(was[key], after[key]),
  );
}

function isInFolder(inner: string, outer: string): boolean {
  return outer === "." ? inner !== "." : inner.startsWith(`${outer}/`);
}
