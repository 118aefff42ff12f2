import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { isBuiltIn } from "../dialects/builtin/names.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { ownMark } from "../families/unknown.ts";
import { isEqual } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveResource, LiveState } from "../model/live.ts";
import { findMapEntry } from "../model/node.ts";

/** Declared entries that are the server's own, or say so, and are not as the server has them. */
export function findDifferencesFromServer(
  resources: readonly DesiredResource[],
  live: LiveState | undefined,
): readonly Diagnostic[] {
  if (!live) return [];
  const heldOf = ({ family, name }: DesiredResource) => live.resources.get(family)?.get(name);
  const closed = resources.flatMap((resource) => {
    const held = heldOf(resource);
    if (resource.value[ownMark] === true && held?.ownership === "reserved") return [];
    return !resource.serverOwned && held && held.ownership !== "open" ? [{ resource, held }] : [];
  });
  const copies = copiedFolders(closed.map(({ resource }) => resource).filter(({ native }) => native));
  const differing = closed.filter(({ resource, held }) => differingFields(resource, held).length > 0);
  const isCopied = ({ resource }: Closed) =>
    resource.native === true && (copies.has(folderOf(resource)) || hasVendorsPrefix(resource.name));
  return [
    ...differing.filter((each) => !isCopied(each)).flatMap(({ resource, held }) => reserved(resource, held)),
    ...leftToServer(differing.filter(isCopied).map(({ resource }) => resource)),
    ...serverOwned(resources, live),
  ];
}

/** An entry that is not marked in its file, and that the server lets no user write. */
interface Closed {
  readonly resource: DesiredResource;
  readonly held: LiveResource;
}

/**
 * Folders that teams took over from the product, mostly from an older release: several entries have names that are
 * reserved on the server. One alone is more likely meant to change it, and so is what was written for gate-sync.
 */
function copiedFolders(closed: readonly DesiredResource[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const resource of closed) counts.set(folderOf(resource), (counts.get(folderOf(resource)) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= fewestOfCopy).map(([folder]) => folder));
}

function folderOf({ origin }: DesiredResource): string {
  return origin.file.path.slice(0, origin.file.path.lastIndexOf("/") + 1);
}

const fewestOfCopy = 3;

/** Teams do not use these prefixes for their own entries. */
function hasVendorsPrefix(name: string): boolean {
  return /^(sg_|sgs_|opendistro_security_)/i.test(name);
}

function leftToServer(copied: readonly DesiredResource[]): readonly Diagnostic[] {
  const [first] = copied;
  if (first === undefined) return [];
  return [
    createDiagnostic(first.origin, "server-owned", {
      what: `Reserved on the server, declared otherwise in files that look like the product's own, and left alone: ${named(copied)}.`,
      why: "Reserved entries cannot be written: the server's own content applies, not that of these files.",
      fix: "Nothing, if they came with an older release of the product; else declare them under other names.",
    }),
  ];
}

function reserved(resource: DesiredResource, held: LiveResource): readonly Diagnostic[] {
  const fields = differingFields(resource, held);
  return [
    createDiagnostic(resource.origin, "reserved-differs", {
      what: `${subjectOf(resource)} is ${ownershipWords[held.ownership]} on the server, and declared with other ${fields.join(", ")}.`,
      why:
        held.ownership === "service-account"
          ? "gate-sync leaves service accounts as they are: the server makes their passwords."
          : `The server refuses writes to what is ${held.ownership}.`,
      fix: "Declare it under another name, or take it out; `reserved: true` says that it is the server's.",
    }),
  ];
}

const ownershipWords: Readonly<Record<LiveResource["ownership"], string>> = {
  open: "open",
  reserved: "reserved",
  static: "static",
  "service-account": "a service account",
};

/**
 * The entries that their files mark as the server's own and that are not as the server has them: one message for all,
 * and another for those that look like a team's own.
 */
