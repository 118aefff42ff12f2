// For each difference from the server: the edits of files that would take it in, or why there are none.
import { basename, join } from "node:path";
import { exportFamily } from "../../artifacts/exported/entries.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { YamlEdit } from "../../edit/edit.ts";
import { type EntryEdits, planFields, writeField } from "../../edit/entry-edits.ts";
import type { Field } from "../../families/facts.ts";
import { fillSettings } from "../../families/fill.ts";
import { factsOf, getNoun } from "../../families/index.ts";
import { isEqual, isList, isObject, type Json } from "../../json/value.ts";
import { formatPath } from "../../load/files.ts";
import type { Change } from "../../model/change.ts";
import type { LeftDifference } from "../../model/file-update.ts";
import { type Address, createAddress, type Family, isResourceFamily, type ResourceFamily } from "../../model/names.ts";
import { isNullNode } from "../../model/node.ts";
import { canonicaliseEntry, isRespelt } from "../../normalise/resource.ts";
import { type DeclaredEntries, type EntryInFile, findOverride, type WrittenSection } from "./declared.ts";
import { describeKept, describeOrigin, findKeptRange, listWanted } from "./explained.ts";
import type { FileUse } from "./file-use.ts";
import { planOverride } from "./overridden.ts";

export interface Attempt {
  readonly address: Address;
  readonly kind: "changed" | "added" | "removed";
  readonly change: Change;
  readonly edits: readonly FileValueEdit[];
}

export interface FileValueEdit extends YamlEdit {
  readonly file: UpdatedFile;
}

export interface UpdatedFile {
  /** As users see it named. */
  readonly shown: string;
  readonly absolute: string;
}

export interface UpdateOptions {
  /** Remove the declarations of what is not on the server any more. */
  readonly prune: boolean;
  /** Files that other targets use are edited, too. */
  readonly shared: boolean;
  /** Where new entries go; absolute. */
  readonly into?: UpdatedFile;
}

export interface UpdateContext {
  readonly declared: DeclaredEntries;
  readonly use: FileUse;
  readonly dialect: Dialect;
  readonly options: UpdateOptions;
  readonly cwd: string;
  /** By the path that users see. */
  readonly places: ReadonlyMap<string, string>;
}

type Planned = Attempt | LeftDifference;

export function planAttempt(change: Change, context: UpdateContext): Planned {
  const { family, before, after } = change;
  if (!isResourceFamily(family))
    return createLeftDifference(change, `a ${getNoun(family)} is not written into files by this`, context);
  if (before === undefined) return planGone(change, context);
  return after === undefined ? planAdded(change, family, context) : planChanged(change, family, context);
}

export function createLeftDifference(
  change: Change,
  why: string,
  context: Pick<UpdateContext, "declared">,
  range?: SourceRange,
): LeftDifference {
  const address = createAddress(change.family, change.name);
  const place = range ?? context.declared.base.get(address)?.entry.keyRange ?? change.origin;
  return { address, change, why, ...(place && { range: place }) };
}

