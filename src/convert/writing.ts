// What the conversion of one entry is handed, and where it writes down what is to be said of it.
import type { HeldEntries } from "../access/model/state.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { ConversionNote } from "../model/conversion.ts";
import type { Family } from "../model/names.ts";
import type { ConversionSides, NewNames } from "./names.ts";
import type { RenamedTenants } from "./tenants.ts";

export interface Converting extends ConversionSides {
  readonly names: NewNames;
  /** Groups that the state declares, or that its product comes with. */
  readonly groups: HeldEntries;
  /** Whether it is known that the source has no such role. */
  readonly isRoleMissing: (name: string) => boolean;
  /** Whether a mapping of the source gives the role, or an internal user has it. */
  readonly isGiven: (role: string) => boolean;
  /** Tenants of the user's own, by the names that they have in the source. */
  readonly renamedTenants: RenamedTenants;
  /** How messages call the other product: `OpenSearch`. */
  readonly there: string;
  /** How messages call the product of the source. */
  readonly here: string;
}

/** Says something of an entry. */
export type NoteWriter = (kind: ConversionNote["kind"], text: string) => void;

export function createNoteWriter(
  notes: ConversionNote[],
  entry: { readonly family: Family; readonly name: string; readonly origin: SourceRange },
): NoteWriter {
  const { family, name, origin } = entry;
  const reported = new Set<string>();
  return (kind, text) => {
    if (reported.has(text)) return;
    reported.add(text);
    notes.push({ family, name, origin, kind, text });
  };
}

const titles = { opensearch: "OpenSearch", "search-guard": "Search Guard", gate: "The documented API (gate)" } as const;

export function getProductTitle({ dialect: { product, release } }: ConversionSides["from"]): string {
  if (product !== "search-guard") return titles[product];
  return release === "FLX" ? "Search Guard FLX" : `Search Guard ${release.charAt(0)}`;
}
