// The same content in other formats: what is written otherwise in the files.
import type { Random } from "../fixtures/index.ts";
import type { Format, Section } from "./files.ts";
import { fileText, type Style, sectionText, withoutEmpty } from "./yaml.ts";

export const writeYaml: Format = (sections, random) => fileText(sections, random);

export function inStyle(style: Style): Format {
  return (sections, random) => fileText(sections, random, style);
}

/** Of the text that `writeYaml` makes. */
export function rewritten(rewrite: (text: string, random: Random) => string): Format {
  return (sections, random) => rewrite(fileText(sections, random), random);
}

/** @param indent of each level; none for all in one line */
export function inJson(indent?: number): Format {
  return (sections) => {
    const families = sections.map(([family, entries]) => {
      const kept = entries.map(([name, value]) => [name, withoutEmpty(value)]);
      return [family, Object.fromEntries(kept)] as const;
    });
    return `${JSON.stringify(Object.fromEntries(families), null, indent)}\n`;
  };
}

/** Fifty entries each. */
export function inDocuments(sections: readonly Section[], random: Random): string {
  const parts = sections.flatMap(([family, entries]) =>
    Array.from(
      { length: Math.ceil(entries.length / 50) },
      (_, at): Section => [family, entries.slice(at * 50, (at + 1) * 50)],
    ),
  );
  return parts.map((section) => sectionText(section, random)).join("---\n");
}

/** Comments with tabs in them. */
export function withTabs(text: string): string {
  return text.replaceAll(/^( *)# /gm, "$1#\t").replaceAll(" # until", " #\tuntil");
}

/** A comment before each line and at the end of most; lines of block scalars are no place for one. */
export function withComments(text: string): string {
  let block: number | undefined;
  const lines = text.split("\n").flatMap((line) => {
    const indent = line.search(/\S/);
    if (block !== undefined && (indent > block || indent === -1)) return [line];
    block = /: [|>]-$/.test(line) ? indent : undefined;
    if (indent === -1 || line.includes("#")) return [line];
    const comment = `${" ".repeat(indent)}# Approved.`;
    return [comment, block === undefined ? `${line} # as before` : line];
  });
  return lines.join("\n");
}
