// State files inside of other files: block texts of ConfigMaps, Secrets and Helm values.
import { isUtf8 } from "node:buffer";
import { createSourceFile, getPosition, type SourceFile } from "../diagnostics/source.ts";
import { findFamiliesByName, findUnmanagedByName, isStateFile } from "../load/file-names.ts";
import type { Node, ScalarNode } from "../model/node.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";
import { takeStateDocument } from "./state-document.ts";
import { parseTemplate } from "./templates.ts";

/** Whether a key is the name of a file that may hold state, or settings of the security plugin: `roles.yml`. */
export function isFileKey(key: string): boolean {
  return isStateFile(key) && (findFamiliesByName(key).length > 0 || findUnmanagedByName(key) !== undefined);
}

/** Whether a text under a key may be a file of state: by the key, or by a header in it. */
export function isEmbeddedFile(key: string, text: string): boolean {
  if (!text.includes(":")) return false;
  if (isFileKey(key) || isWithHeader(text)) return true;
  return text.includes("\n") && findFamiliesByName(key).length > 0;
}

function isWithHeader(text: string): boolean {
  return /^_(?:sg_|gate_)?meta[ \t]*:/m.test(text);
}

/**
 * Takes what a text under the name of a file holds.
 *
 * @param encoding of a Secret's `data`
 */
export function takeEmbeddedFile(
  key: string,
  node: ScalarNode,
  findings: ImportFindings,
  encoding: "text" | "base64" = "text",
): void {
  const text = encoding === "base64" ? decodeBase64(String(node.value)) : String(node.value);
  const unmanaged = findUnmanagedByName(key);
  if (unmanaged !== undefined && !(text !== undefined && isWithHeader(text))) {
    // It may be no YAML at all, such as log4j2.properties.
    addLeftOut(findings, key, `it holds ${unmanaged}`, node);
    return;
  }
  if (text === undefined) {
    addLeftOut(findings, key, "its value is not a text in base64", node);
    return;
  }
  const before = findings.diagnostics.length;
  const { file, documents } = parseTemplate(
    createEmbeddedFile(key, node, text, encoding),
    findings,
    encoding === "text",
  );
  const isBroken = findings.diagnostics.length > before;
  if (documents.length === 0 && !isBroken) addLeftOut(findings, key, "it has no entries", node);
  const count = () => findings.entries.length + findings.left.length + findings.diagnostics.length;
  for (const document of documents) {
    const found = count();
    const refusal = takeStateDocument(file, document, findings);
    if (refusal?.mistake) findings.diagnostics.push(refusal.mistake);
    else if (refusal) addLeftOut(findings, key, refusal.why, document);
    else if (count() === found) addLeftOut(findings, key, "it has no entries", node);
  }
}

/** The documents of a text of YAML, whatever its key. */
export function parseEmbeddedText(
  key: string,
  node: ScalarNode,
  findings: ImportFindings,
  encoding: "text" | "base64" = "text",
): readonly Node[] {
  const text = encoding === "base64" ? decodeBase64(String(node.value)) : String(node.value);
  if (text === undefined) return [];
  return parseTemplate(createEmbeddedFile(key, node, text, encoding), findings, encoding === "text").documents;
}

/** Of a block text the lines of the file around it, so that places are those of that file. */
function createEmbeddedFile(key: string, node: ScalarNode, text: string, encoding: "text" | "base64"): SourceFile {
  const path = `${node.file.path}/${key}`;
  const written = node.file.text.slice(node.start, node.end);
  const isLiteral =
    encoding === "text" && /^\|[-+\d]*[ \t]*(?:#[^\n]*)?\r?\n/.test(written) && !/^(?:---|\.\.\.|%)/m.test(text);
  const { line } = getPosition(node.file, node.start);
  if (!isLiteral || line > longestPadding) return createSourceFile(path, text);
  return createSourceFile(path, "\n".repeat(line) + written.slice(written.indexOf("\n") + 1));
}

/** In lines: a file of many texts far down would be padded again and again. */
const longestPadding = 20_000;

export function decodeBase64(encoded: string): string | undefined {
  const plain = encoded.replace(/\s/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)) return undefined;
  const bytes = Buffer.from(plain, "base64");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
