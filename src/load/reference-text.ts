import { resolve } from "node:path";
import type { Code } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNearest, formatSuggestion, suggestNearest } from "../diagnostics/suggest.ts";
import { Secret } from "../json/secret.ts";
import { getWrittenText, type Node } from "../model/node.ts";
import type { Variables } from "../model/target.ts";
import { type NamedFiles, readSecretFile } from "./named-files.ts";
import {
  explainLongText,
  explainMoreThanName,
  explainNoTemplate,
  explainUnclosed,
  explainUnset,
  longestText,
  refuseSecretOfItem,
} from "./reference-messages.ts";
import { findHolder, findVariable, hasPlace, listVariableNames } from "./variables.ts";
import { isEmptyVariable, readNameAndDefault } from "./whole-reference.ts";

/** Where references find their values. */
export interface Lookups {
  readonly vars: Variables;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `leave`: secrets keep their reference and get no value; nothing is asked of the environment or of files. */
  readonly secrets: "resolve" | "leave";
  /** `leave`: in a template, `${each:NAME}` stays for each item to replace; absent: it is refused. */
  readonly each?: "leave";
  /** Absolute; where the paths of `${file:path}` begin. */
  readonly directory: string;
  /** How these files are read. */
  readonly files: NamedFiles;
}

/** What is wrong with one reference; `reference` is its text as written. */
export interface ReferenceProblem {
  readonly reference: string;
  readonly code: Code;
  readonly userMessage: Pick<Diagnostic, "what" | "why" | "fix" | "related">;
}

/**
 * Replaces `${var:NAME}`, `${env:NAME}` and `${file:path}`. One secret in it makes the whole text a secret, of which
 * the rest may be shown; a default that counts is text like any other (`isDefault`). What the server replaces itself, such as `${user.name}`, passes through, and `$${var:NAME}` gives `${var:NAME}`.
 */
export function resolveText(
  text: string,
  lookups: Lookups,
): {
  readonly value: string | Secret;
  readonly problems: readonly ReferenceProblem[];
  readonly isDefault?: true;
} {
  const problems: ReferenceProblem[] = [];
  const secrets: string[] = [];
  const shownParts: string[] = [];
  let known = true;
  let isDefault = false as boolean;
  let added = 0;
  let each: string | undefined;
  const replaceOne = (reference: string, inside: string): string => {
    const isLeft = lookups.each === "leave" && inside.startsWith("each:") && !inside.includes("${");
    if (isLeft) each = reference;
    if (isLeft) return reference;
    if (reference.startsWith("$$")) return reference.slice(1);
    const found = resolveOne(reference, inside, lookups);
    if (found.problem) problems.push({ reference, ...found.problem });
    isDefault ||= found.isDefault === true;
    if (!found.secret) {
      const wasFull = added > longestText;
      added += found.text?.length ?? 0;
      if (added > longestText && !wasFull) problems.push({ reference, ...explainLongText() });
      return added > longestText ? "" : (found.text ?? reference);
    }
    secrets.push(reference);
    known &&= found.text !== undefined;
    return found.text ?? "";
  };
  const joined = replaceReferences(text, (reference, inside) => {
    const before = secrets.length;
    const value = replaceOne(reference, inside);
    shownParts.push(secrets.length > before ? `(secret ${withoutDefault(reference)})` : value);
    return value;
  });
  const unclosed = /(?<!\$)\$\{(?:var|env|file|each):[^}]*$/.exec(text)?.[0];
  if (unclosed !== undefined) problems.push({ reference: unclosed, ...explainUnclosed(unclosed) });
  if (secrets.length === 0) return { value: joined, problems, ...(isDefault && { isDefault: true as const }) };
  if (each !== undefined) problems.push({ reference: each, ...refuseSecretOfItem() });
  const references = secrets.map(withoutDefault).join(" ");
  const source = text === secrets[0] ? sourceOf(text, lookups) : undefined;
  let at = 0;
  const shown = text === secrets[0] ? undefined : replaceReferences(text, () => shownParts[at++] ?? "");
  return { value: new Secret(references, known ? joined : undefined, source, shown), problems };
}

/** The path of a file has none, whatever it looks like: it would be shown, and compared, as another file. */
function withoutDefault(reference: string): string {
  return reference.replace(/^(\$\{env:.*?):-.*\}$/s, "$1}");
}

