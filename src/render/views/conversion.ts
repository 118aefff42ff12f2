import type { Places } from "../../access/explain/grant-path.ts";
import { groupItems } from "../../json/collections.ts";
import type { Conversion, ConversionNote, ConversionOutcome } from "../../model/conversion.ts";
import { createAddress } from "../../model/names.ts";
import { escapeInvisible } from "../escape.ts";
import { type AccessView, createAccessView } from "./access-diff.ts";
import { formatPlace } from "./place.ts";
import { formatCounts } from "./words.ts";

/** Everything that a format shows of a conversion. Texts are fit to be shown. */
export interface ConversionView {
  /** `search-guard 7.x-38 to opensearch 2.19: 8 entries converted, 1 left.` */
  readonly summary: string;
  /** Whether anyone gains or loses, in a sentence. */
  readonly verdict: string;
  readonly sections: readonly ConversionSection[];
  readonly access?: AccessView;
  readonly closing: readonly string[];
  /** All that is granted before is granted after, and nothing else; and that is known. */
  readonly isEqual: boolean;
  /** As the model has it, for programs. */
  readonly conversion: Conversion;
}

export interface ConversionSection {
  /** `Left out` */
  readonly title: string;
  readonly sign: "-" | "~" | "?" | "+" | "=";
  readonly items: readonly ConversionItem[];
}

/** What is said of one entry, or of several alike. */
export interface ConversionItem {
  /** `role_mappings/hr (access.yml:3)` */
  readonly names: readonly string[];
  readonly text: string;
}

export function createConversionView(conversion: Conversion, places: Places): ConversionView {
  const { from, to, entries, notes, access, leftOut, basis } = conversion;
  const isUnknown =
    access.unknowns.length + access.unchanged.length > 0 || notes.some(({ kind }) => kind === "unknown");
  const losesUsers = notes.some(({ kind, family }) => kind === "left" && family === "internal_users");
  const hasChanges = access.statements.length + access.blockedDiff.length > 0 || losesUsers;
  const isEqual = !hasChanges && !isUnknown;
  const count = (outcome: ConversionOutcome) => entries.filter((entry) => entry.outcome === outcome).length;
  const counts = formatCounts([
    [count("converted"), "converted"],
    [count("written-out"), "written out"],
    [count("built-in"), "built in there"],
    [count("left"), "left"],
  ]);
  return {
    summary: escapeInvisible(`${from} to ${to}: ${counts === "" ? "no entries" : `entries: ${counts}`}.`),
    verdict: isEqual
      ? "Access is the same: no principal gains or loses anything."
      : hasChanges
        ? "Access is the same but for what is listed."
        : "No principal is known to gain or to lose; what is unknown is listed.",
    sections: [
      ...createSection("Left: no place for it there", "-", notes, "left"),
      ...createSection("Written otherwise", "~", notes, "changed"),
      ...createSection("Unknown", "?", notes, "unknown"),
      ...createBuiltinSection(conversion),
    ],
    ...(!isEqual && { access: createAccessView(access, { changes: [], violations: [], waived: [] }, places) }),
    closing: [...leftOut, ...basis].map(escapeInvisible),
    isEqual,
    conversion,
  };
}

function createSection(
  title: string,
  sign: ConversionSection["sign"],
  notes: readonly ConversionNote[],
  kind: ConversionNote["kind"],
): readonly ConversionSection[] {
  const meant = notes.filter((note) => note.kind === kind);
  const items = groupItems(meant, ({ text }) => text).map((same) => ({
    names: same.map(formatEntry),
    text: escapeInvisible(same[0].text),
  }));
  return items.length === 0 ? [] : [{ title, sign, items }];
}

/** Entries that are not in the files, as the other product comes with them. */
function createBuiltinSection({ entries }: Conversion): readonly ConversionSection[] {
  const items = entries
    .filter(({ outcome }) => outcome === "built-in")
    .map((entry) => ({
      names: [escapeInvisible(createAddress(entry.family, entry.name))],
      text: entry.newName === undefined ? "" : escapeInvisible(`${entry.newName} there`),
    }));
  return items.length === 0 ? [] : [{ title: "Not written: the other product comes with it", sign: "=", items }];
}

function formatEntry({ family, name, origin }: Pick<ConversionNote, "family" | "name" | "origin">): string {
  return `${escapeInvisible(createAddress(family, name))} (${formatPlace({ origin })})`;
}