/** The server has it otherwise. */
function planChanged(change: Change, family: ResourceFamily, context: UpdateContext): Planned {
  const { declared, use, dialect, options } = context;
  const address = createAddress(family, change.name);
  const base = declared.base.get(address);
  const place = base?.place;
  if (!base || !place) return createLeftDifference(change, describeOrigin(base), context);
  const [override, ...more] = declared.overrides.get(address) ?? [];
  if (more.length > 0) return createLeftDifference(change, "several files override it", context);
  if (override && !override.place) return createLeftDifference(change, "its override comes from a variable", context);
  const resolve = declared.resolveIn(base.absolute);
  const body = place.node;
  const [written = null] = isNullNode(body) ? [{}] : resolve(body);
  if (isList(written)) return planShortForm(change, base, context);
  if (!isObject(written)) return createLeftDifference(change, "it is written in a short form", context);
  if (isRespelt(dialect, family, written))
    return createLeftDifference(change, "it is written in words of an older release", context);
  const wanted = change.before ?? {};
  const now = fillSettings(canonicaliseEntry(dialect, family, written), wanted, factsOf[family].fields);
  const isShared = use.othersOf(base.absolute).length > 0 && !options.shared;
  const differing = Object.entries(factsOf[family].fields).filter(
    ([field, { kind }]) => kind !== "credential" && !isEqual(change.after?.[field], wanted[field]),
  );
  const isOverridden = (field: string) =>
    override?.place !== undefined && findOverride(override.place.node, field).length > 0;
  const ofOverride = differing.filter(([field]) => isShared || isOverridden(field));
  const ofBase = differing.filter(([field]) => !isShared && !isOverridden(field));
  const inBase = planFields(body, now, wanted, Object.fromEntries(ofBase) as Readonly<Record<string, Field>>, resolve);
  const inOverride = planOverride(ofOverride, {
    base: now,
    wanted,
    body: override?.place?.node,
    resolve: declared.resolveIn(override?.absolute ?? base.absolute),
  });
  const kept = [...inBase.kept, ...inOverride.kept];
  if (kept.length > 0)
    return createLeftDifference(change, describeKept(kept), context, findKeptRange(kept, base, override));
  const edits: FileValueEdit[] = placeEdits(fileOf(base), place, inBase);
  if (ofOverride.length > 0) {
    const target = findOverrideFile(override, [family, change.name], context);
    if ("why" in target) return createLeftDifference(change, target.why, context);
    edits.push(...placeEdits(target.file, target, inOverride));
  }
  return { address, kind: "changed", change, edits };
}

/** `READ: [a, b]`: an action group of which nothing but the actions is declared. */
function planShortForm(change: Change, base: EntryInFile, context: UpdateContext): Planned {
  const { declared, use, options } = context;
  const { place } = base;
  const fields = listWanted(change);
  const isOnlyList = Object.keys(fields).join() === "allowed_actions" && change.family === "action_groups";
  if (!place || !isOnlyList || declared.overrides.has(createAddress(change.family, change.name)))
    return createLeftDifference(change, "it is written in a short form", context);
  if (use.othersOf(base.absolute).length > 0 && !options.shared)
    return createLeftDifference(
      change,
      "it is written in a short form, in a file that other targets read, too",
      context,
    );
  const facts = factsOf.action_groups.fields.allowed_actions as Field;
  const found = writeField(place.node, fields.allowed_actions, facts, declared.resolveIn(base.absolute));
  if ("why" in found) return createLeftDifference(change, found.why, context);
  const edits = placeEdits(fileOf(base), place, { edits: [{ path: [], ...found }], kept: [] });
  return { address: createAddress(change.family, change.name), kind: "changed", change, edits };
}

function placeEdits(
  file: UpdatedFile,
  { document, path }: { readonly document: number; readonly path: readonly string[] },
  { edits }: EntryEdits,
): FileValueEdit[] {
  return edits.map((edit) => ({ ...edit, file, document, path: [...path, ...edit.path] }));
}

function fileOf({ file, absolute }: Pick<EntryInFile, "file" | "absolute">): UpdatedFile {
  return { shown: file.path, absolute };
}

type OverridePlace =
  | { readonly file: UpdatedFile; readonly document: number; readonly path: readonly string[] }
  | { readonly why: string };

/** Where what is said for this target alone goes. */
function findOverrideFile(
  override: EntryInFile | undefined,
  path: readonly [Family, string],
  context: UpdateContext,
): OverridePlace {
  const { declared, use, options } = context;
  if (override?.place) {
    const others = use.othersOf(override.absolute);
    if (others.length > 0 && !options.shared)
      return { why: `its override is in a file that ${others.join(", ")} reads, too` };
    return { file: fileOf(override), document: override.place.document, path: override.place.path };
  }
  const own = [...declared.overridesFiles].find(({ absolute }) => use.othersOf(absolute).length === 0);
  if (own) return { file: own.file, document: own.document, path: ["overrides", ...path] };
  const file = findNewFile("overrides", context);
  return file ? { file, document: 0, path: ["overrides", ...path] } : { why: noOwnFile };
}

const noOwnFile =
  "its file is one that other targets read, too, and this target has no state folder of its own for an override; --shared edits it for all of them";