/** The reference in a form that gives the same value from any folder; its default is left out. */
function sourceOf(reference: string, { directory }: Lookups): string {
  const path = /^\$\{file:(.*)\}$/s.exec(reference)?.[1];
  return path === undefined ? withoutDefault(reference) : `\${file:${resolve(directory, path)}}`;
}

/**
 * A placeholder in a backup for a secret that the server keeps: its value is stored nowhere else, and only `rollback`
 * reads it.
 */
export const keptOnServer = "${live:secret}";

/** Escapes a string so that reading it gives the same characters again. */
export function escapeReferences(text: string): string {
  return replaceReferences(text, (reference) => `$${reference}`);
}

/** The names of the variables that a text refers to. */
export function listVariables(text: string): readonly string[] {
  const names: string[] = [];
  replaceReferences(text, (reference, inside) => {
    if (inside.startsWith("var:") && !reference.startsWith("$$")) names.push(readNameAndDefault(inside.slice(4)).name);
    return reference;
  });
  return names;
}

/**
 * Replaces gate-sync's references, escaped ones included, also inside of other programs' references. The closing
 * brace is searched once: a string full of unclosed references would cost the square of its length.
 */
function replaceReferences(text: string, replace: (reference: string, inside: string) => string): string {
  let joined = "";
  let from = 0;
  let close = -1;
  for (const { 0: opening, index } of text.matchAll(/\$?\$\{/g)) {
    if (index < from) continue; // Inside of the one before.
    const start = index + opening.length;
    if (close < start) close = text.indexOf("}", start);
    if (close === -1) break;
    const inside = text.slice(start, close);
    if (!isReference(inside)) continue;
    joined += text.slice(from, index) + replace(text.slice(index, close + 1), inside);
    from = close + 1;
  }
  return joined + text.slice(from);
}

/** Anything that would be replaced or refused. */
function isReference(inside: string): boolean {
  const [, kind] = /^([A-Za-z_]+):/.exec(inside) ?? [];
  if (kind === undefined) return /^(env|envbc|envbase64)\./.test(inside);
  return inside === "live:secret" || findNearest(kind, kinds) !== undefined;
}

const kinds = ["var", "env", "file", "each"];

/** Without a text: what was written stays, or, of a secret, its value is not known. */
interface Found {
  readonly text?: string | undefined;
  readonly secret?: boolean;
  /** It is what the file declares for want of a secret. */
  readonly isDefault?: true;
  readonly problem?: Omit<ReferenceProblem, "reference">;
}

function resolveOne(reference: string, inside: string, lookups: Lookups): Found {
  const [, kind, rest] = /^([A-Za-z_]+):(.*)$/s.exec(inside) ?? [];
  if (kind === undefined || rest === undefined) return vendorVariable(reference, inside);
  if (reference === keptOnServer) return kept(lookups);
  if (kinds.includes(kind) && rest.includes("${")) return nested(kind);
  switch (kind) {
    case "var":
      return variable(rest, lookups);
    case "env":
      return environment(rest, lookups);
    case "file":
      return fileText(rest, lookups);
    case "each":
      return problem("unknown-variable", explainNoTemplate(reference));
    default:
      return unknownKind(reference, kind);
  }
}

/** A reference ends at the first brace, so that the characters after it would be sent as they are. */
function nested(kind: string): Found {
  const userMessage = {
    what: "A reference is inside another one; names, paths and defaults cannot hold references.",
    why: "It would end at the first closing brace, and the rest would be sent as text.",
    fix: "Write the default as plain text, or decide between the two where the values are set.",
  };
  return kind === "var" || kind === "each" ? problem("unknown-variable", userMessage) : unset(userMessage);
}

function variable(rest: string, { vars }: Lookups): Found {
  const { name, fallback } = readNameAndDefault(rest);
  const node = findVariable(name, vars);
  if (node !== undefined && !(fallback !== undefined && isEmptyVariable(node)))
    return node.kind === "scalar" && node.value !== null ? { text: getWrittenText(node) } : noText(name, node);
  if (fallback !== undefined) return { text: fallback };
  const holder = findHolder(name, vars);
  const held = holder === undefined ? undefined : vars.get(holder);
  // Such as a map that --var replaced.
  const isInside = held && held.kind !== "map" ? ` "${holder}" is ${held.kind === "list" ? "a list" : "no map"}.` : "";
  return problem("unknown-variable", {
    what: `The variable "${name}" is not defined for this target.${isInside || suggestNearest(name, listVariableNames(vars))}`,
    why: "Without a value, the text cannot be completed.",
    fix: `Define it under vars of the target in gate-sync.yaml, or give a default: \${var:${name}:-default}.`,
    ...(isInside && held && hasPlace(held) && { related: [{ range: held, what: `"${holder}" is defined here` }] }),
  });
}

const kindsWithoutText = {
  scalar: { kind: "nothing", fix: () => 'Give it a value; "" is an empty text.' },
  list: { kind: "a list", fix: () => "Refer to a variable that is a text." },
  map: { kind: "a map", fix: (name: string) => `Refer to one of its values: \${var:${name}.KEY}.` },
} as const;

function noText(name: string, node: Node): Found {
  const { kind, fix } = kindsWithoutText[node.kind];
  return problem("variable-type", {
    what: `The variable "${name}" is ${kind}, and here a text is needed.`,
    why: `Where ${kind} belongs, it can be the whole of a value, but it cannot be a name or a part of a text.`,
    fix: fix(name),
    ...(hasPlace(node) && { related: [{ range: node, what: `"${name}" is defined here` }] }),
  });
}

function environment(rest: string, { env, secrets }: Lookups): Found {
  const { name, fallback } = readNameAndDefault(rest);
  if (/^GATE_SYNC_/i.test(name)) return { secret: true, ...ownVariable(name) };
  if (/[^\p{L}\p{N}_.-]/u.test(name)) return { secret: true, ...problem("unknown-variable", explainMoreThanName()) };
  if (secrets === "leave") return { secret: true };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value) return { secret: true, text: value };
  if (fallback !== undefined) return { text: fallback, isDefault: true };
  return unset(explainUnset(name, value === ""));
}

