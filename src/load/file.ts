import { dirname } from "node:path";
import { createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { getNoun } from "../families/index.ts";
import type { Family } from "../model/names.ts";
import type { MapNode, Node } from "../model/node.ts";
import { isOptIn } from "../model/policy.ts";
import type { StateDocument } from "../model/repository.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import { isAccessTestsFile } from "./access-tests-file.ts";
import { parseByFamily } from "./by-family.ts";
import { fieldWords } from "./evidence.ts";
import {
  findDocumentByName,
  findFamiliesByName,
  findNearestName,
  findUnmanagedByName,
  getFamilyOfProductName,
} from "./file-names.ts";
import { adviseImport } from "./foreign.ts";
import { expandGenerator, takeGenerator } from "./generator.ts";
import { findFamilyInText, findUnmanagedByHeader } from "./header.ts";
import type { ItemFiles } from "./items.ts";
import { withLicenseText } from "./license.ts";
import { findMisplacedSecrets, refuseMisplaced, withAllowedReference } from "./misplaced.ts";
import { convertNamesToStrings } from "./names-as-text.ts";
import { holdsEntries, looksLikeNodeSettings } from "./other-files.ts";
import { toPrintable } from "./printable.ts";
import { recogniseDocument } from "./recognise.ts";
import type { Lookups } from "./reference-text.ts";
import { resolveReferences } from "./references.ts";
import { findUnfinishedMerge, findUnrenderedTemplate } from "./templates.ts";
import { type ParsedYaml, parseDocuments } from "./yaml.ts";

export interface LoadedFile {
  readonly documents: readonly StateDocument[];
  readonly notices: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** A document of it, or all, was taken for another program's. */
  readonly isForeign?: true;
  /** The files of items that it names, as absolute paths. */
  readonly itemFiles: readonly string[];
}

/** What loading a file takes from around it. */
export interface FileLookups extends Omit<Lookups, "directory"> {
  /** Where files are parsed once for several targets; absent: `parseDocuments`. */
  readonly parse?: (file: SourceFile) => ParsedYaml;
  /** Opt-in families that are written: a file of theirs that cannot be read is an error. */
  readonly writes?: ReadonlySet<Family>;
}

/**
 * What one state file declares.
 *
 * @param absolute where it lies, for the paths it mentions
 * @param isNamed it is named itself, and not only found in a folder
 * @param items the files of items that were read; a generator whose file is not among them generates nothing
 */
export function loadFile(
  file: SourceFile,
  absolute: string,
  lookups: FileLookups,
  isNamed = false,
  items: ItemFiles = new Map(),
): LoadedFile {
  let isForeign = false;
  const itemFiles: string[] = [];
  const withKinds = (loaded: Omit<LoadedFile, "itemFiles">): LoadedFile => ({
    ...loaded,
    itemFiles,
    ...(isForeign && { isForeign: true }),
  });
  const skipped = (why: string): LoadedFile => ({
    documents: [],
    notices: [skippedNotice(file, why)],
    diagnostics: [],
    itemFiles,
  });
  const isTests = isAccessTestsFile(file.path);
  const template = findUnfinishedMerge(file) ?? withImport(findUnrenderedTemplate(file));
  // One message about a template is enough: what the parser makes of it only confuses.
  const parsed = template ? { documents: [], diagnostics: [template] } : (lookups.parse ?? parseDocuments)(file);
  if (parsed.diagnostics.length === 0) recordParsedFile(file, parsed.documents);
  const isBroken = parsed.documents.length === 0 && parsed.diagnostics.length > 0;
  const passedOver = isBroken && !mayBeManaged(file) ? explainBroken(file, lookups) : undefined;
  if (passedOver !== undefined) return skipped(passedOver);
  if (!isNamed && isBroken && looksLikeNodeSettings(file.text) && !mayBeManaged(file)) {
    return skipped(notManaged("the node's own settings"));
  }
  if (!isNamed && !isTests && !template && isRequests(file)) return skipped(offerImport("it is a list of requests"));
  if (!isNamed && !isTests && !template && holdsNoWord(file, parsed.documents)) {
    return { ...skipped(offerImport("it is not a map, and nothing in it looks like state")), isForeign: true };
  }
  const documents: StateDocument[] = [];
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const leftOut: LeftOut[] = [];
  const keep = (document: StateDocument, parts: readonly { readonly diagnostics: readonly Diagnostic[] }[]): void => {
    const licensed = withLicenseText(document, absolute, lookups);
    documents.push(licensed.document);
    const misplacedOnes = findMisplacedSecrets(document);
    // Whether it has a value does not matter there.
    const isAboutOne = ({ code, range }: Diagnostic) =>
      (code === "unset-secret" || code === "outside-repository") &&
      range &&
      misplacedOnes.some(({ start, end }) => start <= range.start && range.end <= end);
    const found = [...parts, licensed].flatMap((part) => part.diagnostics);
    for (const one of found) if (!isAboutOne(one)) diagnostics.push(withAllowedReference(one, document));
    // A variable of gate-sync itself may be in no field: that is the one thing to say of it.
    const isRefused = ({ start, end }: SourceRange) =>
      found.some(({ code, range }) => code === "misplaced-secret" && range && start <= range.start && range.end <= end);
    for (const node of misplacedOnes) if (!isRefused(node)) diagnostics.push(refuseMisplaced(node));
  };
  for (const written of parsed.documents) {
    const { rest: root, generator } = takeGenerator(written);
    if (generator) {
      const generated = expandGenerator(generator, { ...lookups, directory: dirname(absolute) }, items);
      if (generated.itemFile !== undefined) itemFiles.push(generated.itemFile);
      if (generated.root) {
        const { document, ...recognised } = parseByFamily(file, convertNamesToStrings(generated.root) as MapNode);
        keep(document, [generated, recognised]);
      } else for (const one of generated.diagnostics) diagnostics.push(one);
    }
    if (!root) continue;
    const resolved = resolveReferences(root, { ...lookups, directory: dirname(absolute) });
    const recognised = recogniseDocument(file, convertNamesToStrings(resolved.node));
    if (recognised.unmanaged !== undefined) {
      leftOut.push({ root, why: notManaged(recognised.unmanaged) });
      continue;
    }
    if (recognised.other !== undefined) {
      isForeign = true;
      // A file that is named itself was meant to be read.
      if (isNamed) diagnostics.push(notState(file, recognised.other));
      else leftOut.push({ root, why: offerImport(recognised.other) });
      continue;
    }
    if (!recognised.document) {
      // The content of another program's document is not checked.
      for (const diagnostic of recognised.diagnostics) diagnostics.push(diagnostic);
      continue;
    }
    keep(recognised.document, [resolved, recognised]);
  }
  const notices = noticesOf(file, leftOut, parsed);
  // A document that is not managed may hold anything, mistakes included; one that cannot be read may be managed.
  const isLeftOut = leftOut.length > 0 && leftOut.length === parsed.documents.length && !isBrokenIn(parsed);
  if (isLeftOut) return withKinds({ documents: [], notices, diagnostics: [] });
  const holdsNothing = ({ sections, waivers, personas, accessTests, overrides }: StateDocument) =>
    sections.length === 0 && !waivers && !personas && !accessTests && !overrides;
  const empty = diagnostics.length === 0 && documents.every(holdsNothing);
  return withKinds({ documents, diagnostics, notices: empty && notices.length === 0 ? [emptyNotice(file)] : notices });
}

/** A document that declares nothing, and why. */
interface LeftOut {
  readonly root: Node;
  readonly why: string;
}

/** One for each reason where all is left out; else the place of each document. */
function noticesOf(file: SourceFile, leftOut: readonly LeftOut[], parsed: ParsedYaml): readonly string[] {
  const isAll = leftOut.length === parsed.documents.length && !isBrokenIn(parsed);
  if (isAll) return [...new Set(leftOut.map(({ why }) => why))].map((why) => skippedNotice(file, why));
  return leftOut.map(({ root, why }) => skippedNotice(file, why, getPosition(file, root.start).line));
}

/** A document that could not be read is not among those that were. */
function isBrokenIn({ diagnostics }: ParsedYaml): boolean {
  return diagnostics.some(({ code }) => code === "syntax" || code === "tab-indentation");
}

function skippedNotice(file: SourceFile, why: string, line?: number): string {
  return `${line === undefined ? toPrintable(file.path) : `The document at ${toPrintable(file.path)}:${line}`} is skipped: ${why}.`;
}

/** A template is mostly of another tool. */
function withImport(template: Diagnostic | undefined): Diagnostic | undefined {
  return template && { ...template, fix: `${template.fix} ${adviseImport}` };
}

function offerImport(why: string): string {
  return `${why} (if it declares access: gate-sync import FILE)`;
}

function notManaged(what: string): string {
  return `gate-sync does not manage ${what}`;
}

function notState(file: SourceFile, why: string): Diagnostic {
  return createFileDiagnostic(file.path, "foreign-product", {
    what: `${file.path} is not a state file: ${why}.`,
    why: "It declares nothing, although it is named as state.",
    fix: adviseImport,
  });
}

function emptyNotice(file: SourceFile): string {
  return `${toPrintable(file.path)} has no entries: it declares nothing.`;
}

/** Why a file that cannot be parsed is passed over, by its name and its text; undefined where it is an error. */
function explainBroken({ path, text }: SourceFile, { writes }: FileLookups): string | undefined {
  const families = [getFamilyOfProductName(path), findDocumentByName(path), findFamilyInText(text)];
  const optIn = families.find((family) => family !== undefined && isOptIn(family));
  if (optIn) return writes?.has(optIn) ? undefined : `it cannot be read, and ${getNoun(optIn, 2)} are only compared`;
  const unmanaged = findUnmanagedByName(path) ?? findUnmanagedByHeader(text);
  return unmanaged && notManaged(unmanaged);
}

/** A broken file whose name says that it is not managed, but whose text says otherwise, is not passed over. */
function mayBeManaged({ text }: SourceFile): boolean {
  if (findUnmanagedByHeader(text) !== undefined) return false;
  // The settings of the audit log have a key config as well.
  const key = /^(roles|role_mappings|tenants|action_groups|blocks|license)\s*:/m;
  const field = /^\s+(cluster_permissions|index_permissions|allowed_actions|tenant_permissions)\s*:/m;
  return key.test(text) || field.test(text);
}

/** As the console of the dashboards has them: `PUT index`, and a body below it. */
function isRequests({ text }: SourceFile): boolean {
  // Line by line: one expression over all blank and commented lines takes time without bound.
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    if (line !== "" && !line.startsWith("#")) return /^(GET|PUT|POST|DELETE|HEAD|PATCH) \S+$/.test(line);
    if (end === -1) return false;
    start = end + 1;
  }
  return false;
}

/** A list, or a .json file that does not parse, with no field of state, and with a name that is not one of state. */
function holdsNoWord({ path, text }: SourceFile, documents: readonly Node[]): boolean {
  const isList = documents.length > 0 && documents.every(({ kind }) => kind === "list");
  if (!isList && !(documents.length === 0 && path.endsWith(".json"))) return false;
  if (documents.some(holdsEntries)) return false;
  return findFamiliesByName(path).length === 0 && findNearestName(path) === undefined && !stateWord.test(text);
}

/** Fields whose names are no everyday words; and a patch has its own message. */
const stateWord = new RegExp(`\\b(_meta|_sg_meta|op|${fieldWords.filter((word) => word.includes("_")).join("|")})\\b`);
