// One view of the nodes of 6.x and 7.x, for checks that depend on the meaning and not on the format.
import type { SourceRange } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { findMapEntry, type MapEntry, type Node } from "../model/node.ts";

/** A text with its place: an element of a list, or a key of a map in the format of 6.x, where keys are patterns. */
export interface WrittenText extends SourceRange {
  readonly value: string | Secret;
}

/** What may be done on some indices, or in some tenants. */
export interface WrittenPermission {
  /** Where it is reported: the element of the list, or the key that is the pattern. */
  readonly range: SourceRange;
  /** The fields of an element; none where the pattern is a key. */
  readonly fields: readonly MapEntry[];
  readonly patterns: readonly WrittenText[];
  readonly actions: readonly WrittenText[];
  readonly dls?: WrittenText;
  readonly fls: readonly WrittenText[];
  readonly maskedFields: readonly WrittenText[];
  /** 6.x mapping types, `*` for all among them. */
  readonly documentTypes: readonly WrittenText[];
}

/** The texts of a list; of a single value, that one. What is no text is left to the schemas. */
export function listWrittenTexts(node: Node | undefined): readonly WrittenText[] {
  if (node === undefined) return none;
  if (node.kind !== "list") return isText(node) ? [node] : none;
  // There are hundreds of thousands of lists: none is copied without need.
  return node.items.every(isText) ? node.items : node.items.filter(isText);
}

const none: readonly WrittenText[] = [];

function isText(node: Node | undefined): node is Node & WrittenText {
  return node?.kind === "scalar" && (typeof node.value === "string" || node.value instanceof Secret);
}

/** The strings under a field that has several names. */
export function listTextsUnder(body: Node, ...fields: readonly string[]): readonly WrittenText[] {
  let found: readonly WrittenText[] = none;
  for (const field of fields) found = joined(found, listWrittenTexts(findMapEntry(body, field)?.value));
  return found;
}

function joined(some: readonly WrittenText[], others: readonly WrittenText[]): readonly WrittenText[] {
  if (some.length === 0) return others;
  return others.length === 0 ? some : [...some, ...others];
}

export function listIndexPermissions(role: Node): readonly WrittenPermission[] {
  const granted = listGrantedPermissions(role);
  const excluded = elementsOf(role, "exclude_index_permissions");
  return excluded.length === 0 ? granted : [...granted, ...excluded.map(indexPermission)];
}

/** Lists of a role that grant something on indices; the last two are of Search Guard FLX. */
const grantingFields = ["index_permissions", "alias_permissions", "data_stream_permissions"];

export function listGrantedPermissions(role: Node): readonly WrittenPermission[] {
  const found: WrittenPermission[] = [];
  for (const field of grantingFields) {
    for (const element of elementsOf(role, field)) found.push(indexPermission(element));
  }
  for (const entry of entriesOf(findMapEntry(role, "indices")?.value)) found.push(sixIndexPermission(entry));
  return found;
}

const listOf: ReadonlyMap<string, "patterns" | "actions" | "fls" | "maskedFields" | "documentTypes"> = new Map([
  ["index_patterns", "patterns"],
  ["alias_patterns", "patterns"],
  ["data_stream_patterns", "patterns"],
  ["allowed_actions", "actions"],
  ["actions", "actions"],
  ["fls", "fls"],
  ["masked_fields", "maskedFields"],
  ["document_types", "documentTypes"],
]);

function indexPermission(element: Node): WrittenPermission {
  const fields = entriesOf(element);
  const lists = { patterns: none, actions: none, fls: none, maskedFields: none, documentTypes: none };
  let dls: WrittenText | undefined;
  for (const { key, value } of fields) {
    const list = listOf.get(key);
    if (list !== undefined) lists[list] = joined(lists[list], listWrittenTexts(value));
    else if (key === "dls" && isText(value)) dls = value;
  }
  return { range: startOf(element), fields, ...lists, ...(dls && { dls }) };
}

/** Keys beside the types of a 6.x pattern. */
export const restrictions: ReadonlySet<string> = new Set(["_dls_", "_fls_", "_masked_fields_"]);

function sixIndexPermission({ key, keyRange, value }: MapEntry): WrittenPermission {
  const types = entriesOf(value).filter((entry) => !restrictions.has(entry.key));
  const dls = findMapEntry(value, "_dls_")?.value;
  return {
    range: keyRange,
    fields: [],
    patterns: [{ ...keyRange, value: key }],
    actions: types.flatMap((type) => listWrittenTexts(type.value)),
    ...(isText(dls) && { dls }),
    fls: listTextsUnder(value, "_fls_"),
    maskedFields: listTextsUnder(value, "_masked_fields_"),
    documentTypes: types.map((type) => ({ ...type.keyRange, value: type.key })),
  };
}

export type WrittenTenants = Pick<WrittenPermission, "patterns" | "actions">;

export function listTenantPermissions(role: Node): readonly WrittenTenants[] {
  const found: WrittenTenants[] = [];
  for (const element of elementsOf(role, "tenant_permissions")) {
    found.push({
      patterns: listTextsUnder(element, "tenant_patterns"),
      actions: listTextsUnder(element, "allowed_actions"),
    });
  }
  for (const { key, keyRange } of entriesOf(findMapEntry(role, "tenants")?.value)) {
    found.push({ patterns: [{ ...keyRange, value: key }], actions: none });
  }
  return found;
}

/** The maps of a list. */
function elementsOf(body: Node, field: string): readonly Node[] {
  const list = findMapEntry(body, field)?.value;
  if (list?.kind !== "list") return [];
  return list.items.every(isMap) ? list.items : list.items.filter(isMap);
}

function isMap({ kind }: Node): boolean {
  return kind === "map";
}

function entriesOf(node: Node | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries : noEntries;
}

const noEntries: readonly MapEntry[] = [];

/** The first key of a map: an underline over a whole element says nothing. */
function startOf(node: Node): SourceRange {
  return (node.kind === "map" ? node.entries[0]?.keyRange : undefined) ?? node;
}

/** Where an entry has a name: the first string or key that is exactly this. */
export function findWrittenPlace(node: Node, name: string): SourceRange | undefined {
  switch (node.kind) {
    case "scalar":
      return node.value === name ? node : undefined;
    case "list":
      return firstOf(node.items, (item) => findWrittenPlace(item, name));
    case "map":
      return firstOf(node.entries, ({ key, keyRange, value }) =>
        key === name ? keyRange : findWrittenPlace(value, name),
      );
  }
}

function firstOf<T>(items: readonly T[], place: (item: T) => SourceRange | undefined): SourceRange | undefined {
  for (const item of items) {
    const found = place(item);
    if (found) return found;
  }
  return undefined;
}
