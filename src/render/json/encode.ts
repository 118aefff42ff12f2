import { escapeAsJson } from "../../json/invisible.ts";

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
    yield escapeAsJson(`${lead}  ${JSON.stringify(name)}: `);
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
  return escapeAsJson(text.replaceAll("\n", `\n${indent}`));
}