/** A file that is not there yet, in the target's own folder. */
function findNewFile(stem: string, { use, cwd, places }: UpdateContext): UpdatedFile | undefined {
  const { ownFolder } = use;
  if (ownFolder === undefined) return undefined;
  const taken = new Set(places.values());
  for (let count = 1; ; count++) {
    const absolute = join(ownFolder, count === 1 ? `${stem}.yml` : `${stem}-${count}.yml`);
    if (!taken.has(absolute)) return { shown: formatPath(cwd, absolute), absolute };
  }
}

/** No file declares it. */
function planAdded(change: Change, family: ResourceFamily, context: UpdateContext): Planned {
  const { declared, use, dialect, options } = context;
  const { live } = change;
  if (!live) return createLeftDifference(change, "it is not on the server", context);
  const [entry] = exportFamily(
    family,
    new Map([[live.name, { ...live, ownership: "open" }]]),
    undefined,
    dialect,
  ).value;
  if (!entry) return createLeftDifference(change, "it cannot be written", context);
  const [name, value] = entry;
  const address = createAddress(family, change.name);
  const attempt = (file: UpdatedFile, document: number, path: readonly string[]): Attempt => ({
    address,
    kind: "added",
    change,
    edits: [{ file, document, path: [...path, name], value: value as Json }],
  });
  // A file in words of an older release, mixed with others, is one that no server's tool takes.
  const isOlder = ({ section, absolute }: WrittenSection) =>
    !dialect.documentTypes &&
    section.entries.some(({ value: node }) => {
      const [written] = declared.resolveIn(absolute)(node);
      return isObject(written) && isRespelt(dialect, family, written);
    });
  const ofFamily = declared.sections.filter(
    (one) =>
      one.section.family === family &&
      one.place &&
      (options.shared || use.othersOf(one.absolute).length === 0) &&
      !isOlder(one),
  );
  if (options.into) {
    const { absolute } = options.into;
    const section = ofFamily.find((one) => one.absolute === absolute);
    if (section?.place) return attempt(options.into, section.place.document, section.place.path);
    if (!options.shared && use.othersOf(absolute).length > 0)
      return createLeftDifference(
        change,
        `${options.into.shown} is read by other targets, too; --shared edits it`,
        context,
      );
    return attempt(options.into, 0, [family]);
  }
  const [most] = ofFamily.sort((a, b) => b.section.entries.length - a.section.entries.length);
  if (most?.place) {
    const file = { shown: most.section.document.file.path, absolute: most.absolute };
    return attempt(file, most.place.document, most.place.path);
  }
  const file = findNewFile(family, context);
  return file
    ? attempt(file, 0, [family])
    : createLeftDifference(
        change,
        `no file of this target alone declares ${getNoun(family, 2)}; name one with --into FILE, or --shared`,
        context,
      );
}

/** The server has it no more. */
function planGone(change: Change, context: UpdateContext): Planned {
  const { declared, use, options } = context;
  const { family, name } = change;
  const address = createAddress(family, name);
  const base = declared.base.get(address);
  if (!options.prune)
    return {
      ...createLeftDifference(change, "it is not on the server; --prune removes its declaration", context),
      isPrunable: true,
    };
  if (!base?.place) return createLeftDifference(change, describeOrigin(base), context);
  const overrides = declared.overrides.get(address) ?? [];
  const isShared = use.othersOf(base.absolute).length > 0 && !options.shared;
  if (isShared) {
    if (overrides.length > 1) return createLeftDifference(change, "several files override it", context);
    const target = findOverrideFile(overrides[0], [family, name], context);
    if ("why" in target) return createLeftDifference(change, target.why, context);
    const { file, document, path } = target;
    return { address, kind: "removed", change, edits: [{ file, document, path, value: { remove: true } }] };
  }
  const all = [base, ...overrides];
  const other = overrides.find(
    ({ absolute, place }) => !place || (use.othersOf(absolute).length > 0 && !options.shared),
  );
  if (other)
    return createLeftDifference(change, `it is overridden in ${basename(other.file.path)}, which stays`, context);
  return {
    address,
    kind: "removed",
    change,
    edits: all.flatMap((one) =>
      one.place ? [{ file: fileOf(one), document: one.place.document, path: one.place.path }] : [],
    ),
  };
}
