/** What JSON may hold as it is, and a terminal would obey or hide. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON as it is printed, with its newline: invisible characters are escaped. */
export function encodeJson(value: object): string {
  return [...encodeJsonBlocks(value)].join("");
}

/**
 * The same text in blocks, one for each entry of a list of the document: a plan of all a cluster has is longer than any
 * one string may be. Lists are at the top of the document; a list below it is part of its block.
 */
export function* encodeJsonBlocks(value: object): Generator<string, void, undefined> {
  let lead = "{\n";
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue;
    yield visibleJson(`${lead}  ${JSON.stringify(name)}: `);
    if (Array.isArray(member) && member.length > 0) yield* listBlocks(member);
    else yield printed(member, "  ");
    lead = ",\n";
  }
  yield lead === "{\n" ? "{}\n" : "\n}\n";
}

function* listBlocks(list: readonly unknown[]): Generator<string, void, undefined> {
  let lead = "[\n    ";
  for (const item of list) {
    yield lead + printed(item, "    ");
    lead = ",\n    ";
  }
  yield "\n  ]";
}

/** No line breaks are in it but those between its parts: in texts they are escaped. */
function printed(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2) ?? "null";
  return visibleJson(text.replaceAll("\n", `\n${indent}`));
}

function visibleJson(text: string): string {
  return text.replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
