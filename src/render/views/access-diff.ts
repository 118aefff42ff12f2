import { isEverybody } from "../../access/compare/touched.ts";
import { formatConditionNames } from "../../access/explain/conditions.ts";
import { listPathSteps, type Places } from "../../access/explain/grant-path.ts";
import { groupItems } from "../../json/collections.ts";
import type {
  AccessDifference,
  AccessDifferences,
  AffectedPrincipal,
  Member,
  Statement,
  UnchangedUnknown,
} from "../../model/access.ts";
import { isPending } from "../../model/change.ts";
import { type Address, createAddress, toEntryAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { type AccessLine, createAccessLines, createBlockedLine, createLoginLine, getLineKey } from "./access-lines.ts";
import { formatAffected, joinSomeNames, listPrincipalNames } from "./access-principals.ts";
import { joinWithAnd } from "./words.ts";

/** What a plan, or one request of it, does to access, in the order in which it is shown. */
export interface AccessView {
  /** `2 gained`, `1 lost`: the lines below, by their signs; `no change` or `unknown` where there is nothing to count. */
  readonly counts: readonly string[];
  /** Those who come to administer access control: they may give themselves the rest. */
  readonly administering: readonly AccessBlock[];
  readonly blocked: readonly AccessLine[];
  readonly others: readonly AccessBlock[];
  /** What only those gain or lose who match two members at once. */
  readonly pairs: readonly AccessBlock[];
  /** Principals for whom nothing else is reported. */
  readonly unknown: readonly AccessBlock[];
  /** What is unknown before and after alike, and what could not be evaluated: once, at the end. */
  readonly closing: readonly AccessLine[];
}

/** Principals with equal lines. */
export interface AccessBlock {
  /** `backend roles analysts and interns, user worf`. */
  readonly who: string;
  readonly principals: readonly AffectedPrincipal[];
  /** The chain of a line is that of the first principal: each holds the role by a member of a mapping of its own. */
  readonly lines: readonly AccessLine[];
  /** A guard names what grants some of it: it is never shown together with others. */
  readonly isNamedByGuard: boolean;
}

type Decided = Pick<Plan, "changes" | "violations" | "waived">;

export function createAccessView(access: AccessDifferences, plan: Decided, places: Places): AccessView {
  // Of those that stay, a saved plan knows nothing: it must show the same.
  const changedGroups = plan.changes.filter((change) => change.family === "action_groups" && isPending(change));
  const plannedGroups = new Set(changedGroups.map(({ name }) => name));
  const { statements, own } = separateOwnIndices(access.statements, places);
  const escalating = listEscalating(plan);
  const named = listNamedByGuards(plan);
  const isAdministering = ({ differences }: Statement) => differences.some((one) => comesBy(one, escalating));
  const isOfPairs = ({ who }: Statement) => who.every(({ kind }) => kind === "pair");
  const blocksOf = (isMeant: (one: Statement) => boolean) =>
    mergeEqual(statements.filter(isMeant), plannedGroups, places).map((block): AccessBlock => {
      const isNamed = ({ difference }: AccessLine) => difference !== undefined && leadsThrough(difference, named);
      return { ...block, isNamedByGuard: block.lines.some(isNamed) };
    });
  const single = blocksOf((one) => !isAdministering(one) && !isOfPairs(one));
  const isUnknown = ({ lines }: AccessBlock) => lines.every(({ sign }) => sign === "?");
  const shown = {
    administering: blocksOf(isAdministering),
    blocked: [...(access.logins ?? []).map(createLoginLine), ...access.blockedDiff.map(createBlockedLine)],
    others: [...single.filter((one) => !isUnknown(one)), ...own],
    pairs: blocksOf((one) => !isAdministering(one) && isOfPairs(one)),
    unknown: single.filter(isUnknown),
  };
  const unchanged = formatUnchangedUnknown(access.unchanged).map((what) =>
    unknownLine(`as before, and not included above: ${what}`),
  );
  const unknowns = access.unknowns.map((why) => unknownLine(`unknown: ${escapeInvisible(why)}`));
  const { administering, blocked, others, pairs, unknown } = shown;
  const blocks = [...administering, ...others, ...pairs, ...unknown];
  // What is unknown alike before and after is no part of what the plan does.
  const counts = formatSignCounts([...blocks.flatMap(({ lines }) => lines), ...blocked]);
  return {
    counts: counts.length > 0 ? counts : [unknowns.length > 0 ? "unknown" : "no change"],
    ...shown,
    closing: [...unchanged, ...unknowns],
  };
}

/** What is dangerous by itself, waived or not. */
export function listNamedByGuards({ violations, waived }: Omit<Decided, "changes">): ReadonlySet<Address> {
  const reporting = [...violations, ...waived].filter(({ countsEntries }) => !countsEntries);
  return new Set(reporting.flatMap(({ addresses }) => addresses.map(toEntryAddress)));
}

function unknownLine(sentence: string): AccessLine {
  return { sign: "?", sentence, details: [], chain: [] };
}

/** `2 gained`, `1 lost`: as many as there are lines. */
export function formatSignCounts(lines: readonly AccessLine[]): readonly string[] {
  const names = { "+": "gained", "-": "lost", "~": "changed", "?": "unknown" } as const;
  return (["+", "-", "~", "?"] as const).flatMap((sign) => {
    const count = lines.filter((line) => line.sign === sign).length;
    return count === 0 ? [] : [`${count} ${names[sign]}`];
  });
}

function mergeEqual(
  statements: readonly Statement[],
  plannedGroups: ReadonlySet<string>,
  places: Places,
): readonly Omit<AccessBlock, "isNamedByGuard">[] {
  const all = statements.map(({ who, ...rest }) => ({
    who,
    lines: createAccessLines({ who, ...rest }, plannedGroups, places),
  }));
  const reported = all.filter(({ lines }) => lines.length > 0);
  return groupItems(reported, ({ lines }) => lines.map(getLineKey).join()).map((equal) => {
    const principals = equal.flatMap(({ who }) => who);
    const lines = equal[0].lines.map((line, at) => ({
      ...line,
      ...(line.levels && { levels: equal.flatMap((one) => one.lines[at]?.levels ?? []) }),
    }));
    return { who: formatAffected(principals), principals, lines };
  });
}

/** What the guard `escalation` found, waived or not. */
function listEscalating({ violations, waived }: Decided): ReadonlySet<Address> {
  const found = [...violations, ...waived].filter(({ rule }) => rule === "escalation");
  return new Set(found.flatMap(({ addresses }) => addresses));
}

function comesBy(difference: AccessDifference, addresses: ReadonlySet<Address>): boolean {
  return (difference.kind === "gained" || difference.kind === "may-gain") && leadsThrough(difference, addresses);
}

function leadsThrough({ via, viaParts }: AccessDifference, addresses: ReadonlySet<Address>): boolean {
  if (!via || addresses.size === 0) return false;
  const roles = [via.role, ...(viaParts?.roles ?? [])];
  const path = [
    ...roles.flatMap((role) => [createAddress("roles", role), createAddress("role_mappings", role)]),
    ...via.groups.map((name) => createAddress("action_groups", name)),
  ];
  return path.some((address) => addresses.has(address));
}

const userNames = ["${user_name}", "${user.name}"];

/**
 * With an index pattern of everybody that holds the user's name, each known user gains or loses another index, without
 * what other roles grant: one line for all of them.
 */
function separateOwnIndices(
  all: readonly Statement[],
  places: Places,
): {
  readonly statements: readonly Statement[];
  readonly own: readonly AccessBlock[];
} {
  const patterns = new Set(
    all.flatMap(({ who, differences }) =>
      who.some((one) => one.kind === "principal" && isEverybody(one.member))
        ? differences.map(({ kind, via, depends = [] }) =>
            JSON.stringify([kind, via?.role, formatConditionNames(depends)]),
          )
        : [],
    ),
  );
  const found: { readonly member: Member; readonly line: AccessLine }[] = [];
  const statements = all.map((statement) => {
    const [one, ...others] = statement.who;
    if (others.length > 0 || one?.kind !== "principal") return statement;
    const kept = statement.differences.flatMap((difference, at) => {
      const levels = statement.levels.flatMap((each) => each[at] ?? []);
      const line = lineOfOwnIndex(one.member, difference, patterns, places);
      if (line) found.push({ member: one.member, line: { ...line, levels } });
      return line ? [] : [{ difference, levels }];
    });
    return {
      ...statement,
      differences: kept.map(({ difference }) => difference),
      levels: [kept.flatMap(({ levels }) => levels)],
    };
  });
  const own = groupItems(found, ({ line }) => getLineKey(line)).map((equal) => {
    const byMember = new Map(equal.map(({ member, line }) => [member, line]));
    const members = [...byMember.keys()];
    return {
      who: listPrincipalNames(members).join(", "),
      principals: members.map((member) => ({ kind: "principal", member }) as const),
      isNamedByGuard: false,
      lines: [{ ...equal[0].line, levels: [...byMember.values()].flatMap(({ levels = [] }) => levels) }],
    };
  });
  return { statements, own };
}

/** @param patterns of everybody: kind, role and pattern of what might be gained or lost */
function lineOfOwnIndex(
  { field, entries: [name = ""] }: Member,
  difference: AccessDifference,
  patterns: ReadonlySet<string>,
  places: Places,
): AccessLine | undefined {
  const { kind, via, viaParts, indices } = difference;
  const [term, ...rest] = indices?.terms ?? [];
  if (viaParts && (viaParts.roles.length > 1 || viaParts.hasMore)) return undefined;
  if (field !== "users" || name === "" || !via || !term || rest.length > 0) return undefined;
  if (kind !== "gained" && kind !== "lost") return undefined;
  const might = kind === "gained" ? "gain" : "lose";
  const pattern = userNames
    .map((variable) => term.allOf.join().replaceAll(name, variable))
    .find((text) => patterns.has(JSON.stringify([`may-${might}`, via.role, text])));
  if (pattern === undefined) return undefined;
  return {
    sign: kind === "gained" ? "+" : "-",
    sentence: `all or some of the actions on ${escapeInvisible(pattern)} that everybody might ${might} (role ${formatName(via.role)})`,
    details: [],
    chain: listPathSteps(via, places),
    difference,
  };
}

/** More than these are named together. */
const mostUnchanged = 3;

function formatUnchangedUnknown(unchanged: readonly UnchangedUnknown[]): readonly string[] {
  return unchanged.length <= mostUnchanged ? unchanged.map(formatOneUnchanged) : formatManyUnchanged(unchanged);
}

function formatOneUnchanged({ role, depends, members }: UnchangedUnknown): string {
  const [whom = "", ...others] = listPrincipalNames(members);
  const isAll = whom === "everybody";
  const who = isAll ? "every user" : joinWithAnd([whom, ...others]);
  if (depends.some(({ kind }) => kind === "role"))
    return `mapping ${formatName(role)}: unknown whether it applies to ${who}`;
  const what = escapeInvisible(formatConditionNames(depends));
  if (!holdsVariable(depends)) return `role ${formatName(role)} grants ${who} what depends on ${what}`;
  const own = isAll || members.length === 1 ? "its" : "their";
  return `mapping ${formatName(role)} grants ${who} ${own} own index pattern ${what}`;
}

function holdsVariable(depends: UnchangedUnknown["depends"]): boolean {
  return depends.some((one) => one.kind === "pattern" && one.pattern.includes("${"));
}

function formatManyUnchanged(unchanged: readonly UnchangedUnknown[]): readonly string[] {
  const rolesOf = (some: readonly UnchangedUnknown[]) => [...new Set(some.map(({ role }) => role))];
  const own = rolesOf(unchanged.filter(({ depends }) => holdsVariable(depends)));
  const others = rolesOf(unchanged.filter(({ depends }) => !holdsVariable(depends)));
  const mappings = (roles: readonly string[]) =>
    `${roles.length === 1 ? "mapping" : "mappings"} ${joinSomeNames(roles)}`;
  return [
    ...(own.length === 0
      ? []
      : [`${mappings(own)} ${own.length === 1 ? "grants" : "grant"} each user index patterns with variables`]),
    ...(others.length === 0
      ? []
      : [`${mappings(others)}: unknown what ${others.length === 1 ? "it grants" : "they grant"}`]),
  ];
}
