import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import { findUnfinishedMerge, findUnrenderedTemplate } from "../load/templates.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { Node } from "../model/node.ts";
import { isSecretField } from "../secrets/config-fields.ts";
import { hideValues, recordParsedFile } from "../secrets/masked-line.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings } from "./findings.ts";
import {
  createPlaceholder,
  describePlaceholders,
  encodedOpening,
  encodeExpression,
  findPlaceholderCharacter,
} from "./placeholders.ts";

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
  const named = fillTemplate(given);
  const file = keepExpressions(named);
  hideValues(file);
  const problem = (isFilled ? undefined : refusePlaceholders(given)) ?? findUnfinishedMerge(file);
  const { documents, diagnostics } = problem ? { documents: [], diagnostics: [problem] } : parseDocuments(file);
  const template = diagnostics.length === 0 ? undefined : refuseTemplate(named);
  for (const one of template ? [template] : diagnostics) findings.diagnostics.push(one);
  if (diagnostics.length === 0) recordParsedFile(file, documents);
  return { file, documents: template ? [] : documents };
}

/** A character of its own would be taken for a placeholder. */
export function refusePlaceholders(file: SourceFile): Diagnostic | undefined {
  const start = findPlaceholderCharacter(file.text);
  if (start === -1) return undefined;
  return createDiagnostic({ file, start, end: start + 1 }, "syntax", {
    what: "A character of Unicode's private use (U+E000 to U+E003, U+E100 to U+E17F) is here.",
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
      fix: `${adviseRendering(file.text)}.`,
    }
  );
}

/** By what the template is for, as its text shows it. */
function adviseRendering(text: string): string {
  if (/\.(?:Values|Release|Chart|Files)\b|\{\{-|\b(?:include|toYaml|tpl) /.test(text))
    return "Have Helm render the chart, and import the result: helm template CHART | gate-sync import - --out FOLDER";
  if (/\{%|\{\{.*[|[(]/.test(text))
    return "Import what Ansible made of it: of a Secret, kubectl get secret NAME -o json | gate-sync import - --out FOLDER; else the file on the node";
  return "Have the tool that it is for render it, and import the result";
}

/** Leaves out the entries in which a template is left, as no placeholder replaces it, or an encrypted value. */
export function removeTemplates(findings: ImportFindings): void {
  findings.entries = findings.entries.filter((entry) => {
    const body = withoutHash(entry);
    const template = templateOpening.test(entry.name) ? entry.name : findText(body, templateOpening);
    if (template === undefined && findText(body, encrypted) === undefined) return true;
    const why = template === undefined ? encryptedLeft : explainTemplate(describePlaceholders(template));
    addLeftOut(findings, createImportedAddress(entry), why, entry.place);
    return false;
  });
}

/** A text in quotes may be a password. */
function explainTemplate(text: string): string {
  const [expression = text] = /(?:\{\{|\{%|<%).*?(?:\}\}|%\}|%>)/s.exec(text) ?? [];
  const shown = expression.replace(/"[^"]*"|'[^']*'/g, "'…'").replace(/\s+/g, " ");
  return `what ${shown} gives is not known here. ${adviseRendering(expression)}`;
}

const encryptedLeft =
  "it holds a value that Ansible Vault encrypts, where no secret belongs; import a copy with that value decrypted";

/** A hash is a secret: all of it becomes a variable. */
function withoutHash({ family, body }: FoundEntry): Value {
  if (family !== "internal_users" || !isObject(body)) return body;
  const { hash: _, ...rest } = body;
  return rest;
}

const templateOpening = new RegExp(`\\{\\{|\\{%|<%|${encodedOpening}`);

/** The first text of a value in which it is, but for secrets. */
function findText(value: Value, pattern: RegExp): string | undefined {
  if (typeof value === "string") return pattern.test(value) ? value : undefined;
  if (isList(value)) return findFirst(value, (item) => findText(item, pattern));
  if (!isObject(value)) return undefined;
  return findFirst(Object.entries(value), ([key, item]) =>
    pattern.test(key) ? key : isSecretField(key) ? undefined : findText(item, pattern),
  );
}

function findFirst<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * `{{ name }}`, `{{ .Values.a.b }}`, `{{ hashes['relay'] }}`, `{{ index .Values.hashes "relay" }}`, with a default at most;
 * `<%= name %>`, `<%= p("a.b") %>` as BOSH has it.
 */
const filled =
  /\{\{-? *(?:index +(?=\.Values\.[\w.]+ +"))?(\.Values\.)?([A-Za-z_][\w.]*(?:\[(?:'[\w.-]+'|"[\w.-]+"|\d+)\][\w.]*|(?<=index +\.Values\.[\w.]+(?: +"[\w.-]+")*) +"[\w.-]+")*) *(?:\| *(?:quote|string|default\( *(?:'([^'{}]*)'|"([^"{}]*)") *\)) *)?\}\}|<%= *(?:(?:p|properties)\( *["']([\w.-]+)["'] *\)|ENV\[["'](\w+)["']\]|(@?[A-Za-z_][\w.]*)) *%>/g;

/** `hashes['relay']` and `hashes "relay"` as `hashes.relay`. */
function joinKeys(name: string): string {
  return name.replace(/\[["']?([\w.-]+)["']?\]| +"([\w.-]+)"/g, (_, bracketed, indexed) => `.${bracketed ?? indexed}`);
}

/** `{{ … }}` behind something else in its line and outside of quotes, where YAML would take the braces for its own. */
const unquoted =
  /^[ \t]*\{\{(?:[^{}\n]|\{[^{}\n]*\})*\}\}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(\{\{(?:[^{}\n]|\{[^{}\n]*\})*\}\})/gm;

function keepExpressions(file: SourceFile): SourceFile {
  if (!file.text.includes("{{")) return file;
  const text = file.text.replace(unquoted, (whole, found?: string) => (found ? encodeExpression(found) : whole));
  return createSourceFile(file.path, text);
}

/** Tags of Ansible, which say how a value is kept and not what it is. */
const ansibleTag = /(?<=[:-][ \t]+)!(?:vault|vault-encrypted|unsafe)(?=[ \t])/g;

/** What Ansible Vault encrypted. */
const encrypted = /^\$ANSIBLE_VAULT;/;

export function fillTemplate(file: SourceFile): SourceFile {
  if (!templateOpening.test(file.text) && file.text.search(ansibleTag) === -1) return file;
  const text = file.text
    .replace(ansibleTag, (tag) => " ".repeat(tag.length))
    .replace(filled, (whole, values, braced, single, double, property, environment, ruby) => {
      const name = (braced && joinKeys(braced)) ?? property ?? environment ?? ruby.replace("@", "");
      const own = ruby === undefined ? undefined : ruby.startsWith("@") ? "@" : "%";
      const source = own ?? (environment ? "ENV" : property ? "p" : values ? "Values" : "");
      return createPlaceholder(name, source, single ?? double, whole.length);
    });
  return createSourceFile(file.path, text);
}
