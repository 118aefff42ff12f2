// What is in the format of the products' own tools, or of gate-sync: recognised as state files are.
import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { isHeader } from "../load/header.ts";
import { convertNamesToStrings } from "../load/names-as-text.ts";
import { parseNativeDocument } from "../load/native.ts";
import { recogniseDocument } from "../load/recognise.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode, type Node, toValue } from "../model/node.ts";
import type { Section, StateDocument } from "../model/repository.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";

/** Why a document is not taken; with a diagnostic where it may be state with a mistake. */
export interface NotTaken {
  readonly why: string;
  readonly mistake?: Diagnostic;
}

/** Takes the entries of a document that is state by its header, keys or file name; undefined where it was taken. */
export function takeStateDocument(file: SourceFile, written: Node, findings: ImportFindings): NotTaken | undefined {
  const root = convertNamesToStrings(written);
  const { document, diagnostics, unmanaged, other } = recogniseDocument(file, root);
  if (unmanaged !== undefined) {
    addLeftOut(findings, unmanaged, "not managed by gate-sync", root);
    return undefined;
  }
  if (other !== undefined) return { why: other };
  const mistake = diagnostics.find(isError);
  if (mistake) return { why: mistake.what, mistake };
  if (!document) return { why: "it declares nothing" };
  noteProduct(root, findings);
  takeDocument(document, findings);
  return undefined;
}

/** Takes a map as entries of a family, or as the config, in the products' own format. */
export function takeNativeMap(family: Family, root: MapNode, findings: ImportFindings): void {
  const converted = convertNamesToStrings(root) as MapNode;
  noteProduct(converted, findings);
  const { document, diagnostics } = parseNativeDocument(root.file, converted, family);
  for (const one of diagnostics) addLeftOut(findings, family, one.what, one.range ?? root);
  takeDocument(document, findings);
}

function takeDocument(document: StateDocument, findings: ImportFindings): void {
  for (const section of document.sections) takeSection(section, findings);
  const own = { waivers: document.waivers, personas: document.personas, access_tests: document.accessTests };
  for (const [key, node] of Object.entries({ ...own, overrides: document.overrides }))
    if (node) addLeftOut(findings, key, "it is gate-sync's own: copy it to a state file", node);
}

function takeSection({ family, node, entries }: Section, findings: ImportFindings): void {
  if (isResourceFamily(family)) {
    for (const entry of entries) takeEntry(family, entry, findings);
    if (entries.length === 0 && node.kind === "map" && node.entries.every((entry) => !isHeader(entry)))
      findings.notes.add(`${family} has no entries in ${node.file.path}; an empty resource type was not written.`);
  } else if (family === "license") leaveLicense(node, findings);
  else if (!isNullNode(node)) takeSingle(family, node, findings);
}

function leaveLicense(node: Node, findings: ImportFindings): void {
  const why = "a license is not copied; declare it with license: {file: PATH} if gate-sync should keep it up";
  addLeftOut(findings, "license", why, node);
}

function takeSingle(family: Family, node: Node, findings: ImportFindings): void {
  findings.entries.push({ family, name: "", body: toValue(node), place: node });
}

function takeEntry(family: Family, { key, keyRange, value }: MapEntry, findings: ImportFindings): void {
  findings.entries.push({ family, name: key, body: toValue(value), place: keyRange });
}

/** Each product has a header of its own. */
function noteProduct(root: Node, findings: ImportFindings): void {
  if (findMapEntry(findMapEntry(root, "_meta")?.value, "config_version")) findings.products.add("opensearch");
  if (findMapEntry(root, "_sg_meta")) findings.products.add("search-guard");
  if (findMapEntry(root, "_gate_meta")) findings.products.add("gate");
}
