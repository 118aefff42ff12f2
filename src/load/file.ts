import { dirname } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { JsonObject } from "../json/value.ts";
import type { StateDocument } from "../model/repository.ts";
import { unmanagedByName } from "./file-names.ts";
import { internalUsersIn } from "./internal-users.ts";
import { withLicenseText } from "./license.ts";
import { readSmall } from "./read.ts";
import { recognise } from "./recognise.ts";
import type { Lookups } from "./reference-text.ts";
import { resolveReferences } from "./references.ts";
import { unfinishedMerge, unrenderedTemplate } from "./templates.ts";
import { parseDocuments } from "./yaml.ts";

/** As the recognised kind of a document is called. */
const internalUsers = "internal users";

export interface LoadedFile {
  readonly documents: readonly StateDocument[];
  readonly notices: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Of a file that holds them: they count for questions, and are not managed. */
  readonly internalUsers?: ReadonlyMap<string, JsonObject>;
}

/**
 * What one state file declares.
 *
 * @param absolute where it lies, for the paths it mentions
 * @param beside reads the license that it names
 */
export function loadFile(
  file: SourceFile,
  absolute: string,
  lookups: Omit<Lookups, "directory">,
  beside: (absolute: string) => string = readSmall,
): LoadedFile {
  const unmanaged = unmanagedByName(file.path);
  const users = new Map<string, JsonObject>();
  let holdsUsers = false;
  const withUsers = (loaded: LoadedFile): LoadedFile => (holdsUsers ? { ...loaded, internalUsers: users } : loaded);
  const skipped = (what: string): LoadedFile =>
    withUsers({ documents: [], notices: [skippedNotice(file, what, holdsUsers)], diagnostics: [] });
  const template = unfinishedMerge(file) ?? unrenderedTemplate(file);
  // One message about a template is enough: what the parser makes of it only confuses.
  const parsed = template ? { documents: [], diagnostics: [template] } : parseDocuments(file);
  if (parsed.documents.length === 0 && parsed.diagnostics.length > 0 && unmanaged && !mayBeManaged(file)) {
    return skipped(unmanaged);
  }
  const documents: StateDocument[] = [];
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const leftOut: string[] = [];
  for (const root of parsed.documents) {
    const resolved = resolveReferences(root, { ...lookups, directory: dirname(absolute) });
    const recognised = recognise(file, resolved.node);
    if (recognised.unmanaged !== undefined) {
      leftOut.push(recognised.unmanaged);
      if (recognised.unmanaged === internalUsers) {
        holdsUsers = true;
        for (const [name, fields] of internalUsersIn(resolved.node)) users.set(name, fields);
      }
      continue;
    }
    if (!recognised.document) {
      // What stands in a document of somebody else is not judged.
      for (const diagnostic of recognised.diagnostics) diagnostics.push(diagnostic);
      continue;
    }
    const licensed = withLicenseText(recognised.document, absolute, lookups.secrets, beside);
    documents.push(licensed.document);
    for (const part of [resolved, recognised, licensed]) {
      for (const diagnostic of part.diagnostics) diagnostics.push(diagnostic);
    }
  }
  // A document that is not managed may hold anything, mistakes included.
  if (leftOut[0] !== undefined && leftOut.length === parsed.documents.length) return skipped(leftOut[0]);
  const holdsNothing = ({ sections, consents, personas, accessTests }: StateDocument) =>
    sections.length === 0 && !consents && !personas && !accessTests;
  const empty = diagnostics.length === 0 && documents.every(holdsNothing);
  const notices = leftOut.map((what) => skippedNotice(file, what, what === internalUsers));
  return withUsers({ documents, diagnostics, notices: empty && notices.length === 0 ? [emptyNotice(file)] : notices });
}

function skippedNotice(file: SourceFile, what: string, areRead: boolean): string {
  if (areRead) return `${printable(file.path)} is read for access questions only: gate-sync does not manage ${what}.`;
  return `${printable(file.path)} is skipped: gate-sync does not manage ${what}.`;
}

function emptyNotice(file: SourceFile): string {
  return `${printable(file.path)} has no entries: it declares nothing.`;
}

/** Notices go to a terminal as they are: a name must not bring lines or colours of its own. */
function printable(path: string): string {
  const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  if (!unseen.test(path)) return path;
  return JSON.stringify(path).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(letter: string): string {
  return letter.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A broken file whose name says that it is none of ours, but whose text says otherwise, is not passed over. */
function mayBeManaged(file: SourceFile): boolean {
  const key = /^(roles|role_mappings|tenants|action_groups|blocks|config|license)\s*:/m;
  const field = /^\s+(cluster_permissions|index_permissions|allowed_actions|tenant_permissions)\s*:/m;
  return key.test(file.text) || field.test(file.text);
}
