import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatLocation, type SourceRange } from "../diagnostics/source.ts";
import { findNearest, formatSuggestion, suggestNearest } from "../diagnostics/suggest.ts";
import type { Field } from "../families/facts.ts";
import { factsOf, getNoun } from "../families/index.ts";
import type { Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { type MapEntry, type Node, toValue } from "../model/node.ts";

export function createUndeclaredMessage(
  family: ResourceFamily,
  { key, keyRange }: MapEntry,
  names: readonly string[],
): Diagnostic {
  const noun = getNoun(family);
  return createDiagnostic(keyRange, "unknown-override", {
    what: `No ${noun} ${JSON.stringify(key)} is declared.${suggestNearest(key, names)}`,
    why: "An override changes what another file declares: alone it declares nothing.",
    fix: `Correct the name, or declare the ${noun} under ${family}.`,
  });
}

export function createNoConfigMessage(keyRange: SourceRange): Diagnostic {
  return createDiagnostic(keyRange, "unknown-override", {
    what: "No config is declared.",
    why: "An override changes what another file declares: alone it declares nothing.",
    fix: "Declare it under config, or take the override out.",
  });
}

export function createNoMapMessage(family: ResourceFamily, { key, value }: MapEntry): Diagnostic {
  return createDiagnostic(value, "wrong-type", {
    what: `An override of the ${getNoun(family)} ${JSON.stringify(key)} is a map of fields.`,
    why: "What is meant is unknown.",
    fix: "Write its fields below its name; to drop the entry, remove: true.",
  });
}

export function createShortFormMessage(
  family: ResourceFamily,
  { key, keyRange }: MapEntry,
  base: MapEntry,
): Diagnostic {
  return createDiagnostic(keyRange, "mixed-format", {
    what: `The ${getNoun(family)} ${JSON.stringify(key)} is declared in a short form, without names of fields.`,
    why: "An override is about fields: nothing else of what is declared would be left.",
    fix: "Write its fields by their names where it is declared.",
    related: [{ range: base.keyRange, what: "declared here" }],
  });
}

/** Beside the words of 6.x those of 7.x would count twice. */
export function createSixWordMessage({ keyRange }: MapEntry, field: string, six: MapEntry): Diagnostic {
  return createDiagnostic(keyRange, "mixed-format", {
    what: `${JSON.stringify(field)} is declared in the words of 6.x there, as ${JSON.stringify(six.key)}.`,
    why: "An override goes by the name of a field: both would be in the entry, and count together.",
    fix: `Write ${field} where it is declared, in the form of 7.x.`,
    related: [{ range: six.keyRange, what: "declared here" }],
  });
}

/** Names of settings begin with no sign: the server would get one that does nothing. */
export function createConfigSignMessage({ key, keyRange }: MapEntry): Diagnostic {
  return createDiagnostic(keyRange, "unknown-field", {
    what: `The config has no ${JSON.stringify(key)}: nothing is added to its lists or removed from them.`,
    why: "The server would get a setting of this name, and not the list that is meant.",
    fix: `Write ${key.slice(1)}: with the whole list.`,
  });
}

export function createMapOverListMessage({ key, value }: MapEntry, base: MapEntry): Diagnostic {
  return createDiagnostic(value, "wrong-type", {
    what: `${JSON.stringify(key)} is a list, and here it is a map.`,
    why: "Items of a list have no path: the map would replace the list.",
    fix: "Write the whole list.",
    related: [{ range: base.keyRange, what: "declared as a list" }],
  });
}

export function createConflictMessage({ key, keyRange }: MapEntry, other: MapEntry): Diagnostic {
  return createDiagnostic(keyRange, "override-conflict", {
    what: `${JSON.stringify(key)} is overridden twice; the other is at ${formatLocation(other.keyRange)}.`,
    why: "Which of the two counts would depend on the order of the files.",
    fix: "Keep one of them.",
    related: [{ range: other.keyRange, what: "also overridden here" }],
  });
}

export function createRemovalMessage({ value }: MapEntry): Diagnostic {
  return createDiagnostic(value, "wrong-type", {
    what: '"remove" must be true.',
    why: "What is meant otherwise is unknown.",
    fix: "Write remove: true, or take the line out.",
  });
}

export function createSignMessage({ key, keyRange }: MapEntry, field: string, family: ResourceFamily): Diagnostic {
  const lists = Object.entries(factsOf[family].fields).flatMap(([name, { kind }]) =>
    kind === "set" || kind === "permissions" ? [name] : [],
  );
  return createDiagnostic(keyRange, "unknown-field", {
    what: `${JSON.stringify(field)} of a ${getNoun(family)} is no list: nothing can be added to it or removed.${formatSuggestion(findNearest(field, lists))}`,
    why: "What is meant is unknown.",
    fix: `Write ${field}: to replace it. The lists are ${lists.join(", ")}.`.replace(
      `Write ${field}`,
      `Write ${key.slice(1)}`,
    ),
  });
}

export function createNoListMessage({ key, value }: MapEntry): Diagnostic {
  return createDiagnostic(value, "wrong-type", {
    what: `${JSON.stringify(key)} must be a list.`,
    why: "What is added or removed is unknown.",
    fix: "Put it in brackets.",
  });
}

export function createMissingMessage(item: Node, items: readonly Node[], subject: string, facts: Field): Diagnostic {
  const nearest = findNearestItem(item, items, facts);
  return createDiagnostic(item, "missing-element", {
    what: `This is not in ${subject}.${nearest?.name ? formatSuggestion(nearest.name) : ""}`,
    why: "It cannot be removed: what is meant to go stays.",
    fix: nearest
      ? `The nearest is at ${formatLocation(nearest.node)}: write it as it is there.`
      : "The list is empty: take the line out.",
    ...(nearest && { related: [{ range: nearest.node, what: "the nearest one" }] }),
  });
}

function findNearestItem(
  item: Node,
  items: readonly Node[],
  facts: Field,
): { readonly node: Node; readonly name?: string } | undefined {
  const text = (node: Node) => (node.kind === "scalar" ? String(node.value) : undefined);
  const near = findNearest(
    text(item) ?? "",
    items.flatMap((one) => text(one) ?? []),
  );
  const named = near === undefined ? undefined : items.find((one) => text(one) === near);
  if (named && near !== undefined) return { node: named, name: near };
  // The one that has most in common with it.
  const parts = listTextsIn(toValue(item));
  const scored = items.map((node) => ({
    node,
    score: listTextsIn(toValue(node)).filter((one) => parts.includes(one)).length,
  }));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (a, b) => (a && a.score >= b.score ? a : b),
    undefined,
  );
  return facts.kind === "set" && best?.score === 0 ? undefined : best && { node: best.node };
}

function listTextsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTextsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTextsIn) : [];
}

export function createIdleWarning(at: MapEntry | Node, what: string, there: MapEntry | Node): Diagnostic {
  const place = (one: MapEntry | Node): SourceRange => ("keyRange" in one ? one.keyRange : one);
  return createDiagnostic(place(at), "idle-override", {
    what: `${what}, at ${formatLocation(place(there))}.`,
    why: "The override changes nothing.",
    fix: "Take it out, or correct it.",
    related: [{ range: place(there), what: "it is here" }],
  });
}
