// What is said of generators and their items.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { Secret } from "../json/secret.ts";
import { resourceFamilies } from "../model/names.ts";
import type { MapEntry, Node } from "../model/node.ts";

const familyList = resourceFamilies.join(", ");

export function createNoGeneratorMessage(place: SourceRange): Diagnostic {
  return createDiagnostic(place, "generator", {
    what: "generate holds a map, with for_each, as, and keys such as roles: below them.",
    why: "None of it can be read.",
    fix: "Write one generator; a second one belongs in another document of the file, after ---.",
  });
}

export function createMissingKeyMessage(place: SourceRange, key: "for_each" | "as"): Diagnostic {
  const fix = {
    for_each: "Write for_each: with a list or a map, a variable, or the path of a file of items.",
    as: "Write as: team, and refer to a key of the item as $" + "{each:team.KEY}.",
  };
  return createDiagnostic(place, "generator", {
    what: `This generator has no ${key}.`,
    why: key === "as" ? "The item has no name that a template could refer to." : "There is nothing to generate for.",
    fix: fix[key],
  });
}

export function createBadNameMessage(place: SourceRange): Diagnostic {
  return createDiagnostic(place, "generator", {
    what: "as is not a name.",
    why: "Templates refer to the item by it.",
    fix: "Write a word such as team; it begins with a to z, and - and _ are allowed in it.",
  });
}

export function createNoTemplateMessage(place: SourceRange): Diagnostic {
  return createDiagnostic(place, "generator", {
    what: "This generator has no template.",
    why: "Nothing is generated.",
    fix: `Write entries below one of these keys: ${familyList}.`,
  });
}

export function createUnknownKeyMessage({ key, keyRange }: MapEntry): Diagnostic {
  if (key === "generate") {
    return createDiagnostic(keyRange, "generator", {
      what: "A generator is inside of another one.",
      why: "Generators are not nested.",
      fix: "List all combinations as items of one generator.",
    });
  }
  const known = [...resourceFamilies, "for_each", "as", "when"];
  return createDiagnostic(keyRange, "generator", {
    what: `A generator has no key ${JSON.stringify(key)}.${suggestNearest(key, known)}`,
    why: "What is below it would be generated nowhere.",
    fix: `Beside for_each, as and when, only these can be generated: ${familyList}.`,
  });
}

export function createNoEntriesMessage({ key, keyRange }: MapEntry): Diagnostic {
  return createDiagnostic(keyRange, "generator", {
    what: `${key} of a generator holds a map from names to their fields.`,
    why: "Nothing is generated from anything else.",
    fix: "Write each entry as NAME: and its fields below it.",
  });
}

/** @param found what is there instead of a list or map */
export function createNoItemsMessage(place: SourceRange, found: Node): Diagnostic {
  const is = found.kind === "scalar" && found.value === null ? "nothing" : "a single value";
  return createDiagnostic(place, "generator", {
    what: `for_each is a list or a map of items, and here it is ${is}.`,
    why: "There is nothing to generate for.",
    fix: "Write the items, a variable that is a list or a map, or the path of a file of items.",
    ...(found !== place && found.start < found.end && { related: [{ range: found, what: "its value is here" }] }),
  });
}

export function createEndingMessage(place: SourceRange, path: string): Diagnostic {
  return createDiagnostic(place, "items-file", {
    what: `${path} is no file of items by its ending.`,
    why: "Items are read from .csv, .yaml, .yml and .json files of the repository.",
    fix: "Write the path of such a file, relative to this one, or the items themselves.",
  });
}

export function createItemSecretMessage(place: SourceRange, { reference }: Secret): Diagnostic {
  return createDiagnostic(place, "misplaced-secret", {
    what: `${reference} is a secret, and items hold none.`,
    why: "What is generated from them is shown in plans, and sent as it is.",
    fix: "For a public value write $" + "{var:NAME}; a secret belongs in the template, as the whole of a value.",
  });
}

export function createEmptyWarning(place: SourceRange): Diagnostic {
  return createDiagnostic(place, "nothing-generated", {
    what: "for_each has no items.",
    why: "Nothing is generated: this declares nothing, not even that there are no such entries.",
    fix: "Add an item, or take the generator out.",
  });
}

export function createForeignNameMessage(place: SourceRange, name: string, as: string): Diagnostic {
  return createDiagnostic(place, "unknown-item-key", {
    what: `"${name}" begins with no item: here the item is called "${as}".`,
    why: "The text cannot be completed.",
    fix: `Write \${each:${as}.KEY}.`,
  });
}

/** @param known all names that the template could refer to */
export function createUnknownItemKeyMessage(place: SourceRange, name: string, known: readonly string[]): Diagnostic {
  return createDiagnostic(place, "unknown-item-key", {
    what: `The item has no "${name}".${suggestNearest(name, known)}`,
    why: "The text cannot be completed.",
    fix: "Correct the reference, or give every item the key; there are no defaults.",
  });
}

const nouns = { scalar: "nothing", list: "a list", map: "a map" } as const;

export function createNoTextMessage(place: SourceRange, name: string, { kind }: Node): Diagnostic {
  return createDiagnostic(place, "item-type", {
    what: `"${name}" of the item is ${nouns[kind]}, and here a text is needed.`,
    why: `Where ${nouns[kind]} belongs, it can be the whole of a value, but it cannot be a name or a part of a text.`,
    fix: "Refer to a text of the item.",
  });
}

export function createConditionMessage(place: SourceRange, shown: string): Diagnostic {
  return createDiagnostic(place, "item-type", {
    what: `when is true or false, and here it is ${shown}.`,
    why: "Whether the entry is wanted is unknown.",
    fix: "Refer to a value that is true or false; conditions hold no operators.",
  });
}

/** @param first the same name, of another item */
export function createSameNameMessage(
  place: SourceRange,
  name: string,
  first: SourceRange,
  isFixed: boolean,
): Diagnostic {
  return createDiagnostic(place, "duplicate-name", {
    what: `${JSON.stringify(name)} is generated twice.`,
    why: "Which of the two counts would depend on the order of the items.",
    fix: isFixed
      ? "The name is the same for all items: put a key of the item into it."
      : "Give the two items different values for what the name is made of.",
    related: [{ range: first, what: "generated here first" }],
  });
}

export function createSameKeyMessage(place: SourceRange, key: string, first: SourceRange): Diagnostic {
  return createDiagnostic(place, "duplicate-key", {
    what: `With the item's values, the key ${JSON.stringify(key)} is twice in the same map.`,
    why: "Only one of the two could count.",
    fix: "Keep one of the two, or refer to keys with different values.",
    related: [{ range: first, what: `"${key}" is here first` }],
  });
}

export function createTooManyMessage(place: SourceRange, limit: number): Diagnostic {
  return createDiagnostic(place, "large-variables", {
    what: `This generator makes more than ${limit.toLocaleString("en")} values.`,
    why: "Every item counts once for each template.",
    fix: "Refer to shorter lists, or to a pattern that covers them.",
  });
}
