import type { Field } from "../../families/facts.ts";
import { factsOf } from "../../families/index.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import type { Edit } from "../../json/patch.ts";
import type { Fields } from "../../json/value.ts";
import type { UnknownField } from "../../model/change.ts";
import { isResourceFamily } from "../../model/names.ts";
import type { Style } from "../style.ts";
import type { ChangeView } from "../views/change.ts";
import { createConfigRows, formatToken } from "./config.ts";
import { createPermissionRows } from "./permissions.ts";
import { createQueryRows } from "./query.ts";
import { createHeading, createRowsAt, type Row, type Spot } from "./row.ts";
import { formatSetLines, formatValueLines, listLeaves } from "./values.ts";

/** What is different, field by field; a create in full, a delete only where all is asked for. */
export function createChangeRows(change: ChangeView, indent: number, style: Style): readonly Row[] {
  const goes = change.action === "delete" || (change.before !== undefined && change.after === undefined);
  if (goes && !style.verbose) return [];
  const facts = isResourceFamily(change.family) ? factsOf[change.family].fields : {};
  const spot = { indent, label: "", style };
  const edits = sorted(editsOf(change), facts);
  const rows =
    change.family === "config"
      ? [...(change.managedWhole ?? []).map((text) => ({ indent, label: "", text })), ...createConfigRows(edits, spot)]
      : edits.flatMap((edit) => editRows(edit, facts, spot));
  const shown = [...rows, ...(change.unknown ?? []).flatMap((field) => unknownRows(field, indent, style))];
  if (shown.length > 0) return shown;
  return remarkOf(change).map((text) => ({ indent, label: "", text }));
}

/** The edits decide. Where a whole resource comes or goes and none are given, its fields are the edits. */
function editsOf(change: ChangeView): readonly Edit[] {
  if (change.edits.length > 0) return change.edits;
  if (change.action === "create") return wholeEdits(change.after, "after");
  return change.action === "delete" ? wholeEdits(change.before, "before") : [];
}

function wholeEdits(fields: Fields | undefined, side: "before" | "after"): readonly Edit[] {
  return Object.entries(fields ?? {}).map(([name, value]) => ({ path: [name], [side]: value }));
}

/** What the server has and gate-sync does not know; from the cluster's side, it was added. */
function unknownRows({ path, value }: UnknownField, indent: number, style: Style): readonly Row[] {
  const spot = { indent: indent + 2, label: "", style };
  const lines = formatValueLines(undefined, value, spot).map(({ text }) => ({ sign: "?" as const, text }));
  return [
    createHeading(indent, `${formatDottedPath(path)} (on the server, unknown to gate-sync)`),
    ...createRowsAt(spot, lines),
  ];
}

/** A change that has nothing to show still says what it does. */
function remarkOf(change: ChangeView): readonly string[] {
  if (change.family === "license" && change.action !== "leave") return ["would be written; its text is never shown"];
  return change.action === "create" ? ["(all fields at their defaults)"] : [];
}

/** Fields in the order of their family's facts, the rest after them in code-unit order. */
function sorted(edits: readonly Edit[], facts: Readonly<Record<string, Field>>): readonly Edit[] {
  const order = new Map(Object.keys(facts).map((name, index) => [name, index]));
  const rank = (edit: Edit) => order.get(edit.path[0] ?? "") ?? order.size;
  return [...edits].sort(
    (a, b) => rank(a) - rank(b) || compareByCodeUnit(a.path.join("\u0000"), b.path.join("\u0000")),
  );
}

function editRows(edit: Edit, facts: Readonly<Record<string, Field>>, spot: Spot): readonly Row[] {
  const [name = ""] = edit.path;
  const field = edit.path.length === 1 && Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (field?.kind === "permissions") return createPermissionRows(name, field, edit.before, edit.after, spot);
  if (field === undefined) return leafRows(edit, spot);
  const below = { ...spot, indent: spot.indent + 2 };
  if (name === "dls") return [createHeading(spot.indent, name), ...createQueryRows(edit.before, edit.after, below)];
  const lines = (field.kind === "set" ? formatSetLines : formatValueLines)(edit.before, edit.after, below);
  return [createHeading(spot.indent, name), ...createRowsAt(below, lines)];
}

/** A place in the config or in an unknown field: a heading for every leaf, by its dotted path. */
function leafRows(edit: Edit, spot: Spot): readonly Row[] {
  const paths = new Map<string, { path: readonly string[]; before?: Edit["before"]; after?: Edit["after"] }>();
  for (const side of ["before", "after"] as const) {
    const value = edit[side];
    if (value === undefined) continue;
    for (const leaf of listLeaves(value, edit.path)) {
      const key = leaf.path.join("\u0000");
      paths.set(key, { ...paths.get(key), path: leaf.path, [side]: leaf.value });
    }
  }
  const below = { ...spot, indent: spot.indent + 2 };
  return [...paths.values()].flatMap(({ path, before, after }) => [
    createHeading(spot.indent, formatDottedPath(path)),
    ...createRowsAt(below, formatValueLines(before, after, below)),
  ]);
}

/** `dynamic.authc."my.domain".order`: a name with a dot in it is quoted. */
export function formatDottedPath(path: readonly string[]): string {
  return path.map(formatToken).join(".");
}
