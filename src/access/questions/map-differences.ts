import type { Author } from "../../model/drift.ts";
import type { AccessMap, LevelAccess, MapColumn } from "./access-map.ts";
import { getPrincipalKey, type Principal } from "./who.ts";

/** What a principal may do with a column in one of two states and not in the other. */
export interface MapDifference {
  readonly principal: Principal;
  readonly column: MapColumn;
  /** `other`: more of one and less of another, or other documents or fields. `unknown`: in one of the states. */
  readonly kind: "gained" | "lost" | "other" | "unknown";
  readonly before: readonly LevelAccess[];
  readonly after: readonly LevelAccess[];
}

/** What differs from an earlier state, and who changed the lines that grant it now. */
export interface MapChanges {
  /** `since commit v1 (1a2b3c4)` */
  readonly title: string;
  readonly differences: readonly (MapDifference & { readonly author?: Author })[];
  /** What the earlier state goes by, in a sentence. */
  readonly basis: string;
}

/** Two maps of the same principals and columns, cell by cell. */
export function compareAccessMaps(before: AccessMap, after: AccessMap): readonly MapDifference[] {
  const then = new Map(before.rows.map((row) => [getPrincipalKey(row.principal), row]));
  return after.rows.flatMap(({ principal, cells }) => {
    const old = new Map(
      then.get(getPrincipalKey(principal))?.cells.map(({ column, levels }) => [keyOf(column), levels]),
    );
    const now = new Map(cells.map(({ column, levels }) => [keyOf(column), levels]));
    const found = after.columns.flatMap((column): readonly MapDifference[] => {
      const [was, is] = [old.get(keyOf(column)) ?? [], now.get(keyOf(column)) ?? []];
      const kind = compareLevels(was, is);
      return kind === undefined ? [] : [{ principal, column, kind, before: was, after: is }];
    });
    // That a part of every index is another one follows from the columns of that part.
    const whole = found.filter((difference) => !isOfParts(difference));
    return whole.length > 0 ? whole : found;
  });
}

/** The same levels as before on a part, of which other columns say what it is. */
function isOfParts({ before, after }: MapDifference): boolean {
  const inParts = (levels: readonly LevelAccess[]) =>
    levels.map(({ level, verdict }) => (verdict === "partly" ? level : undefined)).join(" ");
  const sure = (levels: readonly LevelAccess[]) => levels.filter(({ verdict }) => verdict !== "partly");
  return inParts(before) === inParts(after) && compareLevels(sure(before), sure(after)) === undefined;
}

/** The same map without what only the other state names. */
export function narrowMap(map: AccessMap, principals: readonly Principal[], columns: readonly MapColumn[]): AccessMap {
  const [own, among] = [new Set(principals.map(getPrincipalKey)), new Set(columns.map(keyOf))];
  return {
    ...map,
    columns,
    rows: map.rows
      .filter(({ principal }) => own.has(getPrincipalKey(principal)))
      .map((row) => ({ ...row, cells: row.cells.filter(({ column }) => among.has(keyOf(column))) })),
  };
}

function keyOf({ kind, name }: MapColumn): string {
  return `${kind} ${name}`;
}

function compareLevels(
  before: readonly LevelAccess[],
  after: readonly LevelAccess[],
): MapDifference["kind"] | undefined {
  const names = [...new Set([...before, ...after].map(({ level }) => level))];
  const steps = names.flatMap((name) => {
    const [was, is] = [before, after].map((levels) => levels.find(({ level }) => level === name));
    return compareLevel(was, is) ?? [];
  });
  const [first] = steps;
  if (first === undefined) return undefined;
  if (steps.includes("unknown")) return "unknown";
  return steps.every((step) => step === first) ? first : "other";
}

function compareLevel(was: LevelAccess | undefined, is: LevelAccess | undefined): MapDifference["kind"] | undefined {
  const isEqual = was?.verdict === is?.verdict && was?.restricted === is?.restricted;
  if (isEqual && was?.sees === is?.sees) return undefined;
  if (was?.verdict === "unknown" || is?.verdict === "unknown") return "unknown";
  if (was?.restricted === "unknown" || is?.restricted === "unknown") return "unknown";
  if (isEqual || (was?.verdict === "partly" && is?.verdict === "partly")) return "other";
  const [more, less] = [isMore(is, was), isMore(was, is)];
  return more ? "gained" : less ? "lost" : "other";
}

/** Of both, whether it is on all and whether documents or fields are hidden, no less, and of one of them more. */
function isMore(one: LevelAccess | undefined, other: LevelAccess | undefined): boolean {
  if (one === undefined || other === undefined) return other === undefined;
  const [wider, narrower] = [one.verdict === "yes", other.verdict === "yes"];
  const [open, closed] = [one.restricted === "no", other.restricted === "no"];
  return (wider || !narrower) && (open || !closed);
}