function serverOwned(resources: readonly DesiredResource[], live: LiveState): readonly Diagnostic[] {
  const flagged = resources.filter(({ serverOwned, family }) => serverOwned && live.resources.has(family));
  const heldOf = ({ family, name }: DesiredResource) => live.resources.get(family)?.get(name);
  const differing = flagged.filter((resource) => {
    const held = heldOf(resource);
    return held !== undefined && differingFields(resource, held).length > 0;
  });
  // No request shows a hidden entry, so that its absence says nothing.
  const absent = flagged.filter((resource) => isNeverCreated(resource, live));
  const own = absent.filter((resource) => !isBuiltIn(resource.family, resource.name));
  const others = absent.filter(({ family, name }) => isBuiltIn(family, name));
  return [...leftAlone(differing, others), ...neverCreated(own, "neither on the server nor part of a product")];
}

/** Without a server: what the files mark as the server's, and no product ships. */
export function findNeverCreated(desired: DesiredState): readonly Diagnostic[] {
  const all = [...desired.resources.values()].flatMap((entries) => [...entries.values()]);
  const own = all.filter((entry) => entry.serverOwned && !isHidden(entry) && !isBuiltIn(entry.family, entry.name));
  return neverCreated(own, own.length > 1 ? "no product ships them" : "no product ships it");
}

/** Whether an entry is marked as the server's, which has none, so that nobody makes it. */
export function isNeverCreated(resource: DesiredResource, live: LiveState): boolean {
  const held = live.resources.get(resource.family);
  return resource.serverOwned && held?.has(resource.name) === false && !isHidden(resource);
}

function leftAlone(differing: readonly DesiredResource[], absent: readonly DesiredResource[]): readonly Diagnostic[] {
  const [first] = [...differing, ...absent];
  if (first === undefined) return [];
  const parts = [
    ...(differing.length > 0
      ? [`${named(differing)} ${differing.length > 1 ? "differ" : "differs"} on the server`]
      : []),
    ...(absent.length > 0 ? [`${named(absent)} ${absent.length > 1 ? "are" : "is"} not on the server`] : []),
  ];
  return [
    createDiagnostic(first.origin, "server-owned", {
      what: `Marked as the server's own in their files, and left alone: ${parts.join("; ")}.`,
      why: "gate-sync never writes an entry that is marked reserved, hidden, static or readonly.",
      fix: "Nothing, if they came with the product; else copy them under other names without these marks.",
    }),
  ];
}

function neverCreated(own: readonly DesiredResource[], but: string): readonly Diagnostic[] {
  const [first] = own;
  if (first === undefined) return [];
  return [
    createDiagnostic(first.origin, "server-owned", {
      what: `${named(own)} will never be created: marked as the server's own, but ${but}.`,
      why: "gate-sync never writes an entry that is marked reserved, hidden, static or readonly.",
      fix: `Remove the mark${own.length > 1 ? "s" : ""} to have ${own.length > 1 ? "them" : "it"} created, or remove the declaration. The admin certificate of OpenSearch can write reserved entries: families.${first.family}.reserved: write.`,
      isAlwaysShown: true,
      related: own.slice(1).map((resource) => ({ range: resource.origin, what: subjectOf(resource) })),
    }),
  ];
}

/** The first ones by name, the others by their number. */
function named(resources: readonly DesiredResource[]): string {
  const most = 5;
  const nouns = new Map<string, string[]>();
  for (const { family, name } of resources.slice(0, most)) {
    nouns.set(family, [...(nouns.get(family) ?? []), JSON.stringify(name)]);
  }
  const parts = [...nouns].map(
    ([family, names]) => `${getNoun(family as DesiredResource["family"], names.length)} ${names.join(", ")}`,
  );
  const more = resources.length - most;
  return more > 0 ? `${parts.join(", ")} and ${more} more` : parts.join(", ");
}

/** Known fields, and unknown ones that are declared; of the rest an update would keep what the server has. */
function differingFields({ family, value }: DesiredResource, held: LiveResource): readonly string[] {
  const fields = new Set([...Object.keys(factsOf[family].fields), ...Object.keys(value)]);
  return [...fields].filter((field) => !isEqual(value[field], held.value[field]));
}

export function isHidden({ node }: Pick<DesiredResource, "node">): boolean {
  const flag = findMapEntry(node, "hidden")?.value;
  return flag?.kind === "scalar" && flag.value === true;
}

function subjectOf({ family, name }: DesiredResource): string {
  return `The ${getNoun(family)} ${JSON.stringify(name)}`;
}
