import { getPosition, type SourceRange } from "../../diagnostics/source.ts";
import { escapeInvisible } from "../escape.ts";
import { createMarkup as html, type Markup } from "./markup.ts";

/** The address of a line of a file at a forge; undefined where none was given, or the file is not in the repository. */
export type LinkPlace = (path: string, line: number) => string | undefined;

/**
 * @param base `https://github.com/OWNER/NAME/blob/COMMIT`; only https
 * @param toForgePath the path from the root of the repository
 */
export function createLinks(base: string | undefined, toForgePath: (path: string) => string | undefined): LinkPlace {
  if (base === undefined || !/^https:\/\//i.test(base)) return () => undefined;
  const root = base.replace(/\/+$/, "");
  return (path, line) => {
    const found = toForgePath(path);
    return found === undefined ? undefined : `${root}/${found.split("/").map(encodeURIComponent).join("/")}#L${line}`;
  };
}

/** A text with the place it is about: `role hr_reader (roles/hr.yml:12)`. */
export function renderPlace(range: SourceRange | undefined, text: string, link: LinkPlace): Markup {
  if (!range) return html`${text}`;
  const { path } = range.file;
  const { line } = getPosition(range.file, range.start);
  const place = escapeInvisible(`${path}:${line}`);
  const href = link(path, line);
  return href === undefined ? html`${text} (${place})` : html`${text} (<a href="${href}">${place}</a>)`;
}