/** Who may change the files could write the login itself to the cluster, or send it to another server. */
function ownVariable(name: string): Found {
  return problem("misplaced-secret", {
    what: `${name} is a variable of gate-sync itself, and no file may refer to it.`,
    why: "Its value would be sent or stored where the login of gate-sync does not belong.",
    fix: "Leave the reference out where gate-sync reads the variable by itself, as it does its login; else use a variable of another name.",
  });
}

function fileText(path: string, lookups: Lookups): Found {
  const { text, problem } = readSecretFile(resolve(lookups.directory, path), path, lookups);
  // Editors end a file with a line break that is no part of a password.
  return { secret: true, text: text?.replace(/\r?\n$/, ""), ...(problem && { problem }) };
}

function kept({ secrets }: Lookups): Found {
  if (secrets === "leave") return { secret: true };
  return unset({
    what: `${keptOnServer} in a backup is a secret that the server keeps.`,
    why: "No other command knows its value.",
    fix: "Use the backup with gate-sync rollback, or write a reference to where the secret is.",
  });
}

/** It still counts as a secret, so that what follows knows its shape. */
function unset(userMessage: ReferenceProblem["userMessage"]): Found {
  return { secret: true, ...problem("unset-secret", userMessage) };
}

function problem(code: Code, userMessage: ReferenceProblem["userMessage"]): Found {
  return { problem: { code, userMessage } };
}

/** What to write for a vendor's variable where a secret may be: elsewhere a reference to one is refused. */
export function convertToSecretReference(reference: string): string {
  return `Write ${reference.replace(/^\$\{env\w*\./, "${env:")}.`;
}

function vendorVariable(reference: string, inside: string): Found {
  const [, tool, name] = /^(env|envbc|envbase64)\.(.*)$/s.exec(inside) ?? [];
  if (tool === undefined) return {};
  return problem("vendor-variable", {
    what: `${reference} is replaced by another tool, not by gate-sync.`,
    why: "The server would store this text literally.",
    fix: `Write \${var:${name}}, with its value under vars in gate-sync.yaml or from --var NAME=VALUE.`,
  });
}

/** `${vars:x}` and the like; a prefix that resembles none of gate-sync's belongs to the server. */
function unknownKind(reference: string, kind: string): Found {
  const near = findNearest(kind, kinds);
  if (near === undefined) return {};
  return problem("unknown-variable", {
    what: `There are no references of the kind "${kind}".${formatSuggestion(near)}`,
    why: "The server would store this text literally.",
    fix: `Write ${reference.replace(kind, near)}.`,
  });
}
