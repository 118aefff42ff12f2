// Characters that nobody sees, or sees as something else, and how notations write them.

/**
 * Controls, formatting such as bidirectional overrides, surrogates, private use and unassigned code points; all that
 * Unicode says to ignore where a font lacks it, such as variation selectors and fillers; blanks that are no space; and
 * placeholders. The numbers are blanks and placeholders that Unicode classes as visible.
 */
const kinds = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{13441}\u{13442}\u{16fe4}\u{1d159}]`;

export const invisible = matchInvisible(" ");

/** The same in a text that is laid out in lines. */
const invisibleInLines = matchInvisible("[ \n\t]|\r\n");

/** @param allowed an expression of what may be there all the same */
export function matchInvisible(allowed: string): RegExp {
  return new RegExp(`(?!${allowed})${kinds}`, "gu");
}

export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1;
}

export function hasInvisibleInLines(text: string): boolean {
  return text.includes("\r") || text.search(invisibleInLines) !== -1;
}

/** Notation that has the escapes of JSON, such as JSON itself: it means the same afterwards. */
export function escapeAsJson(lines: string, unwanted = invisibleInLines): string {
  return lines.replace(unwanted, (character) =>
    Array.from({ length: character.length }, (_, at) => writeUnit(character.charCodeAt(at))).join(""),
  );
}

/** YAML in which all that is invisible is in double quotes. Its readers refuse surrogates. */
export function escapeAsYaml(lines: string, unwanted = invisibleInLines): string {
  return lines.replace(unwanted, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : writeUnit(code);
  });
}

/** A word of a command line, as bash and zsh take it. By bytes: in the locale C they know no others. */
export function escapeForShell(word: string): string {
  const bytes = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "\\x$&");
  return `$'${word.replace(/[\\']/g, "\\$&").replace(invisible, bytes)}'`;
}

function writeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
