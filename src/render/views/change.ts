import { type Action, type Change, isPending, type Reason } from "../../model/change.ts";
import { redactChange } from "../../secrets/redact.ts";
import { formatName } from "../escape.ts";
import { describeManagedWhole } from "../rows/config.ts";
import { formatPlace } from "./place.ts";

/** `+` created, `~` changed, `-` deleted, `?` left as it is though it differs, or may. */
export type ChangeSign = "+" | "~" | "-" | "?";

/** A change as every format shows it: its values have their secrets redacted. */
export interface ChangeView extends Omit<Change, "live"> {
  /** `pending`: it will be made. `left`: the entry differs, or may, and is not written. */
  readonly state: "pending" | "left";
  readonly sign: ChangeSign;
  /** The name, fit to be shown. */
  readonly title: string;
  /** `roles/hr.yml:12`; empty where it is declared nowhere. */
  readonly place: string;
  /** Shown beside the name: the place of what is written, and why anything else is what it is. */
  readonly aside: string;
  /** What a guard found is always shown by itself. */
  readonly isNamedByGuard: boolean;
  /** Sentences about a config: which of its children go, as no file declares them. */
  readonly managedWhole?: readonly string[];
  /** Of two entries of which one is created as the other is deleted, with the same fields: the name of the other one. */
  readonly renamed?: string;
}

const signs: Readonly<Record<Action, ChangeSign>> = { create: "+", update: "~", delete: "-", leave: "?" };

export function createChangeView(change: Change, isNamedByGuard = false, renamed?: string): ChangeView {
  const { family, name, action, reason, origin } = change;
  const { edits, before, after, unknown } = redactChange(change);
  const place = formatPlace(change);
  const managedWhole = isPending(change) ? describeManagedWhole({ family, edits, ...(before && { before }) }) : [];
  return {
    family,
    name,
    action,
    reason,
    edits,
    ...(origin && { origin }),
    ...(before && { before }),
    ...(after && { after }),
    ...(unknown && { unknown }),
    state: isPending(change) ? "pending" : "left",
    sign: signs[action],
    title: formatName(name),
    place,
    aside: asideOf(change, place),
    isNamedByGuard,
    ...(managedWhole.length > 0 && { managedWhole }),
    ...(renamed !== undefined && { renamed }),
  };
}

/** Whether there is nothing to show of it but a name. */
export function isQuiet(change: Change): boolean {
  const differs = change.edits.length > 0 || change.unknown !== undefined || isShownByReason(change);
  return !isPending(change) && !differs;
}

/** An entry without a field may be left out, too. */
function isShownByReason({ reason }: Change): boolean {
  return reason === "unknown" || reason === "left-out" || isUnwritten(reason);
}

/** A user whose password or hash is another one, and is not written. */
export function isUnwritten(reason: Reason): boolean {
  return reason === "not-rotated" || reason === "other-hash";
}

function asideOf({ action, reason, edits, before, after }: Change, place: string): string {
  if (action === "delete") return reasonWords[reason];
  if (action !== "leave") return place;
  if (reason === "unknown") return "unknown whether the server has it: not written";
  if (isUnwritten(reason)) return reasonWords[reason];
  if (edits.length === 0 && reason !== "left-out") return unknownWords;
  if (reason === "server-owned" && before === undefined) return "marked as the server's, which has none";
  const difference = after === undefined ? "not declared" : before === undefined ? "not on the server" : "differs";
  return `${difference}, ${reasonWords[reason]}`;
}

/** Of an entry that is as declared, but for what gate-sync does not know. */
export const unknownWords = "has fields that gate-sync does not know";

/** Why something is as it is, beside its name. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  declared: "",
  "not-declared": "not declared",
  reverted: "created by the run that is undone, may have changed since",
  undone: "created by the run that is undone",
  "in-sync": "in sync",
  unmanaged: "not declared",
  "out-of-scope": "out of scope",
  reserved: "reserved",
  static: "static",
  "service-account": "service account",
  "not-rotated": "password changed, not written",
  "other-hash": "hash differs, not written",
  "server-owned": "the server's own",
  "left-out": "left out by --only",
  observed: "observed only",
  unknown: "unknown",
};
