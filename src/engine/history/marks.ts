import { groupItems } from "../../json/collections.ts";
import type { Edit } from "../../json/patch.ts";
import { isEqual } from "../../json/value.ts";
import type { AccessDifferences, AffectedPrincipal, Statement } from "../../model/access.ts";
import { type Change, isPending } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Mark, Marks } from "../../model/since.ts";

/** What a plan does, or another would do to the same live state. */
export interface Doing {
  readonly changes: readonly Change[];
  /** Absent where access was not evaluated. */
  readonly access?: AccessDifferences | undefined;
}

/** What of a plan is its own, and what the plans of an earlier commit would do as well. */
export function findMarks(now: Doing, then: readonly Doing[]): Marks {
  const after = byAddress(now.changes);
  const before = byAddress(then.flatMap(({ changes }) => changes));
  return {
    entries: new Map([...after].map(([address, change]) => [address, markEntry(change, before.get(address))])),
    pendingBefore: takeEdits(after, before, "pending"),
    takenBack: takeEdits(before, after, "branch"),
    ...(now.access && { access: markAccess(now.access, then) }),
  };
}

function byAddress(changes: readonly Change[]): ReadonlyMap<Address, Change> {
  return new Map(changes.filter(isPending).map((change) => [createAddress(change.family, change.name), change]));
}

/** The changes of one side with those edits alone that have a mark beside the other side. */
function takeEdits(
  changes: ReadonlyMap<Address, Change>,
  others: ReadonlyMap<Address, Change>,
  mark: Mark,
): readonly Change[] {
  return [...changes].flatMap(([address, change]) => {
    const other = others.get(address);
    const edits = change.edits.filter((edit) => markEdit(edit, change, other) === mark);
    const isMeant = change.edits.length > 0 ? edits.length > 0 : markEntry(change, other) === mark;
    return isMeant ? [{ ...change, edits }] : [];
  });
}

/** An entry has the marks of its edits; one without any field has none. */
function markEntry(change: Change, other: Change | undefined): Mark {
  if (change.edits.length === 0) return other?.action === change.action ? "pending" : "branch";
  const [first = "branch", ...rest] = new Set(change.edits.map((edit) => markEdit(edit, change, other)));
  return rest.length > 0 ? "both" : first;
}

function markEdit({ path, after }: Edit, { action }: Change, other: Change | undefined): Mark {
  if (other?.action !== action) return "branch";
  const meeting = other.edits.filter((one) => one.path.every((token, at) => at >= path.length || token === path[at]));
  if (meeting.length === 0) return "branch";
  const isSame = meeting.some((one) => one.path.length === path.length && isEqual(one.after, after));
  return isSame ? "pending" : "both";
}

/** By holder and pattern; what is unknown alike before and after is no part of what a plan does. */
function markAccess(now: AccessDifferences, then: readonly Doing[]): NonNullable<Marks["access"]> {
  const lines = then.flatMap(({ access }) => (access ? listLines(access) : []));
  const known = new Set(lines.flatMap(({ keys, content }) => keys.flatMap((key) => [key, `${key} ${content}`])));
  const markOf = ({ keys, content }: Line): Mark => {
    if (keys.every((key) => known.has(`${key} ${content}`))) return "pending";
    return keys.some((key) => known.has(key)) ? "both" : "branch";
  };
  const part = (mark: Mark): AccessDifferences => {
    const isMeant = (line: Line) => markOf(line) === mark;
    const logins = now.logins?.filter((one) => isMeant(lineOfLogin(one)));
    return {
      ...(logins && logins.length > 0 && { logins }),
      blockedDiff: now.blockedDiff.filter((one) => isMeant(lineOfBlocked(one))),
      statements: now.statements.flatMap((statement) => takePart(statement, isMeant)),
      unchanged: mark === "branch" ? now.unchanged : [],
      unknowns: mark === "branch" ? now.unknowns : [],
    };
  };
  return { branch: part("branch"), both: part("both"), pending: part("pending") };
}

/** What a reader takes for one: by its holder, and each pattern that it is about. */
interface Line {
  readonly keys: readonly string[];
  readonly content: string;
}

function listLines({ logins = [], blockedDiff, statements }: AccessDifferences): readonly Line[] {
  return [
    ...logins.map(lineOfLogin),
    ...blockedDiff.map(lineOfBlocked),
    ...statements.flatMap(({ who, differences, tenants }) =>
      who.flatMap((one) => [
        ...differences.map((each) => lineOfDifference(one, each)),
        ...tenants.map((each) => lineOfTenant(one, each)),
      ]),
    ),
  ];
}

function createLine(keys: readonly unknown[], content: unknown): Line {
  return { keys: keys.map((key) => JSON.stringify(key)), content: JSON.stringify(content) };
}

function lineOfLogin({ addresses, ...content }: NonNullable<AccessDifferences["logins"]>[number]): Line {
  return createLine([["login", addresses]], content);
}

function lineOfBlocked({ who, except, ...content }: AccessDifferences["blockedDiff"][number]): Line {
  return createLine([["blocked", who, except]], content);
}

function lineOfTenant(who: AffectedPrincipal, { tenant, ...content }: Statement["tenants"][number]): Line {
  return createLine([[who, "tenant", tenant]], content);
}

function lineOfDifference(who: AffectedPrincipal, difference: Statement["differences"][number]): Line {
  const { level, indices, kind, actions, before, after, depends, lacks } = difference;
  const about = indices ?? actions;
  return createLine(
    about.terms.map((term) => [who, level, term]),
    [kind, indices && actions.terms, before, after, depends, lacks],
  );
}

/** Those of whom the same is meant stay together. */
function takePart(
  { who, differences, levels, tenants }: Statement,
  isMeant: (line: Line) => boolean,
): readonly Statement[] {
  const each = who.map((one, at) => ({
    one,
    levels: levels[at] ?? [],
    differences: differences.map((difference) => isMeant(lineOfDifference(one, difference))),
    tenants: tenants.map((tenant) => isMeant(lineOfTenant(one, tenant))),
  }));
  return groupItems(each, (one) => `${one.differences} ${one.tenants}`).flatMap((alike) => {
    const [first] = alike;
    const part = {
      who: alike.map(({ one }) => one),
      differences: differences.filter((_, at) => first.differences[at]),
      levels: alike.map((one) => one.levels.filter((_, at) => first.differences[at])),
      tenants: tenants.filter((_, at) => first.tenants[at]),
    };
    return part.differences.length + part.tenants.length > 0 ? [part] : [];
  });
}
