import { dirname, resolve } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { Secret } from "../json/secret.ts";
import { findMapEntry, type MapEntry, type Node, toValue } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { readSecretFile } from "./named-files.ts";
import type { Lookups } from "./reference-text.ts";

/**
 * `license: {file: path}` becomes `license: {text: …}`, a secret. The path is relative to the state file.
 *
 * @param absolute the state file
 */
export function withLicenseText(
  document: StateDocument,
  absolute: string,
  lookups: Pick<Lookups, "files" | "secrets">,
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  const written = document.sections.find(({ family }) => family === "license")?.node;
  const file = findMapEntry(written, "file");
  const asIs = { document, diagnostics: [] };
  if (written?.kind !== "map" || !file || findMapEntry(written, "text")) return asIs;
  if (file.value.kind !== "scalar" || typeof file.value.value !== "string") return asIs;
  const path = file.value.value;
  const read = licenseText(file, resolve(dirname(absolute), path), lookups);
  const text: MapEntry = { ...file, key: "text", value: { ...file.value, value: read.secret } };
  const node: Node = { ...written, entries: written.entries.map((entry) => (entry === file ? text : entry)) };
  return { document: replaced(document, written, node), diagnostics: read.diagnostics };
}

function licenseText(file: MapEntry, place: string, lookups: Pick<Lookups, "files" | "secrets">) {
  const path = String(toValue(file.value));
  const [reference, source] = [`\${file:${path}}`, `\${file:${place}}`];
  const { text, problem } = readSecretFile(place, path, lookups);
  return {
    secret: new Secret(reference, text?.trimEnd(), source),
    diagnostics: problem ? [createDiagnostic(file.value, problem.code, problem.userMessage)] : [],
  };
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
