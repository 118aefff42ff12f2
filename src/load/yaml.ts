// The adapter of `yaml`: text to located nodes, and values back to text.
import { createRequire } from "node:module";
import type { Alias, Document, Pair, ParsedNode } from "yaml";
import { createDiagnostic, type Diagnostic, getFileStart } from "../diagnostics/diagnostic.ts";
import { getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { escapeAsYaml } from "../json/invisible.ts";
import type { Json } from "../json/value.ts";
import type { Layout, LayoutMap } from "../model/layout.ts";
import type { MapEntry, Node, ScalarNode } from "../model/node.ts";
import { maskLine } from "../secrets/masked-line.ts";
import { refuseDeep } from "./deep-tokens.ts";
import { chooseScalarStyle, templateOpening } from "./quoted-strings.ts";
import { createSyntaxDiagnostics } from "./syntax-messages.ts";
import { aliasLimit, parseValid } from "./valid-yaml.ts";
import {
  createAliasBombMessage,
  createDuplicateKeyMessage,
  createTooDeepMessage,
  depthLimit,
} from "./yaml-messages.ts";
import { omitAddedBreak, readScalarValue } from "./yaml-values.ts";

const require = createRequire(import.meta.url);
let yaml: typeof import("yaml");

/** Only when needed: most files are read without it, and loading it takes longer than reading them. */
function loadYaml(): void {
  yaml ??= require("yaml");
}

// Keys are compared here and not by yaml, whose check is quadratic; `schema` holds even under `%YAML 1.1`.
const parseOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  strict: true,
  keepSourceTokens: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

export interface ParsedYaml {
  /** The documents that parsed, in order; empty ones and broken ones are left out. */
  readonly documents: readonly Node[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Every document of a YAML or JSON file. Never throws, whatever the file holds. */
export function parseDocuments(file: SourceFile): ParsedYaml {
  const valid = parseValid(file);
  return valid ? { documents: valid, diagnostics: [] } : parseWholly(file);
}

/** The same for whatever YAML allows, by `yaml` alone. */
export function parseWholly(file: SourceFile): ParsedYaml {
  loadYaml();
  const documents: Node[] = [];
  const diagnostics: Diagnostic[] = [];
  try {
    const composer = new yaml.Composer(parseOptions);
    const parsed = [...composer.compose(refuseDeep(new yaml.Parser().parse(file.text)))];
    const { errors } = composer.streamInfo();
    if (parsed.length === 0) for (const one of createSyntaxDiagnostics(file, errors)) diagnostics.push(one);
    for (const document of parsed) {
      const problems = createSyntaxDiagnostics(file, [...document.errors, ...document.warnings], document.range?.[0]);
      for (const problem of problems) diagnostics.push(problem);
      const broken = problems.some((problem) => problem.code === "syntax" || problem.code === "tab-indentation");
      if (broken || isEmpty(document.contents)) continue;
      const walk: Walk = { file, anchors: new Map(), count: 0, borrowed: 0, diagnostics };
      documents.push(convert(walk, document.contents, 0, 0));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    diagnostics.push(createTooDeepMessage(getFileStart(file)));
  }
  return { documents, diagnostics };
}

/**
 * The documents of a file that has no errors as they are laid out, empty ones left out as by `parseDocuments`. Nothing is
 * resolved.
 *
 * @param text without a byte order mark
 */
export function parseLayout(text: string): readonly Layout[] {
  loadYaml();
  const parsed = yaml.parseAllDocuments(text, parseOptions) as readonly Document.Parsed<ParsedNode>[];
  return parsed.flatMap(({ contents }) =>
    isEmpty(contents) ? [] : (layOut(text, contents as ParsedNode, new Map()) ?? []),
  );
}

function layOut(text: string, node: ParsedNode | null, anchors: Map<string, Layout>): Layout | undefined {
  // Of what is not written, the place is that of what is beside it.
  if (node === null || (isEmpty(node) && !node.anchor && !node.tag)) return undefined;
  const place = { start: node.range[0], end: findEnd(text, node) };
  if (yaml.isAlias(node)) return { ...place, kind: "alias", of: anchors.get(node.source) };
  const hasProperties = node.anchor !== undefined || node.tag !== undefined;
  const laidOut = layOutHere(text, node, { ...place, hasProperties }, anchors);
  if (node.anchor !== undefined) anchors.set(node.anchor, laidOut);
  return laidOut;
}

function layOutHere(
  text: string,
  node: Exclude<ParsedNode, Alias.Parsed>,
  place: Pick<LayoutMap, "start" | "end" | "hasProperties">,
  anchors: Map<string, Layout>,
): Layout {
  if (yaml.isMap(node)) {
    const items = node.items.map(({ key, value }) => ({
      key: layOut(text, key, anchors),
      value: layOut(text, value, anchors),
    }));
    return { ...place, kind: "map", isFlow: node.flow === true, items };
  }
  if (yaml.isSeq(node)) {
    const items = node.items.map((item) => layOut(text, item as ParsedNode, anchors));
    return { ...place, kind: "list", isFlow: node.flow === true, items };
  }
  const value = yaml.isScalar(node) ? readScalarValue(node.value, node.source ?? "") : null;
  const style = styleOf[(yaml.isScalar(node) ? node.type : undefined) ?? "PLAIN"];
  return { ...place, kind: "scalar", style, value, source: text.slice(place.start, place.end) };
}

const styleOf = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
} as const;

/** What can be written: JSON, and maps whose keys keep their order whatever they look like. */
export type WritableNode = Json | readonly WritableNode[] | ReadonlyMap<string, WritableNode>;

/** YAML that 1.1 and 1.2 readers understand alike; keys in the order given, long texts on one line. */
export function writeYaml(value: WritableNode): string {
  loadYaml();
  const document = new yaml.Document(value, { version: "1.2", compat: "yaml-1.1", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string") Object.assign(scalar, chooseScalarStyle(scalar.value));
    },
  });
  // Always in double quotes, by the rule above, and so with an escape that reads back as the same character.
  return escapeAsYaml(document.toString({ lineWidth: 0 })).replace(
    templateOpening,
    (character) => `\\x${character.charCodeAt(0).toString(16)}`,
  );
}

interface Walk {
  readonly file: SourceFile;
  readonly anchors: Map<string, { readonly node: Node; readonly size: number } | "open">;
  /** Nodes so far, those behind aliases counted each time. */
  count: number;
  /** Nodes that aliases added. */
  borrowed: number;
  readonly diagnostics: Diagnostic[];
}

function isEmpty(contents: ParsedNode | null): boolean {
  return contents === null || (yaml.isScalar(contents) && contents.source === "" && contents.type === "PLAIN");
}

/** @param gap where the node would be, if nothing was written */
function convert(walk: Walk, node: ParsedNode | null, gap: number, depth: number): Node {
  if (node === null) return scalar({ file: walk.file, start: gap, end: gap }, null);
  if (yaml.isAlias(node)) return fromAnchor(walk, node.source, rangeOf(walk, node));
  const { anchor } = node;
  const before = walk.count;
  if (anchor !== undefined) walk.anchors.set(anchor, "open");
  const converted = convertHere(walk, node, depth);
  if (anchor !== undefined) walk.anchors.set(anchor, { node: converted, size: walk.count - before });
  return converted;
}

function convertHere(walk: Walk, node: Exclude<ParsedNode, { source: string; resolve: unknown }>, depth: number): Node {
  const range = rangeOf(walk, node);
  if (depth > depthLimit) {
    walk.diagnostics.push(createTooDeepMessage(range));
    return scalar(range, null);
  }
  walk.count++;
  if (yaml.isMap(node)) return { ...range, kind: "map", entries: mapEntries(walk, node.items, depth) };
  if (yaml.isSeq(node)) {
    const items = node.items.map((item) => convert(walk, item as ParsedNode, range.end, depth + 1));
    return { ...range, kind: "list", items };
  }
  if (!yaml.isScalar(node)) return scalar(range, null);
  const value = readScalarValue(node.value, node.source ?? "");
  return scalar(range, node.type?.startsWith("BLOCK_") ? omitAddedBreak(walk.file.text, node.range[1], value) : value);
}

function mapEntries(walk: Walk, pairs: readonly Pair<ParsedNode, ParsedNode | null>[], depth: number): MapEntry[] {
  const entries = new Map<string, MapEntry>();
  const merged: MapEntry[] = [];
  for (const { key, value } of pairs) {
    const isMerge = yaml.isScalar(key) && key.type === "PLAIN" && key.source === "<<";
    const keyRange = rangeOf(walk, key);
    const body = convert(walk, value, keyRange.end, depth + 1);
    if (isMerge) {
      for (const entry of mergeEntries(walk, body, keyRange)) merged.push(entry);
      continue;
    }
    const text = keyText(walk, key, keyRange, depth);
    if (text === undefined) continue;
    const first = entries.get(text);
    if (first) walk.diagnostics.push(createDuplicateKeyMessage(text, keyRange, first.keyRange));
    else entries.set(text, { key: text, keyRange, value: body });
  }
  for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  return [...entries.values()];
}

/** What `<<` adds: explicit keys win over it, and of several maps the first. */
function mergeEntries(walk: Walk, value: Node, range: SourceRange): readonly MapEntry[] {
  const sources = value.kind === "list" ? value.items : [value];
  return sources.flatMap((source) => {
    if (source.kind === "map") return source.entries;
    if (walk.borrowed > aliasLimit) return []; // Its anchor was not expanded.
    const what = "A merge key << takes a map, or a list of maps.";
    const why = "It brings in the entries of other maps, and there are none.";
    walk.diagnostics.push(createDiagnostic(range, "syntax", { what, why, fix: "Point it at a map: <<: *name." }));
    return [];
  });
}

function keyText(walk: Walk, key: ParsedNode, range: SourceRange, depth: number): string | undefined {
  const node = yaml.isScalar(key) && key.anchor === undefined ? key : undefined;
  if (node && !(node.value === null && node.source === "")) {
    return typeof node.value === "string" ? node.value : node.source;
  }
  const referred = node ? undefined : convert(walk, key, range.start, depth + 1);
  if (referred?.kind === "scalar" && referred.value !== null) return String(referred.value);
  walk.diagnostics.push(
    createDiagnostic(range, "key-not-text", {
      what: node ? "There is no key before this colon." : "A map or a list where a key belongs.",
      why: "Every entry needs a name that is a single word or text, so nothing under it can be read.",
      fix: "Write a name. If this is a placeholder of a template ({{ … }}), render the template first.",
    }),
  );
  return undefined;
}

function fromAnchor(walk: Walk, name: string, range: SourceRange): Node {
  const anchor = walk.anchors.get(name);
  if (anchor === undefined || anchor === "open") {
    // A password may begin with a star.
    const isShown = maskLine(range.file, getPosition(range.file, range.start).line).includes(`*${name}`);
    const shown = isShown ? name : "…";
    const what =
      anchor === "open"
        ? `The alias *${shown} refers to what it is part of.`
        : `*${shown} is read as an alias, but nothing is anchored as &${shown} above it.`;
    const fix = `If a pattern is meant, put it in quotes: '*${shown}'.`;
    const why = "Its value is unknown.";
    walk.diagnostics.push(createDiagnostic(range, "syntax", { what, why, fix }));
    // As a string it replaces the alias, so that nothing else is reported for it.
    return scalar(range, isShown ? `*${name}` : null);
  }
  const within = walk.borrowed <= aliasLimit;
  walk.borrowed += anchor.size;
  walk.count += anchor.size;
  if (walk.borrowed <= aliasLimit) return anchor.node;
  if (within) walk.diagnostics.push(createAliasBombMessage(range));
  return scalar(range, null);
}

/** Ranges of block collections and block texts end with the last value in them, not on the line after. */
function rangeOf(walk: Walk, node: ParsedNode): SourceRange {
  const [start] = node.range;
  return { file: walk.file, start, end: findEnd(walk.file.text, node) };
}

function findEnd(text: string, node: ParsedNode): number {
  let end = valueEnd(node);
  while (end > node.range[0] && blank.test(text.charAt(end - 1))) end--;
  return end;
}

/** By YAML; a non-breaking space is a character like any other. */
const blank = /[ \t\r\n]/;

function valueEnd(node: ParsedNode): number {
  if (!(yaml.isMap(node) || yaml.isSeq(node)) || node.flow) return node.range[1];
  const last = node.items.at(-1);
  const inner = yaml.isPair(last) ? (last.value ?? last.key) : last;
  return inner ? valueEnd(inner as ParsedNode) : node.range[1];
}

function scalar(range: SourceRange, value: ScalarNode["value"]): ScalarNode {
  return { ...range, kind: "scalar", value };
}
