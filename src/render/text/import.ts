import { measureWidth, spreadLine, wrap, wrapIndented, wrapLabelled } from "../layout.ts";
import type { Style } from "../style.ts";
import { type ImportView, type LeftGroup, letGoCommand } from "../views/import.ts";
import { capitalise, pluralise } from "../views/words.ts";
import { paint } from "./ansi.ts";

/** Names of one file, parts of one reason, and uses of one variable, that are shown without `--full`. */
const mostParts = 10;

/** The account, one section for each kind of thing. No newline at the end. */
export function renderImportText(view: ImportView, style: Style): string {
  const { secrets, userSecrets } = view;
  const creating = "Set where gate-sync creates these users:";
  const sections = [
    [...wrap(view.summary, style.width).map((line) => paint(line, "strong", style)), ...takenLines(view, style)],
    leftLines(countTitle("Left", view.left, ": check each, as no file has it"), view.left, style),
    style.full
      ? leftLines(countTitle("Left", view.idle, " that declares nothing"), view.idle, style)
      : idleLines(view.idle, style),
    secrets.length + userSecrets.length === 0
      ? []
      : [
          "No secret was copied.",
          ...nameLines("Set in the environment before you plan:", secrets, style),
          ...nameLines(creating, style.full ? userSecrets : userSecrets.map(withoutPlaces), style),
        ],
    nameLines("Set under vars of the target, or with --var, before you plan:", view.variables, style),
    view.letGo.length === 0
      ? []
      : ["When gate-sync is in sync, have Terraform let go of them:", ...joinLetGo(view.letGo)],
    view.notes.flatMap((note) => wrap(`note: ${note}`, style.width, 6)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join("\n"))
    .join("\n\n");
}

/** As one command, to be copied. */
function joinLetGo(addresses: readonly string[]): readonly string[] {
  const last = addresses.length - 1;
  return [`  ${letGoCommand} \\`, ...addresses.map((one, at) => `    ${one}${at < last ? " \\" : ""}`)];
}

function takenLines({ taken }: ImportView, style: Style): readonly string[] {
  const column = Math.max(...taken.map(({ file }) => measureWidth(file))) + 4;
  return taken.flatMap(({ file, count, names }) => {
    const shown = style.full ? names : names.slice(0, mostParts);
    const more = names.length - shown.length;
    const listed = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
    const text = `${count}${listed}${more > 0 ? ` and ${more} more (--full shows all)` : ""}`;
    return wrapLabelled(`  ${file}`, text, column, style.width);
  });
}

function countTitle(verb: string, groups: readonly LeftGroup[], rest: string): string {
  const count = groups.reduce((sum, { parts }) => sum + parts.length, 0);
  return `${verb} ${pluralise(count, "part")}${count === 1 ? rest : rest.replace("declares", "declare")}`;
}

function leftLines(title: string, groups: readonly LeftGroup[], style: Style): readonly string[] {
  if (groups.length === 0) return [];
  const lines = groups.flatMap(({ why, parts }) => {
    const shown = style.full ? parts : parts.slice(0, mostParts);
    const more = parts.length - shown.length;
    return [
      ...wrap(`  ${capitalise(why)}:`, style.width, 4),
      ...shown.flatMap(({ what, place }) => spreadLine(`    ${what}`, paint(place, "faint", style), style.width)),
      ...(more > 0 ? [`    and ${more} more (--full shows all)`] : []),
    ];
  });
  return [title, ...lines];
}

/** Their names alone: where they are is of no use. */
function idleLines(groups: readonly LeftGroup[], style: Style): readonly string[] {
  if (groups.length === 0) return [];
  const lines = groups.flatMap(({ why, parts }) => {
    const shown = parts.slice(0, mostParts).map(({ what }) => what);
    const more = parts.length - shown.length;
    const text = `  ${capitalise(why)}: ${shown.join(", ")}${more > 0 ? ` and ${more} more (--full shows all)` : ""}`;
    return wrap(text, style.width, 4);
  });
  return [countTitle("Left", groups, " that declares nothing"), ...lines];
}

function nameLines(title: string, variables: ImportView["secrets"], style: Style): readonly string[] {
  if (variables.length === 0) return [];
  return [...wrap(title, style.width), ...variables.flatMap((variable) => useLines(variable, style))];
}

/** A user is found by its name. */
function withoutPlaces({ name, uses }: ImportView["secrets"][number]): ImportView["secrets"][number] {
  return { name, uses: uses.map((use) => ({ ...use, place: "" })) };
}

function useLines({ name, uses }: ImportView["secrets"][number], style: Style): readonly string[] {
  const shown = style.full ? uses : uses.slice(0, mostParts);
  const more = uses.length - shown.length;
  return [
    ...shown.flatMap(({ address, place, from }, at) => {
      const use = `  ${at === 0 ? name : " ".repeat(name.length)}  ${address}`;
      const isShort = from === "" || measureWidth(use) + 2 + measureWidth(from) <= style.width;
      const inside = isShort && from !== "" ? `  ${from}` : "";
      return [
        ...spreadLine(use + inside, paint(place, "faint", style), style.width),
        ...(isShort ? [] : wrapIndented(from, 4, style.width)),
      ];
    }),
    ...(more > 0 ? [`    and ${more} more (--full shows all)`] : []),
  ];
}
