import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { nearest } from "../diagnostics/suggest.ts";
import type { Family } from "../model/names.ts";
import { type Node, nodeAt, sourceOf } from "../model/node.ts";
import { isInList, rangeAt, type ShapePlace, subjectAt } from "./shape-place.ts";
import { either, nodeInWords, typesInWords } from "./wording.ts";

/** Why it matters: of a setting of gate-sync.yaml nobody tells a server. */
/** No server ever sees what belongs to no family. */
export function refusedIn({ family }: ShapePlace): string {
  return family === undefined
    ? "What is meant would be a guess."
    : "A server would refuse it, or read something else than what is meant.";
}

/** A value of another type than the schema asks for. */
export function wrongType(path: readonly string[], expected: readonly string[], place: ShapePlace): Diagnostic {
  const node = nodeAt(place.root, path);
  const range = rangeAt(path, place);
  if (isInList(path, place)) return wrongMember(path, expected, node, range, place);
  const subject = subjectAt(path, place);
  const is = nodeInWords(node);

  if (expected.includes("array") && node.kind === "scalar" && typeof node.value === "string") {
    if (place.singleValues && !sourceOf(node).startsWith("-")) {
      return diagnosticAt(range, "scalar-for-list", {
        what: `${subject} must be a list; ${is} is taken for a list of one.`,
        why: "Loaders of 6.x allowed it; newer servers refuse it.",
        fix: `Write [${sourceOf(node)}].`,
      });
    }
    const dash = sourceOf(node).startsWith("-");
    return diagnosticAt(range, "wrong-type", {
      what: `${subject} must be a list, not ${is}.`,
      why: refusedIn(place),
      fix: dash
        ? `Put a blank after the dash: - ${sourceOf(node).slice(1)}`
        : listFix(node.value, sourceOf(node), place),
    });
  }
  return diagnosticAt(range, "wrong-type", {
    what: `${subject} must be ${typesInWords(expected)}, not ${is}.`,
    why: refusedIn(place),
    ...typeFix(node, expected, place.family),
  });
}

/** Settings that are lists hold words: a command, paths, patterns. */
function listFix(text: string, source: string, { entryDepth }: ShapePlace): string {
  const words = entryDepth === 0 ? text.trim().split(/\s+/) : [];
  return words.length > 1 ? `Write its words as a list: [${words.join(", ")}].` : `Write [${source}].`;
}

/** `users:[ana]` is one text, as no space is after the colon. */
function gluedKey(node: Node, expected: readonly string[]): string | undefined {
  const glued = node.kind === "scalar" && expected.includes("object") && /^([\w-]+):(?=\S)/.exec(sourceOf(node));
  return glued ? `Add a space after the colon of ${JSON.stringify(`${glued[1]}:`)}.` : undefined;
}

function typeFix(node: Node, expected: readonly string[], family: Family | undefined): { readonly fix?: string } {
  const glued = gluedKey(node, expected);
  if (glued) return { fix: glued };
  if (expected.includes("array") && node.kind === "scalar" && node.value !== null) {
    return { fix: `Write [${sourceOf(node)}].` };
  }
  if (expected.includes("array") && node.kind === "map") {
    const first = node.entries[0]?.key;
    return { fix: `Write a dash before each element${first === undefined ? "" : `: "- ${first}: …"`}.` };
  }
  if (expected.includes("string") && node.kind === "scalar" && node.value !== null) {
    return { fix: `Put quotes around it: "${sourceOf(node)}".` };
  }
  if (expected.includes("string") && node.kind === "map" && family === "roles") {
    return { fix: "A query is text: put quotes around the JSON." };
  }
  if (expected.includes("object") && node.kind === "scalar" && node.value === null) {
    return { fix: "Write {} for none, or take the key out." };
  }
  return {};
}

/** What stands in a list that holds text, or maps. */
function wrongMember(
  path: readonly string[],
  expected: readonly string[],
  node: Node,
  range: SourceRange,
  place: ShapePlace,
): Diagnostic {
  const list = subjectAt(path.slice(0, -1), place);
  if (node.kind === "scalar" && node.value === null) {
    return diagnosticAt(range, "null-in-list", {
      what: `${list} holds null.`,
      why: "Servers refuse it, or store it and fail on every later write.",
      fix: "Take the element out, or write what was meant.",
    });
  }
  if (!expected.includes("string")) {
    const fix = gluedKey(node, expected);
    return diagnosticAt(range, "wrong-type", {
      what: `An element of ${list} must be ${typesInWords(expected)}, not ${nodeInWords(node)}.`,
      why: refusedIn(place),
      ...(fix && { fix }),
    });
  }
  const source = node.kind === "scalar" ? sourceOf(node) : "";
  return diagnosticAt(range, "not-a-string", {
    what: `${list} holds text, not ${nodeInWords(node)}.`,
    why: refusedIn(place),
    fix: `Put quotes around it${source === "" ? "." : `: "${source}".`}`,
  });
}

/** A value that is none of the allowed words. */
export function wrongWord(path: readonly string[], allowed: readonly string[], place: ShapePlace): Diagnostic {
  const node = nodeAt(place.root, path);
  const meant = node.kind === "scalar" && typeof node.value === "string" ? nearest(node.value, allowed) : undefined;
  return diagnosticAt(rangeAt(path, place), "wrong-type", {
    what: `${subjectAt(path, place)} must be ${either(allowed)}, not ${nodeInWords(node)}.`,
    why: refusedIn(place),
    fix: meant ? `Write ${meant}.` : `Write ${either(allowed)}.`,
  });
}
