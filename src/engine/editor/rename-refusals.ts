// What beside the files' own names decides by a name: under another one, it would be another state.
import { matchesPattern } from "../../access/patterns/matches.ts";
import type { Message } from "../../diagnostics/failure.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { createBuiltins } from "../../dialects/builtin/index.ts";
import { hasBuiltins } from "../../dialects/builtin/source.ts";
import { getNoun } from "../../families/index.ts";
import { isInScope, matchesName } from "../../families/scope.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { Value } from "../../json/value.ts";
import { isList, isObject, listTexts, listValues } from "../../json/value.ts";
import type { Occurrence } from "../../language/occurrences.ts";
import { createAddress, type ResourceFamily } from "../../model/names.ts";
import { toValue } from "../../model/node.ts";
import type { Target } from "../../model/target.ts";
import type { CheckedFiles } from "../pipeline/checked-files.ts";

/** An entry with the name that it has and the one that it is to get. */
interface Renaming {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly to: string;
}

const builtinsOf = memoiseByObject(createBuiltins);

/** Why an entry cannot have another name: undefined where nothing is known that would be otherwise. */
export function findRenameRefusal(
  files: readonly CheckedFiles[],
  targets: readonly Target[],
  { family, name }: Pick<Occurrence, "family" | "name">,
  to: string,
): Message | undefined {
  const families = family === "roles" || family === "role_mappings" ? (["roles", "role_mappings"] as const) : [family];
  for (const one of families) {
    const renaming = { family: one, name, to };
    for (const checked of files) {
      const found =
        findBuiltin(renaming, checked) ??
        findPattern(renaming, checked) ??
        findMember(renaming, checked) ??
        findWaiver(renaming, checked);
      if (found) return found;
    }
    for (const target of targets) {
      const found = findSetting(renaming, target);
      if (found) return found;
    }
  }
  return undefined;
}

function findBuiltin({ family, name, to }: Renaming, { dialect }: CheckedFiles): Message | undefined {
  if (!hasBuiltins(family)) return undefined;
  const builtins = builtinsOf(dialect)[family];
  const builtin = [to, name].find((one) => builtins.has(one));
  if (builtin === undefined) return undefined;
  return {
    what: `${dialect.product} ${dialect.release} comes with the ${getNoun(family)} ${JSON.stringify(builtin)}.`,
    why: "Who is given it gets what the product means by it.",
    fix: builtin === to ? "Choose another name." : "Declare another entry, and change what names it by hand.",
  };
}

/** A tenant that patterns of roles match by one name and not by the other. */
function findPattern({ family, name, to }: Renaming, { declared }: CheckedFiles): Message | undefined {
  if (family !== "tenants") return undefined;
  for (const role of declared.resources.get("roles")?.values() ?? []) {
    for (const { tenant_patterns: patterns } of listValues(role.value.tenant_permissions).filter(isObject)) {
      const pattern = listTexts(patterns).find(
        (one) => one !== name && matchesPattern(one, name) !== matchesPattern(one, to),
      );
      if (pattern === undefined) continue;
      return {
        what: `The role ${JSON.stringify(role.name)} has the tenant pattern ${JSON.stringify(pattern)}, which matches only one of the two names.`,
        why: "Who has that role would gain the tenant, or lose it.",
        fix: "Choose another name, or change the pattern first.",
      };
    }
  }
  return undefined;
}

/** Mappings name users, who need not be internal ones. */
function findMember({ family, name, to }: Renaming, { declared }: CheckedFiles): Message | undefined {
  if (family !== "internal_users") return undefined;
  for (const mapping of declared.resources.get("role_mappings")?.values() ?? []) {
    const member = listTexts(mapping.value.users).find((one) => matchesPattern(one, name) !== matchesPattern(one, to));
    if (member === undefined) continue;
    return {
      what: `The role mapping ${JSON.stringify(mapping.name)} has the user ${JSON.stringify(member)}, which is only one of the two names.`,
      why: "The user would lose the role, or gain it.",
      fix: "Choose another name, or change the mapping first.",
    };
  }
  return undefined;
}

function findWaiver({ family, name }: Renaming, { whole }: CheckedFiles): Message | undefined {
  const address = createAddress(family, name);
  for (const { waivers } of whole.documents) {
    const item = waivers?.kind === "list" ? waivers.items.find((one) => holdsText(toValue(one), address)) : undefined;
    if (!item) continue;
    return {
      what: `A waiver at ${formatLocation(item)} is about ${address}.`,
      fix: "Change or remove it by hand first.",
    };
  }
  return undefined;
}

function holdsText(value: Value, text: string): boolean {
  if (isList(value)) return value.some((item) => holdsText(item, text));
  return isObject(value) ? Object.values(value).some((item) => holdsText(item, text)) : value === text;
}

/** What gate-sync.yaml says by name. */
function findSetting({ family, name, to }: Renaming, target: Target): Message | undefined {
  const { families, protect = [], adminRoles = [] } = target;
  const [from, into] = [createAddress(family, name), createAddress(family, to)];
  const isOtherwise = (matches: (one: string) => boolean, one: string, other: string) =>
    matches(one) !== matches(other);
  const setting = isOtherwise((one) => isInScope(families[family], one), name, to)
    ? `families.${family}`
    : protect.some((pattern) => isOtherwise((one) => matchesName(pattern, one), from, into))
      ? "protect"
      : family === "roles" && adminRoles.some((role) => role === name || role === to)
        ? "admin_roles"
        : undefined;
  return setting === undefined
    ? undefined
    : {
        what: `${setting} of the target ${target.name} goes by the name, and would mean something else.`,
        fix: "Change it in gate-sync.yaml by hand, too, or choose another name.",
      };
}
