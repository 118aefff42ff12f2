import { escapeAsJson } from "../../json/invisible.ts";

/** Markup that is fit to be written: only `createMarkup` makes it, and only of texts that it escapes. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** A tag of templates, imported as `html`: `html\`<b>${name}</b>\``. What is put in is escaped, unless it is markup itself. Values of attributes stand in quotes. */
export function createMarkup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: texts.map((text, at) => (at === 0 ? text : toMarkup(parts[at - 1]) + text)).join("") };
}

function toMarkup(part: Part | undefined): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escapeMarkup(String(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Data for the script of a page, in an element that no browser runs. */
export function createDataElement(id: string, data: unknown): Markup {
  const text = escapeAsJson(JSON.stringify(data)).replaceAll("<", "\\u003c");
  return { markup: `<script type="application/json" id="${id}">${text}</script>` };
}
