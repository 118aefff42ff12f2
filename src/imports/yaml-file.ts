// A file of YAML or JSON: which of the known kinds each of its documents is.
import type { SourceFile } from "../diagnostics/source.ts";
import { guessBodyKind, guessEntryKind } from "../load/evidence.ts";
import { getFamilyOfProductName } from "../load/file-names.ts";
import { isHeader } from "../load/header.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import { addLeftIncludes, fillTasks } from "./ansible.ts";
import { addLeftOut, createFindings, type ImportFindings, noEntriesWhy } from "./findings.ts";
import { addGivenValues } from "./given-values.ts";
import { isKubernetesObject, takeKubernetesObject } from "./kubernetes.ts";
import { addBodySecrets } from "./login-secrets.ts";
import { isNamedBelow, listRest, takeNested } from "./nested.ts";
import { isPostmanCollection, isPostmanEnvironment, takePostmanCollection } from "./postman.ts";
import { type NotTaken, takeStateDocument } from "./state-document.ts";
import { parseTemplate } from "./templates.ts";
import { isTerraformOutput, isTerraformState, takeTerraformOutput } from "./terraform.ts";

export function takeYamlFile(given: SourceFile, findings: ImportFindings): void {
  if (given.text.startsWith("$ANSIBLE_VAULT;")) {
    addLeftOut(findings, "the file", encryptedFile, { file: given, start: 0, end: 0 });
    return;
  }
  const before = findings.diagnostics.length;
  const { file, documents } = parseTemplate(given, findings);
  if (documents.length === 0 && findings.diagnostics.length === before) {
    addLeftOut(findings, "the file", "it has no entries", { file, start: 0, end: 0 });
  }
  if (/^\s*#/m.test(file.text)) findings.notes.add("Comments of the input were not copied.");
  for (const document of documents) takeDocument(file, document, findings);
}

const encryptedFile =
  "Ansible Vault encrypts all of it: pipe it in with ansible-vault view FILE | gate-sync import - --out FOLDER";

function takeDocument(file: SourceFile, document: Node, findings: ImportFindings): void {
  if (isKubernetesObject(document)) takeKubernetesObject(document, findings);
  else if (isTerraformOutput(document)) takeTerraformOutput(document, findings);
  else if (isTerraformState(document))
    addLeftOut(findings, "a state of Terraform", "run terraform show -json, and import what that prints", document);
  else if (isPostmanCollection(document)) takePostmanCollection(document, findings);
  else if (isPostmanEnvironment(document)) {
    addBodySecrets(toValue(document), findings);
    addLeftOut(findings, "an environment of Postman", environment, document);
  } else takeOtherDocument(file, withoutGenerator(document, findings), findings);
}

/** Of our own state files: what it generates is known once it is rendered. */
function withoutGenerator(document: Node, findings: ImportFindings): Node {
  const generator = findMapEntry(document, "generate");
  if (document.kind !== "map" || !generator || !findMapEntry(generator.value, "for_each")) return document;
  const why = "it generates entries: render it, and import what gate-sync render FILE prints";
  addLeftOut(findings, "generate", why, generator.keyRange);
  return { ...document, entries: document.entries.filter((entry) => entry !== generator) };
}

const environment = "its values are not used: give those that entries need as vars of the target, secrets as variables";

function takeOtherDocument(file: SourceFile, document: Node, findings: ImportFindings): void {
  // Found apart: of a document that is none, nothing is kept.
  const state = createFindings();
  const refusal = isNamedBelow(document) ? { why: "" } : takeStateDocument(file, document, state);
  const filled = document.kind === "list" ? fillTasks(document) : document;
  const rest = refusal && filled.kind !== "scalar" ? takeNested(filled, findings) : undefined;
  if (refusal) addGivenValues(document, findings);
  if (rest && document.kind === "list") addLeftIncludes(document, findings);
  if (!refusal) addAll(findings, state);
  else if (rest === undefined && refusal.mistake && isNamedAsState(document))
    findings.diagnostics.push(refusal.mistake);
  else if (rest === undefined) {
    addBodySecrets(toValue(document), findings);
    addLeftOut(findings, "the document", explainRest(document, refusal), document);
  } else
    listRest(
      "",
      rest.filter((entry) => !isHeader(entry)),
      findings,
    );
}

/** Where it is a payload, what to say with it. */
function explainRest(document: Node, { why, mistake }: NotTaken): string {
  if (document.kind === "list" && document.items.some((item) => findMapEntry(item, "op") && findMapEntry(item, "path")))
    return "it is a JSON Patch; name its resource type with --family, after the scripts whose entries it changes";
  const body = guessBodyKind(document);
  if (body !== undefined) return `it has the fields of one entry; name it with --family ${body} --name NAME`;
  const kinds = new Set(document.kind === "map" ? document.entries.map(({ value }) => guessEntryKind(value)) : []);
  const [kind] = kinds;
  if (kinds.size === 1 && kind !== undefined) return `it looks like ${kind}; if it is, say so with --family ${kind}`;
  return mistake === undefined || why.includes("Elasticsearch") ? why : noEntriesWhy;
}

/** By its header, or as the products call their files: what is wrong with it is for a person to correct. */
function isNamedAsState(document: Node): boolean {
  const hasHeader = document.kind === "map" && document.entries.some(isHeader);
  return hasHeader || getFamilyOfProductName(document.file.path) !== undefined;
}

function addAll(findings: ImportFindings, { entries, left, notes, diagnostics, products }: ImportFindings): void {
  for (const entry of entries) findings.entries.push(entry);
  for (const one of left) findings.left.push(one);
  for (const one of diagnostics) findings.diagnostics.push(one);
  for (const note of notes) findings.notes.add(note);
  for (const product of products) findings.products.add(product);
}
