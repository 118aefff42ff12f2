import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { findNearest } from "../diagnostics/suggest.ts";
import type { Family } from "../model/names.ts";
import { findNodeAt, getScalarSource, isNullNode, type Node, type ScalarNode } from "../model/node.ts";
import { describeSubjectAt, findRangeAt, isInList, type ShapePlace } from "./shape-place.ts";
import { describeNode, formatTypes, joinWithOr } from "./wording.ts";

/** Why a value of a wrong type matters; a setting of gate-sync.yaml goes to no server. */
export function describeRefusedIn({ family }: ShapePlace): string {
  return family === undefined
    ? "gate-sync does not guess what is meant."
    : "A server would refuse it, or read something else than what is meant.";
}

/** A value of another type than the schema asks for. */
export function createWrongTypeDiagnostic(
  path: readonly string[],
  expected: readonly string[],
  place: ShapePlace,
): Diagnostic {
  const node = findNodeAt(place.root, path);
  const range = findRangeAt(path, place);
  if (isInList(path, place)) return wrongMember(path, expected, node, range, place);
  const subject = describeSubjectAt(path, place);
  const is = describeNode(node);

  if (expected.includes("array") && node.kind === "scalar" && typeof node.value === "string") {
    if (place.singleValues && !getScalarSource(node).startsWith("-")) {
      return createDiagnostic(range, "scalar-for-list", {
        what: `${subject} must be a list; ${is} is taken for a list of one.`,
        why: "Loaders of 6.x allowed it; newer servers refuse it.",
        fix: listOfOneFix(node),
      });
    }
    const dash = getScalarSource(node).startsWith("-");
    return createDiagnostic(range, "wrong-type", {
      what: `${subject} must be a list, not ${is}.`,
      why: describeRefusedIn(place),
      fix: dash ? dashFix(node) : listFix(node, node.value, place),
    });
  }
  return createDiagnostic(range, "wrong-type", {
    what: `${subject} must be ${formatTypes(expected)}, not ${is}.`,
    why: describeRefusedIn(place),
    ...typeFix(node, expected, place.family),
  });
}

/** Settings that are lists hold words: a command, paths, patterns. */
function listFix(node: ScalarNode, text: string, { entryDepth }: ShapePlace): string {
  const words = entryDepth === 0 ? text.trim().split(/\s+/) : [];
  return words.length > 1 ? `Write its words as a list: [${words.join(", ")}].` : listOfOneFix(node);
}

/** Advice is one line: what is written in several is not repeated. */
function listOfOneFix(node: ScalarNode): string {
  const source = getScalarSource(node);
  return isOneLine(source) ? `Write [${source}].` : "Write it as a list.";
}

function dashFix(node: ScalarNode): string {
  const text = getScalarSource(node).slice(1);
  return isOneLine(text) ? `Put a space after the dash: - ${text}` : "Put a space after the dash.";
}

function isOneLine(source: string): boolean {
  return !/[\r\n]/.test(source);
}

/** `users:[ana]` is one text, as no space is after the colon. */
function gluedKey(node: Node, expected: readonly string[]): string | undefined {
  const glued = node.kind === "scalar" && expected.includes("object") && /^([\w-]+):(?=\S)/.exec(getScalarSource(node));
  return glued ? `Add a space after the colon of ${JSON.stringify(`${glued[1]}:`)}.` : undefined;
}

function typeFix(node: Node, expected: readonly string[], family: Family | undefined): { readonly fix?: string } {
  const glued = gluedKey(node, expected);
  if (glued) return { fix: glued };
  if (expected.includes("array") && node.kind === "scalar" && node.value !== null) {
    return { fix: listOfOneFix(node) };
  }
  if (expected.includes("array") && node.kind === "map") {
    const first = node.entries[0]?.key;
    return { fix: `Write a dash before each element${first === undefined ? "" : `: "- ${first}: …"`}.` };
  }
  if (expected.includes("string") && node.kind === "scalar" && node.value !== null) {
    return { fix: quote(node, getScalarSource(node)) };
  }
  if (expected.includes("string") && node.kind === "map" && family === "roles") {
    return { fix: "A query is text: put quotes around the JSON." };
  }
  if (expected.includes("object") && isNullNode(node)) {
    return { fix: "Write {} for none, or take the key out." };
  }
  return {};
}

/** The value of a variable is quoted where it is defined: at its reference there are quotes already. */
function quote({ file, start, end }: Node, source: string): string {
  const where = /^["']?\$\{var:/.test(file.text.slice(start, end)) ? " where it is defined" : "";
  return `Put quotes around it${where}${source === "" ? "." : `: "${source}".`}`;
}

/** The message for a member of the wrong type in a list of strings or maps. */
function wrongMember(
  path: readonly string[],
  expected: readonly string[],
  node: Node,
  range: SourceRange,
  place: ShapePlace,
): Diagnostic {
  const list = describeSubjectAt(path.slice(0, -1), place);
  if (isNullNode(node)) {
    return createDiagnostic(range, "null-in-list", {
      what: `${list} holds null.`,
      why: "Servers refuse it, or store it and fail on every later write.",
      fix: "Take the element out, or write what was meant.",
    });
  }
  if (!expected.includes("string")) {
    const fix = gluedKey(node, expected);
    return createDiagnostic(range, "wrong-type", {
      what: `An element of ${list} must be ${formatTypes(expected)}, not ${describeNode(node)}.`,
      why: describeRefusedIn(place),
      ...(fix && { fix }),
    });
  }
  const source = node.kind === "scalar" ? getScalarSource(node) : "";
  return createDiagnostic(range, "not-a-string", {
    what: `${list} holds text, not ${describeNode(node)}.`,
    why: describeRefusedIn(place),
    fix: node.kind === "list" ? "Write its elements in the outer list." : quote(node, source),
  });
}

/** A value that is none of the allowed words. */
export function createWrongWordDiagnostic(
  path: readonly string[],
  allowed: readonly string[],
  place: ShapePlace,
): Diagnostic {
  const node = findNodeAt(place.root, path);
  const meant = node.kind === "scalar" && typeof node.value === "string" ? findNearest(node.value, allowed) : undefined;
  return createDiagnostic(findRangeAt(path, place), "wrong-type", {
    what: `${describeSubjectAt(path, place)} must be ${joinWithOr(allowed)}, not ${describeNode(node)}.`,
    why: describeRefusedIn(place),
    fix: meant ? `Write ${meant}.` : `Write ${joinWithOr(allowed)}.`,
  });
}
