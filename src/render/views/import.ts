import { getNoun } from "../../families/index.ts";
import type { ImportAccount, LeftOutPart, NeededVariable } from "../../model/import-account.ts";
import { isSingleEntryFamily } from "../../model/names.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { formatPlace } from "./place.ts";

/** What import took and left, fit to be shown. */
export interface ImportView {
  /** `Took 3 entries:` */
  readonly summary: string;
  /** One for each file that was written. */
  readonly taken: readonly {
    readonly file: string;
    /** `2 roles` */
    readonly count: string;
    /** Empty for what has no name. */
    readonly names: readonly string[];
  }[];
  /** What may be missing, by reason, in the order in which it was found. */
  readonly left: readonly LeftGroup[];
  /** What declares nothing. */
  readonly idle: readonly LeftGroup[];
  /** Of the environment, without which no plan can be made. */
  readonly secrets: readonly ShownVariable[];
  /** Of the environment, without which internal users can be compared, and none can be created. */
  readonly userSecrets: readonly ShownVariable[];
  readonly variables: readonly ShownVariable[];
  readonly notes: readonly string[];
  /** Addresses in Terraform, for a shell: printed as they are, so that they can be copied. */
  readonly letGo: readonly string[];
}

export interface LeftGroup {
  readonly why: string;
  readonly parts: readonly { readonly what: string; readonly place: string }[];
}

interface ShownVariable {
  readonly name: string;
  /** With an address, where its value is. */
  readonly uses: readonly { readonly address: string; readonly place: string; readonly from: string }[];
}

export function createImportView(account: ImportAccount): ImportView {
  const folder = account.folder.replace(/\/+$/, "");
  const count = account.taken.reduce((sum, { names }) => sum + names.length, 0);
  const listGroups = (isIdle: boolean): readonly LeftGroup[] =>
    [...groupByReason(account.left.filter((part) => (part.declaresNothing ?? false) === isIdle))].map(
      ([why, parts]) => ({
        why: escapeInvisible(why),
        parts: parts.map(({ what, place }) => ({ what: escapeInvisible(what), place: formatPlace({ origin: place }) })),
      }),
    );
  const shown = ({ name, isList, uses }: NeededVariable) => ({
    name: isList ? `${name}, a list such as [a, b] (not with --var)` : name,
    uses: uses.map(({ address, place, from = "" }) => ({
      address: escapeInvisible(address),
      from: escapeInvisible(from),
      place: formatPlace({ origin: place }),
    })),
  });
  return {
    summary: count === 0 ? "Took nothing, and wrote nothing." : `Took ${count === 1 ? "1 entry" : `${count} entries`}:`,
    taken: account.taken.map(({ family, names }, at) => ({
      file: escapeInvisible(`${folder}/${account.files[at]}`),
      count: `${names.length} ${getNoun(family, names.length)}`,
      names: family === "config" || isSingleEntryFamily(family) ? [] : names.map((name) => joinNames([name])),
    })),
    left: listGroups(false),
    idle: listGroups(true),
    secrets: account.secrets.filter((one) => !isOfUser(one)).map(shown),
    userSecrets: account.secrets.filter(isOfUser).map(shown),
    variables: account.variables.map(shown),
    notes: account.notes.map(escapeInvisible),
    letGo: account.letGo.map(escapeInvisible),
  };
}

function isOfUser({ uses }: NeededVariable): boolean {
  return uses.every(({ address }) => address.startsWith("internal_users/"));
}

function groupByReason(left: readonly LeftOutPart[]): ReadonlyMap<string, readonly LeftOutPart[]> {
  const groups = new Map<string, LeftOutPart[]>();
  for (const part of left) {
    const group = groups.get(part.why);
    if (group) group.push(part);
    else groups.set(part.why, [part]);
  }
  return groups;
}

/** Before addresses in Terraform. */
export const letGoCommand = "terraform state rm";
