import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import { findUnfinishedMerge, findUnrenderedTemplate } from "../load/templates.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { Node } from "../model/node.ts";
import { isSecretField } from "../secrets/config-fields.ts";
import { hideValues, recordParsedFile } from "../secrets/masked-line.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings } from "./findings.ts";
import { createPlaceholder, holdsPlaceholderCharacter } from "./placeholders.ts";

/**
 * The documents of a file of YAML or JSON, in which a template may fill in values: these are placeholders then. What
 * is wrong goes to the findings; of a template that does more, that alone.
 *
 * @param isFilled it is part of a file whose placeholders are there already
 */
export function parseTemplate(
  given: SourceFile,
  findings: ImportFindings,
  isFilled = false,
): { readonly file: SourceFile; readonly documents: readonly Node[] } {
  const file = fillTemplate(given);
  hideValues(file);
  const problem = (isFilled ? undefined : refusePlaceholders(given)) ?? findUnfinishedMerge(file);
  const { documents, diagnostics } = problem ? { documents: [], diagnostics: [problem] } : parseDocuments(file);
  const template = diagnostics.length === 0 ? undefined : refuseTemplate(file);
  for (const one of template ? [template] : diagnostics) findings.diagnostics.push(one);
  if (diagnostics.length === 0) recordParsedFile(file, documents);
  return { file, documents: template ? [] : documents };
}

/** A character of its own would be taken for a placeholder. */
export function refusePlaceholders(file: SourceFile): Diagnostic | undefined {
  if (!holdsPlaceholderCharacter(file.text)) return undefined;
  const start = file.text.search(/[\ue000-\ue003]/);
  return createDiagnostic({ file, start, end: start + 1 }, "syntax", {
    what: "A character of Unicode's private use (U+E000 to U+E003) is here.",
    why: "import marks variables with it, and could not tell the two apart.",
    fix: "Remove the character.",
  });
}

function refuseTemplate(file: SourceFile): Diagnostic | undefined {
  const found = findUnrenderedTemplate(file);
  return (
    found && {
      ...found,
      what: "This is filled in by more than the name of a variable.",
      why: "What it gives is unknown before it is rendered.",
      fix: renderFirst,
    }
  );
}

const renderFirst =
  "Have the tool that it is for render it, and import the result: of a chart, helm template CHART | gate-sync import - --out FOLDER.";

/** Leaves out the entries in which a template is left, as no placeholder replaces it, or an encrypted value. */
export function removeTemplates(findings: ImportFindings): void {
  findings.entries = findings.entries.filter((entry) => {
    const body = withoutHash(entry);
    const isTemplate = templateOpening.test(entry.name) || holdsText(body, templateOpening);
    if (!isTemplate && !holdsText(body, encrypted)) return true;
    addLeftOut(findings, createImportedAddress(entry), isTemplate ? templateLeft : encryptedLeft, entry.place);
    return false;
  });
}

const templateLeft = "it holds a template; render it first and pipe it in";

const encryptedLeft =
  "it holds a value that Ansible Vault encrypts, where no secret belongs; import a copy with that value decrypted";

/** A hash is a secret: all of it becomes a variable. */
function withoutHash({ family, body }: FoundEntry): Value {
  if (family !== "internal_users" || !isObject(body)) return body;
  const { hash: _, ...rest } = body;
  return rest;
}

const templateOpening = /\{\{|\{%|<%/;

function holdsText(value: Value, pattern: RegExp): boolean {
  if (typeof value === "string") return pattern.test(value);
  if (isList(value)) return value.some((item) => holdsText(item, pattern));
  return (
    isObject(value) &&
    Object.entries(value).some(([key, item]) => pattern.test(key) || (!isSecretField(key) && holdsText(item, pattern)))
  );
}

/** `{{ name }}`, `{{ .Values.a.b }}`, with a default at most; `<%= name %>`, `<%= p("a.b") %>` as BOSH has it. */
const filled =
  /\{\{ *(\.Values\.)?([A-Za-z_][\w.]*) *(?:\| *(?:quote|string|default\( *(?:'([^'{}]*)'|"([^"{}]*)") *\)) *)?\}\}|<%= *(?:(?:p|properties)\( *["']([\w.-]+)["'] *\)|ENV\[["'](\w+)["']\]|(@?[A-Za-z_][\w.]*)) *%>/g;

/** Tags of Ansible, which say how a value is kept and not what it is. */
const ansibleTag = /(?<=[:-][ \t]+)!(?:vault|vault-encrypted|unsafe)(?=[ \t])/g;

/** What Ansible Vault encrypted. */
const encrypted = /^\$ANSIBLE_VAULT;/;

export function fillTemplate(file: SourceFile): SourceFile {
  if (!templateOpening.test(file.text) && file.text.search(ansibleTag) === -1) return file;
  const text = file.text
    .replace(ansibleTag, (tag) => " ".repeat(tag.length))
    .replace(filled, (whole, values, braced, single, double, property, environment, ruby) => {
      const name = braced ?? property ?? environment ?? ruby.replace("@", "");
      const own = ruby === undefined ? undefined : ruby.startsWith("@") ? "@" : "%";
      const source = own ?? (environment ? "ENV" : property ? "p" : values ? "Values" : "");
      return createPlaceholder(name, source, single ?? double, whole.length);
    });
  return createSourceFile(file.path, text);
}
