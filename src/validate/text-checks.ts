// Checks of a single string, in whichever family it is.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { countEdits, findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import { requestKinds } from "../dialects/requests.ts";
import { Secret } from "../json/secret.ts";
import { isJoined } from "./joined-items.ts";
import type { WrittenText } from "./written.ts";

export type Check = (text: string, range: SourceRange) => readonly Diagnostic[];

/** Runs checks on the texts that are not secret. */
export function checkTexts(texts: readonly WrittenText[], ...checks: readonly Check[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const text of texts) {
    if (text.value instanceof Secret) continue;
    for (const check of checks) for (const diagnostic of check(text.value, text)) found.push(diagnostic);
  }
  return found;
}

/** Checks as one that looks once at each string without a finding: few strings occur in thousands of entries. */
export function memoiseChecks(...checks: readonly Check[]): Check {
  const proven = new Set<string>();
  return (text, range) => {
    if (proven.has(text)) return none;
    const found = checks.flatMap((check) => check(text, range));
    if (found.length === 0) proven.add(text);
    return found;
  };
}

const none: readonly Diagnostic[] = [];

export function checkSpacesAround(text: string, range: SourceRange): readonly Diagnostic[] {
  if (text === text.trim() || text.trim() === "") return [];
  const [outer = ""] = /^\s|\s$/.exec(text) ?? [];
  return [
    createDiagnostic(range, "spaces-around-name", {
      what: `${JSON.stringify(text)} begins or ends with ${describeBlank(outer)}.`,
      why: "It is part of the name: this matches only names that have it.",
      fix: `Write ${JSON.stringify(text.trim())}, unless it is meant.`,
    }),
  ];
}

/** Most look like a space, and are none. */
function describeBlank(blank: string): string {
  const named: Readonly<Record<string, string>> = {
    " ": "a space",
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a line break",
  };
  const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return named[blank] ?? `the character U+${code}, which is no space`;
}

export function checkWildcardUser(user: string, range: SourceRange): readonly Diagnostic[] {
  if (user !== "*") return [];
  return [
    createDiagnostic(range, "wildcard-principal", {
      what: "The user * is everybody who can log in.",
      why: "All of them get the role.",
      fix: "Name the users or their backend roles, unless everybody is meant.",
    }),
  ];
}

export function checkBrokenVariable(text: string, range: SourceRange): readonly Diagnostic[] {
  const found = /\$[A-Za-z_]\w*\.[\w.]*/.exec(text)?.[0];
  if (found === undefined) return [];
  return [
    createDiagnostic(within(range, found), "broken-variable", {
      what: `${JSON.stringify(found)} looks like a variable without its braces.`,
      why: "The server takes it literally, so that it matches nothing.",
      fix: `Write \${${found.slice(1)}}, if the server's variable is meant.`,
    }),
  ];
}

/** Warns of `?kibana`, which people wrote for `.kibana` when keys could not hold a dot. */
export function checkQuestionMark(pattern: string, range: SourceRange): readonly Diagnostic[] {
  if (!/^\?[a-z]/i.test(pattern)) return [];
  return [
    createDiagnostic(range, "question-mark-pattern", {
      what: `${JSON.stringify(pattern)} begins with a question mark.`,
      why: "It matches any one character, so that more indices match than the one that begins with a dot.",
      fix: `Write ${JSON.stringify(`.${pattern.slice(1)}`)}, if that is the index.`,
    }),
  ];
}

/** A pattern, `/regex/`, `cluster:…`, `indices:…`, or a word that may name an action group. */
const actionShape = /^(\/.*\/|[\w.*?][\w.:*?/\-[\]+]*)$/;

/** How the actions of all products begin, part by part. */
const actionParts: Readonly<Record<string, readonly string[]>> = {
  "": ["indices", "cluster", "internal", "kibana", "restapi", "plugin"],
  "indices:": ["data", "admin", "monitor", "internal", "searchguard"],
  "indices:data/": ["read", "write"],
  "cluster:": ["admin", "monitor", "internal"],
};

