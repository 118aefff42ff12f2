import { invisible } from "../../json/invisible.ts";

/** ` name="value"` for each, to be put into a tag. */
export function formatAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeContent(String(value)).replace(invisible, (c) => `&#${c.codePointAt(0)};`)}"`,
    )
    .join("");
}

/** A text between tags. */
export function escapeContent(text: string): string {
  return text.replace(uncarried, "").replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** What XML 1.0 cannot carry, not even escaped: most controls, halves of surrogate pairs, and U+FFFE and U+FFFF. */
const uncarried = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
