import { formatLocation } from "../../diagnostics/source.ts";
import { isEqual, isList, isObject, type Value } from "../../json/value.ts";
import { families } from "../../model/names.ts";
import type { WeakenedProtection } from "../../model/since.ts";
import { changeDefaults } from "../../plan/guards/changes.ts";
import { deletionDefaults } from "../../plan/guards/deletions.ts";
import {
  type AllFound,
  type Found,
  findIgnores,
  findInFamilies,
  findInRoot,
  findInTarget,
  findModes,
  findOwners,
  findPersonas,
  findReserved,
  findSeverities,
  findTargets,
  findWaivers,
  isLaterDate,
  type ProtectionSide,
} from "./found.ts";
import { describeTested, isExplainedBy, type LostTest } from "./tests.ts";
import {
  isExtended,
  isGone,
  isLessSevere,
  isNarrowed,
  isOpened,
  isOther,
  isOtherMark,
  isOtherMode,
  isOtherSet,
  isOtherThanBefore,
  isPast,
  isWiderShare,
} from "./weaker.ts";

/** One kind of protection. */
interface Protection {
  /** Where the schemas have it; `families.*` and `owners.*` are about each name. */
  readonly key: string;
  readonly find: (side: ProtectionSide) => AllFound;
  /** Which of two values that differ protects less now. */
  readonly isWeaker: (
    before: Value | undefined,
    after: Value | undefined,
    about: {
      readonly id: string;
      readonly then: ProtectionSide;
      readonly now: ProtectionSide;
      readonly lost: readonly LostTest[];
    },
  ) => boolean;
}

/** Everything in the files that protects access, or what gate-sync may do: one row each. */
export const protections: readonly Protection[] = [
  // gate-sync.yaml
  { key: "targets", find: findTargets, isWeaker: isGone },
  { key: "allowed_hosts", find: findInRoot("allowed_hosts"), isWeaker: isOpened },
  { key: "secret_files", find: findInRoot("secret_files"), isWeaker: isExtended },
  { key: "waves", find: findInRoot("waves"), isWeaker: isOtherThanBefore },
  { key: "check", find: findInRoot("check"), isWeaker: isOtherThanBefore },
  { key: "owners", find: findOwners, isWeaker: isWiderShare },
  // A target
  { key: "protect", find: findInTarget("protect"), isWeaker: isNarrowed },
  { key: "admin_roles", find: findInTarget("admin_roles"), isWeaker: isOther },
  { key: "admin_certificate", find: findInTarget("admin_certificate"), isWeaker: (_, after) => after === true },
  { key: "apply_as", find: findInTarget("apply_as"), isWeaker: isOtherThanBefore },
  { key: "accept_fields", find: findInTarget("accept_fields"), isWeaker: isExtended },
  { key: "api_keys", find: findInTarget("api_keys"), isWeaker: isExtended },
  { key: "compare_hashes", find: findInTarget("compare_hashes"), isWeaker: (before) => before === true },
  { key: "tls.ca", find: findInTarget("tls", "ca"), isWeaker: isOtherThanBefore },
  { key: "tls.server_name", find: findInTarget("tls", "server_name"), isWeaker: isOtherThanBefore },
  { key: "families.*.mode", find: findModes, isWeaker: isOtherMode },
  { key: "families.*.include", find: findInFamilies("include"), isWeaker: isOtherSet(["*"]) },
  { key: "families.*.exclude", find: findInFamilies("exclude"), isWeaker: isOtherSet([]) },
  { key: "families.*.reserved", find: findInFamilies("reserved"), isWeaker: (_, after) => after === "write" },
  ofLimit("deletions", "count", deletionDefaults.count),
  ofLimit("deletions", "percent", deletionDefaults.percent),
  ofLimit("changes", "count", Number.POSITIVE_INFINITY),
  ofLimit("changes", "percent", changeDefaults.percent),
  { key: "lint", find: findSeverities, isWeaker: isLessSevere },
  { key: "fail_on", find: findInTarget("fail_on"), isWeaker: (before) => before === "warning" },
  // State files
  { key: "waivers", find: findWaivers, isWeaker: isLaterDate },
  {
    key: "personas",
    find: findPersonas,
    isWeaker: (_, __, { id, then, now, lost }) => isExplainedBy(id, lost, then.expected, now.expected),
  },
  { key: "reserved", find: findReserved, isWeaker: isOtherMark },
  { key: "gate-sync-ignore", find: findIgnores, isWeaker: (before) => before === undefined },
];

/** Each protection that is weaker, and each access test that is lost. */
export function compareProtections(
  then: ProtectionSide,
  now: ProtectionSide,
  { ref, today, lost }: { readonly ref: string; readonly today: string; readonly lost: readonly LostTest[] },
): readonly WeakenedProtection[] {
  const show = (before: Found | undefined, after: Found | undefined) => {
    const place = after?.place
      ? formatLocation(after.place)
      : before?.place && `${formatLocation(before.place)} at ${ref}`;
    return { place: place ?? "gate-sync.yaml", before: formatValue(before?.value), after: formatValue(after?.value) };
  };
  const ofTests = lost.flatMap(({ test, title, instead }) => {
    const [before, after] = [test, instead].map((one) => one && { value: describeTested(one), place: one.origin });
    // Who is meant by it is another line.
    if (after && isEqual(before?.value, after.value)) return [];
    return [{ kind: "access_tests", ...show(before, after), name: title }];
  });
  const others = protections.flatMap(({ key, find, isWeaker }) => {
    const [was, is] = [find(then), find(now)];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) => {
      const [before, after] = [was.get(id), is.get(id)];
      if (isEqual(before?.value, after?.value) || !isWeaker(before?.value, after?.value, { id, then, now, lost }))
        return [];
      if (key === "waivers" && isPast(after?.value, today)) return [];
      const [kind, name] = formatKind(key, id);
      return [{ kind, ...show(before, after), ...(name !== undefined && { name }) }];
    });
  });
  return [...ofTests, ...others];
}

/** The place in the schema, and which of several it is. */
function formatKind(key: string, id: string): readonly [string, string?] {
  if (id === key) return [key];
  return key.includes("*") ? [id] : [key, id];
}

/** As it would be written on one line. */
function formatValue(value: Value | undefined): string | null {
  if (value === undefined) return null;
  if (value === Number.POSITIVE_INFINITY) return "any number";
  return formatFlow(value);
}

function formatFlow(value: Value): string {
  if (isList(value)) return `[${value.map(formatFlow).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${formatFlow(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** A number, by default one that is known. */
function ofLimit(limit: string, unit: string, usual: number): Protection {
  const find = findInFamilies(limit, unit);
  return {
    key: `families.*.${limit}.${unit}`,
    find: (side) => {
      const stated = find(side);
      return new Map(
        families.map((family) => {
          const id = `families.${family}.${limit}.${unit}`;
          return [id, stated.get(id) ?? { value: usual }];
        }),
      );
    },
    isWeaker: (before, after) => Number(after) > Number(before),
  };
}