/** The action that was meant where one of its first parts is misspelt; undefined for what is right or unlike any. */
function meantAction(action: string): string | undefined {
  const [scheme = "", rest] = splitAt(action, ":");
  if (rest === undefined || /[*?]/.test(scheme)) return undefined;
  let before = "";
  let left = action;
  for (const separator of [":", "/", "/"]) {
    const known = actionParts[before];
    const [part = "", after] = splitAt(left, separator);
    if (known === undefined || after === undefined || /[*?]/.test(part)) return meantRequest(action);
    if (!known.includes(part)) {
      const meant = findNearest(part, known);
      return meant && `${before}${meant}${separator}${after}`;
    }
    before += `${part}${separator}`;
    left = after;
  }
  return meantRequest(action);
}

/** A known request that differs by one or two characters only. */
function meantRequest(action: string): string | undefined {
  if (/[*?]/.test(action) || knownActions.has(action)) return undefined;
  const at = action.lastIndexOf("/");
  const [before, last] = [action.slice(0, at + 1), action.slice(at + 1)];
  const beside = [...knownActions].filter((known) => known.startsWith(before)).map((known) => known.slice(at + 1));
  const meant =
    last.length < 4
      ? undefined
      : findNearest(
          last,
          beside.filter((name) => !name.includes("/")),
        );
  return meant !== undefined && isOneSlip(last, meant) ? `${before}${meant}` : undefined;
}

/** More or less at the end is another action: `search` and `searches`. */
function isOneSlip(word: string, meant: string): boolean {
  return countEdits(word, meant) === 1 && !word.startsWith(meant) && !meant.startsWith(word);
}

const knownActions: ReadonlySet<string> = new Set(
  requestKinds.flatMap(({ cluster, index, sinceSeven }) => [...cluster, ...index, ...(sinceSeven ?? [])]),
);

function splitAt(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** @param groups names of declared action groups, which may look like anything */
export function checkSuspiciousAction(groups: ReadonlySet<string>): Check {
  return (action, range) => {
    const meant =
      groups.has(action) || isUnresolved(action) || action.startsWith("/") ? undefined : meantAction(action);
    if (meant !== undefined) {
      return [
        createDiagnostic(range, "suspicious-action", {
          what: `The action ${JSON.stringify(action)} looks misspelt.${formatSuggestion(meant)}`,
          why: "No server has an action of this name, so it grants nothing.",
          fix: `Write ${JSON.stringify(meant)}.`,
        }),
      ];
    }
    if (action.trim() === "" || actionShape.test(action) || groups.has(action) || isUnresolved(action)) return [];
    if (isJoined(range)) return [];
    const [blank] = /\s/.exec(action) ?? [];
    const odd = /["'`]/.test(action)
      ? "holds a quote"
      : blank
        ? `holds ${describeBlank(blank)}`
        : "is unlike any action";
    return [
      createDiagnostic(range, "suspicious-action", {
        what: `The action ${JSON.stringify(action)} ${odd}.`,
        why: "It is taken literally, matches no action, and so grants nothing.",
        fix: suggestVariableFix(action) ?? "Look at its quotes and commas.",
      }),
    ];
  };
}

/** The rest of a reference that could not be resolved: that was reported, and its value is unknown. */
export function isUnresolved(text: string): boolean {
  return /\$\{(vars?|env|file)[:.]/.test(text);
}

/** Where a variable is written as shells do; those of servers have dots in their names. */
export function suggestVariableFix(text: string): string | undefined {
  const [found, name] = /\$\{([A-Za-z_]\w*)\}/.exec(text) ?? [];
  if (found === undefined) return undefined;
  return `Nothing replaces ${found}: write \${var:${name}}, and its value under vars of the target in gate-sync.yaml.`;
}

/** @param strict whether the product refuses blank strings in lists */
export function checkBlankText(strict: boolean): Check {
  return (text, range) => {
    if (text.trim() !== "") return [];
    const character = {
      what: "The list holds a string of spaces.",
      why: strict ? "The server refuses it." : "It matches nothing; newer servers refuse it.",
      fix: "Take it out, or write what was meant.",
    };
    return [createDiagnostic(range, "null-in-list", character, strict ? "error" : "warning")];
  };
}

/** The part of a long text that is meant; all of it where escapes keep it from being found as it is. */
function within(range: SourceRange, part: string): SourceRange {
  const start = range.file.text.indexOf(part, range.start);
  return start === -1 || start + part.length > range.end ? range : { ...range, start, end: start + part.length };
}
