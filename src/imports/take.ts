// All inputs of an import: the reader of each, and one entry for each address.
import { resolve } from "node:path";
import { createDiagnostic, createFileDiagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { isEqual, isList, isObject, type Value } from "../json/value.ts";
import type { Family } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import { hideText } from "./body.ts";
import { settleCombined } from "./combined.ts";
import { readCurlScript } from "./curl-script.ts";
import { takeStates } from "./entry-state.ts";
import {
  addLeftOut,
  createFindings,
  createImportedAddress,
  type FoundEntry,
  type FoundRequest,
  type ImportFindings,
  sameWhy,
} from "./findings.ts";
import { fillGivenValues } from "./given-values.ts";
import { isHttpFile, readHttpFile } from "./http-file.ts";
import { settleOperatorResources } from "./operator.ts";
import { readPayload } from "./payload.ts";
import { describePlaceholders } from "./placeholders.ts";
import { takeRequests } from "./requests.ts";
import { removeTemplates } from "./templates.ts";
import { takeYamlFile } from "./yaml-file.ts";

export interface TakeOptions {
  /** Absolute: where paths begin. */
  readonly cwd: string;
  /** Of inputs that are payloads of requests: scripts beside them are read as such. */
  readonly family?: Family;
  /** What the target states that it is. */
  readonly product?: Product;
  /** Of the only entry that a payload is about. */
  readonly name?: string;
}

export function takeFiles(files: readonly SourceFile[], options: TakeOptions): ImportFindings {
  const findings = createFindings(new Map(files.map((file) => [resolve(options.cwd, file.path), file])));
  const scripts = new Map(files.map((file) => [file, readScript(file, options.cwd, findings)]));
  for (const file of files) {
    if (isSent(file, options, findings)) continue;
    const before = countFound(findings);
    for (const request of scripts.get(file) ?? takeFile(file, options, findings)) findings.requests.push(request);
    // A file of a backup has its header alone where a family has no entries.
    const isNamed = findKind(file) === "yaml" || countFound(findings) > before;
    if (!isNamed) addLeftOut(findings, file.path, "it holds neither entries nor requests", { file, start: 0, end: 0 });
  }
  noteBodies(files, options, findings);
  takeRequests(findings, options.product);
  settleCombined(findings);
  fillGivenValues(findings);
  removeTemplates(findings);
  takeStates(findings);
  combineEntries(findings);
  settleOperatorResources(findings);
  return findings;
}

function countFound({ entries, left, requests, diagnostics, notes }: ImportFindings): number {
  return entries.length + left.length + requests.length + diagnostics.length + notes.size;
}

/** Scripts come first: they say which other inputs they send. */
function readScript(file: SourceFile, cwd: string, findings: ImportFindings): readonly FoundRequest[] | undefined {
  const kind = findKind(file);
  if (kind === "http") return readHttpFile(file, cwd, findings);
  return kind === "shell" ? readCurlScript(file, cwd, findings) : undefined;
}

/** What a request sends is taken with that request. */
function isSent({ path }: SourceFile, { cwd, family }: TakeOptions, { bodies }: ImportFindings): boolean {
  return family === undefined && bodies.has(resolve(cwd, path));
}

function noteBodies(files: readonly SourceFile[], options: TakeOptions, findings: ImportFindings): void {
  const sent = files.filter((file) => isSent(file, options, findings)).map(({ path }) => path);
  if (sent.length === 0) return;
  const more = sent.length > mostNamed ? ` and ${sent.length - mostNamed} more` : "";
  findings.notes.add(`Read as what a script sends: ${sent.slice(0, mostNamed).join(", ")}${more}.`);
}

const mostNamed = 5;

/** The requests of a payload; all else goes to the findings at once. */
function takeFile(file: SourceFile, options: TakeOptions, findings: ImportFindings): readonly FoundRequest[] {
  const { family, name } = options;
  const kind = findKind(file);
  if (family !== undefined && kind === "yaml")
    return readPayload(file, { family, ...(name !== undefined && { name }) }, findings);
  if (kind === "terraform") {
    findings.diagnostics.push(refuseTerraform(file));
    return [];
  }
  if (kind === "program") {
    addLeftOut(findings, file.path, programAdvice, { file: createSourceFile(file.path, ""), start: 0, end: 0 });
    return [];
  }
  takeYamlFile(file, findings);
  return [];
}

export function isProgram(path: string): boolean {
  return /\.(?:py|ps1|psm1|rb|js|mjs|ts|go|java|kt|cs|php|pl)$/i.test(path);
}

export const programAdvice =
  "programs are not read: run it against gate-sync emulator --product PRODUCT and export that with gate-sync export --url, or export the live cluster";

/** By its name, and where that says nothing, by how it begins. */
function findKind({ path, text }: SourceFile): "http" | "program" | "shell" | "terraform" | "yaml" {
  if (isProgram(path)) return "program";
  if (/\.tf$/i.test(path)) return "terraform";
  if (/\.(?:ya?ml|json)$/i.test(path)) return "yaml";
  if (/^[ \t]*resource[ \t]+"[^"\n]+"[ \t]+"[^"\n]+"[ \t]*\{/m.test(text)) return "terraform";
  if (/\.(?:http|rest)$/i.test(path) || isHttpFile(text)) return "http";
  return /\.(?:sh|bash|zsh|ksh)$/i.test(path) || /^#!.*sh\b|^[ \t]*curl[ \t]/m.test(text) ? "shell" : "yaml";
}

function refuseTerraform({ path }: SourceFile) {
  return createFileDiagnostic(path, "foreign-product", {
    what: `${path} is Terraform code.`,
    why: "What it declares depends on variables and modules, which Terraform alone evaluates.",
    fix: "Run terraform show -json > state.json where it was applied, and import state.json.",
  });
}

/** Parts are joined; of equal entries the first counts, and two that differ are an error: which is meant is unknown. */
function combineEntries(findings: ImportFindings): void {
  const combined = new Map<string, FoundEntry>();
  for (const entry of findings.entries) {
    const address = createImportedAddress(entry);
    const first = combined.get(address);
    if (!first) combined.set(address, entry);
    else if (first.isPart && entry.isPart) combined.set(address, { ...first, body: joinLists(first.body, entry.body) });
    else if (isEqual(first.body, entry.body)) addLeftOut(findings, address, sameWhy, entry.place);
    else findings.diagnostics.push(refuseSecond(address, first, entry, findings));
  }
  findings.entries = [...combined.values()];
}

function joinLists(first: Value, second: Value): Value {
  if (isList(first) && isList(second)) return [...new Set([...first, ...second])];
  if (!isObject(first) || !isObject(second)) return first;
  const fields = Object.entries(second).map(([key, value]): [string, Value] => [
    key,
    joinLists(first[key] ?? value, value),
  ]);
  return { ...first, ...Object.fromEntries(fields) };
}

/** A file of Terraform is one line, and its addresses are values as secrets are: without its text, they can be shown. */
function refuseSecond(address: string, first: FoundEntry, second: FoundEntry, { secrets }: ImportFindings) {
  const isPublic = ![...secrets].some((secret) => address.includes(secret));
  const place = ({ place: range, origin }: FoundEntry) => (origin === undefined || !isPublic ? range : hideText(range));
  return createDiagnostic(place(second), "duplicate-name", {
    what: `${describePlaceholders(address)} is in the inputs twice${describeOrigins(first, second)}, and the two differ.`,
    why: "Which of them the cluster is to have is unknown.",
    fix: "Import the files of each environment alone, with --out folders of their own, or remove one of the two.",
    related: [{ range: place(first), what: "the first of them" }],
  });
}

function describeOrigins({ origin: first }: FoundEntry, { origin: second }: FoundEntry): string {
  return first === undefined || second === undefined ? "" : `, as ${first} and as ${second}`;
}
