import { getPosition } from "../../diagnostics/source.ts";
import type { Family } from "../../model/names.ts";
import { padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import type { ChangeView } from "../views/change.ts";
import type { FamilyView } from "../views/family.ts";
import { createDataElement, createMarkup as html, type Markup } from "./markup.ts";
import type { LinkPlace } from "./place.ts";

/** So many are in the page as markup: for readers without scripts, for printing, and at once. */
const mostAsMarkup = 200;
const style: Style = { color: false, width: 110, full: true, verbose: true };

/** A change as the script of the page shows it. */
interface ShownChange {
  readonly family: Family;
  readonly sign: string;
  readonly title: string;
  readonly aside: string;
  readonly href?: string;
  /** Sign and text of each line. */
  readonly rows: readonly (readonly [sign: string, text: string])[];
}

interface ChangedFamily<T> {
  readonly family: Family;
  readonly title: string;
  readonly counts: string;
  readonly changes: readonly T[];
}

export function listChangedFamilies(families: readonly FamilyView[]): readonly ChangedFamily<ChangeView>[] {
  return families.map(({ family, title, changes, pendingCounts, otherCounts }) => {
    const counts = [pendingCounts, otherCounts].filter((part) => part !== "").join("; ");
    return { family, title, changes, counts };
  });
}

/**
 * All changes, by family: the first as markup, the rest as data.
 *
 * @param remarkOn a line between the name and the fields; empty for none
 */
export function* renderChanges<T extends ChangeView>(
  title: string,
  families: readonly ChangedFamily<T>[],
  link: LinkPlace,
  remarkOn: (change: T) => string = () => "",
): Generator<Markup> {
  const changed = families.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return;
  const total = changed.reduce((sum, { changes }) => sum + changes.length, 0);
  yield html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">${title}</h2>
<div class="tools" hidden><input id="search" type="search" aria-label="Search the changes" placeholder="name or value">
<button type="button" data-fold="closed">fold all</button><button type="button" data-fold="open">unfold all</button><span id="found" role="status"></span></div>`;
  let space = mostAsMarkup;
  const later: ShownChange[] = [];
  for (const { family, title: name, changes, counts } of changed) {
    const shown = changes.slice(0, space);
    space -= shown.length;
    later.push(...changes.slice(shown.length).map((change) => toShown(change, remarkOn(change), link)));
    yield html`<div id="family-${family}"><h3>${name} <span class="dim">${counts}</span></h3>
${shown.map((change) => renderChange(toShown(change, remarkOn(change), link)))}</div>`;
  }
  if (later.length > 0) {
    yield html`<p class="beyond">${later.length} of ${total} changes are shown by the script of this page only.</p>`;
    yield createDataElement("later", later);
  }
  yield html`</section>`;
}

/** Some changes, each whole, as markup. */
export function renderChangeList(changes: readonly ChangeView[], link: LinkPlace): readonly Markup[] {
  return changes.map((change) => renderChange(toShown(change, "", link)));
}

function renderChange({ sign, title, aside, href, rows }: ShownChange): Markup {
  const place = href === undefined ? html`<span class="dim">${aside}</span>` : html``;
  const link = href === undefined ? html`` : html`<a class="dim" href="${href}">${aside}</a>`;
  const lines = rows.map(
    ([mark, text]) => html`<span class="${rowClasses[mark] ?? ""}">${text}
</span>`,
  );
  return html`<details class="change" open><summary><span class="sign">${sign}</span> <span class="name">${title}</span> ${place}</summary>${link}<pre>${lines}</pre></details>
`;
}

const rowClasses: Readonly<Record<string, string>> = {
  "+": "row-add",
  "-": "row-del",
  "~": "row-chg",
  "?": "row-dim",
  "=": "row-dim",
};

function toShown(change: ChangeView, remark: string, link: LinkPlace): ShownChange {
  const { family, sign, title, aside, origin } = change;
  const href = origin && link(origin.file.path, getPosition(origin.file, origin.start).line);
  const rows = createChangeRows(change, 0, style).map(
    ({ indent, label, sign: mark, text }) =>
      [mark ?? "", `${padSpaces(indent)}${label}${mark === undefined ? "" : `${mark} `}${text}`.trimEnd()] as const,
  );
  const remarks = remark === "" ? [] : [["", remark] as const];
  return { family, sign, title, aside, ...(href !== undefined && { href }), rows: [...remarks, ...rows] };
}
