import { dirname, resolve } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { Secret } from "../json/secret.ts";
import { findMapEntry, type MapEntry, type Node, toValue } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { formatErrno } from "./errno.ts";

/**
 * `license: {file: path}` becomes `license: {text: …}`, a secret. The path is relative to the state file.
 *
 * @param absolute the state file
 * @param beside reads a small file by its absolute path
 */
export function withLicenseText(
  document: StateDocument,
  absolute: string,
  secrets: "resolve" | "leave",
  beside: (absolute: string) => string,
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  const written = document.sections.find(({ family }) => family === "license")?.node;
  const file = findMapEntry(written, "file");
  const asIs = { document, diagnostics: [] };
  if (written?.kind !== "map" || !file || findMapEntry(written, "text")) return asIs;
  if (file.value.kind !== "scalar" || typeof file.value.value !== "string") return asIs;
  const path = file.value.value;
  const read = licenseText(file, resolve(dirname(absolute), path), secrets, beside);
  const text: MapEntry = { ...file, key: "text", value: { ...file.value, value: read.secret } };
  const node: Node = { ...written, entries: written.entries.map((entry) => (entry === file ? text : entry)) };
  return { document: replaced(document, written, node), diagnostics: read.diagnostics };
}

function licenseText(
  file: MapEntry,
  place: string,
  secrets: "resolve" | "leave",
  beside: (absolute: string) => string,
) {
  const path = String(toValue(file.value));
  const [reference, source] = [`\${file:${path}}`, `\${file:${place}}`];
  if (secrets === "leave") return { secret: new Secret(reference, undefined, source), diagnostics: [] };
  try {
    return { secret: new Secret(reference, beside(place).trimEnd(), source), diagnostics: [] };
  } catch (error) {
    const diagnostic = createDiagnostic(file.value, "unset-secret", {
      what: `The license file ${path} cannot be read: ${formatErrno(error)}.`,
      why: "Without its text the license can be neither compared nor written.",
      fix: "Create it where gate-sync runs; its path is relative to this file.",
    });
    return { secret: new Secret(reference), diagnostics: [diagnostic] };
  }
}

/** The document with one node below the root exchanged, in its sections as well. */
function replaced(document: StateDocument, before: Node, after: Node): StateDocument {
  const exchange = (node: Node): Node => (node === before ? after : node);
  const { file, form, root: old } = document;
  const root: Node =
    old.kind === "map"
      ? { ...old, entries: old.entries.map((entry) => ({ ...entry, value: exchange(entry.value) })) }
      : old;
  const whole = { file, form, root };
  const sections = document.sections.map((section) => ({
    ...section,
    document: whole,
    node: exchange(section.node),
  }));
  return { ...whole, sections };
}
