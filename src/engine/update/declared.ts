// Where the entries of a target are declared, and as what: before anything is laid over them.
import { dirname } from "node:path";
import type { SourceFile } from "../../diagnostics/source.ts";
import type { ResolveWritten } from "../../edit/entry-edits.ts";
import { locateWritten, type WrittenPlace } from "../../edit/written-place.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { addOwnRepository, createReadable } from "../../load/boundary.ts";
import { createConfinedFiles } from "../../load/named-files.ts";
import { resolveReferences } from "../../load/references.ts";
import { parseDocuments } from "../../load/yaml.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import { findMapEntry, findNodeAt, type MapEntry, type Node, toValue } from "../../model/node.ts";
import type { Repository, Section, StateDocument } from "../../model/repository.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import type { Target } from "../../model/target.ts";

/** An entry, or what is laid over one, as it is written in its file. */
export interface EntryInFile {
  readonly file: SourceFile;
  readonly absolute: string;
  readonly entry: MapEntry;
  readonly document: StateDocument;
  /** Where its body is; absent: it is generated, or comes from a variable. */
  readonly place?: WrittenPlace;
}

export interface DeclaredEntries {
  readonly base: ReadonlyMap<Address, EntryInFile>;
  readonly overrides: ReadonlyMap<Address, readonly EntryInFile[]>;
  /** Files with overrides, each by its first document that has some. */
  readonly overridesFiles: readonly OverridesFile[];
  readonly sections: readonly WrittenSection[];
  /** What is written comes to this. */
  readonly resolveIn: (absolute: string) => ResolveWritten;
}

export interface OverridesFile {
  readonly file: { readonly shown: string; readonly absolute: string };
  readonly absolute: string;
  readonly document: number;
  /** As it is read. */
  readonly node: Node;
}

export interface WrittenSection {
  readonly section: Section;
  readonly absolute: string;
  /** The map of its entries, as it is written; absent where that is elsewhere. */
  readonly place?: Omit<WrittenPlace, "isKey">;
}

/** @param places of files, by the path that users see */
export function listWritten(
  { documents }: Repository,
  places: ReadonlyMap<string, string>,
  { vars, secretFiles }: Target,
  { cwd, configPath, env }: Surroundings,
): DeclaredEntries {
  const readable = createReadable(cwd, configPath, secretFiles);
  const parse = memoiseByObject((file: SourceFile) => parseDocuments(file).documents);
  const base = new Map<Address, EntryInFile>();
  const overrides = new Map<Address, EntryInFile[]>();
  const sections: WrittenSection[] = [];
  const overridesFiles: OverridesFile[] = [];
  for (const document of documents) {
    const { file } = document;
    const absolute = places.get(file.path);
    if (absolute === undefined) continue;
    const locate = (entry: MapEntry): EntryInFile => {
      const found = entry.keyRange.generatedFor ? undefined : locateWritten(parse(file), entry.keyRange);
      return { file, absolute, entry, document, ...(found?.isKey && { place: found }) };
    };
    for (const section of document.sections) {
      const { family, entries } = section;
      const [first] = section.node.kind === "map" ? section.node.entries : [];
      const at = first && !first.keyRange.generatedFor ? locateWritten(parse(file), first.keyRange) : undefined;
      const bare = findBare(document, section, parse(file));
      const place = at?.isKey ? findParent(at, parse(file)) : bare;
      sections.push({ section, absolute, ...(place && { place }) });
      if (!isResourceFamily(family)) continue;
      for (const entry of entries) {
        const address = createAddress(family, entry.key);
        if (!base.has(address)) base.set(address, locate(entry));
      }
    }
    const [laid] = document.overrides?.kind === "map" ? document.overrides.entries : [];
    const at = laid && locateWritten(parse(file), laid.keyRange);
    if (document.overrides && at?.isKey && at.path[0] === "overrides" && at.path.length === 2)
      overridesFiles.push({
        file: { shown: file.path, absolute },
        absolute,
        document: at.document,
        node: document.overrides,
      });
    for (const [family, entry] of listOverriding(document)) {
      const address = createAddress(family, entry.key);
      overrides.set(address, [...(overrides.get(address) ?? []), locate(entry)]);
    }
  }
  return {
    base,
    overrides,
    sections,
    overridesFiles,
    resolveIn: (absolute) => (written: Node) => {
      const files = createConfinedFiles(addOwnRepository(readable, absolute));
      const lookups = { vars, env, secrets: "resolve", directory: dirname(absolute), files } as const;
      const { file, start, end } = written;
      const { node } = resolveReferences({ kind: "list", file, start, end, items: [written] }, lookups);
      return node.kind === "list" ? node.items.map(toValue) : [];
    },
  };
}

/** `roles: {}`: the family's key is there, and no entry. */
function findBare({ form }: StateDocument, { family, range, entries }: Section, roots: readonly Node[]) {
  if (form !== "by-family" || entries.length > 0 || range.generatedFor) return undefined;
  const found = locateWritten(roots, range);
  return found?.isKey && found.path.join() === family ? found : undefined;
}

function findParent({ document, path }: WrittenPlace, roots: readonly Node[]): WrittenSection["place"] {
  const root = roots[document];
  const above = path.slice(0, -1);
  return root && { document, path: above, node: findNodeAt(root, above) };
}

function listOverriding({ overrides }: StateDocument): readonly (readonly [Family, MapEntry])[] {
  if (overrides?.kind !== "map") return [];
  return overrides.entries.flatMap(({ key, value }): readonly (readonly [Family, MapEntry])[] =>
    isResourceFamily(key) && value.kind === "map" ? value.entries.map((entry) => [key, entry] as const) : [],
  );
}

/** The body of an entry as it is written. */
export function getBody({ place }: EntryInFile): Node | undefined {
  return place?.node;
}

export function findOverride(body: Node, field: string): readonly MapEntry[] {
  return ["", "+", "-"].flatMap((sign) => findMapEntry(body, sign + field) ?? []);
}
