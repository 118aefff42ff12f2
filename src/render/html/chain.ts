import type { ChainStep } from "../../access/explain/grant-path.ts";
import { formatStep } from "../views/access-reasons.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { type LinkPlace, renderPlace } from "./place.ts";

/** What grants something: a mapping, a role, a permission, each with its line. */
export function renderChain(chain: readonly ChainStep[], link: LinkPlace): Markup {
  const steps = chain.map(
    ({ place, ...step }, at) => html`${at === 0 ? "" : " > "}${renderPlace(place, formatStep(step), link)}`,
  );
  return html`<div class="dim">by ${steps}</div>`;
}
