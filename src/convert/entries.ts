// One entry of a family in the other product, and what became of it.
import { canonicaliseFields } from "../families/canonical.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { collectReached } from "../json/graph.ts";
import { type Fields, isEqual, listTexts } from "../json/value.ts";
import type { ConversionNote, ConversionOutcome, ConvertedEntry } from "../model/conversion.ts";
import type { DesiredResource } from "../model/desired.ts";
import type { ResourceFamily } from "../model/names.ts";
import { isOptIn } from "../model/policy.ts";
import { convertActions } from "./actions.ts";
import { convertMapping } from "./mappings.ts";
import { convertRole, withoutForeignFields } from "./roles.ts";
import { convertUser } from "./users.ts";
import { type Converting, createNoteWriter, type NoteWriter } from "./writing.ts";

/** Where the parts of the result are gathered. */
export interface Gathered {
  readonly resources: Map<ResourceFamily, Map<string, DesiredResource>>;
  readonly entries: ConvertedEntry[];
  readonly notes: ConversionNote[];
}

export function convertFamily(
  family: ResourceFamily,
  declared: Iterable<DesiredResource>,
  context: Converting,
  gathered: Gathered,
): void {
  const hasFamily = context.to.dialect.collections[family] !== undefined;
  // Without an entry it is declared all the same: all that a server has of it is deleted.
  if (hasFamily) gathered.resources.set(family, gathered.resources.get(family) ?? new Map());
  for (const entry of declared) {
    const note = createNoteWriter(gathered.notes, entry);
    if (!hasFamily) {
      note(
        "left",
        `${context.there} has no ${family === "blocks" ? "blocks: whom it shuts out is let in" : getNoun(family, 2)}.`,
      );
      recordEntry(gathered, entry, "left");
    } else if (family === "internal_users") {
      const user = convertUser(entry, context, note);
      if (user) addEntry(gathered, entry, entry.name, user, note);
      else recordEntry(gathered, entry, "left");
    } else if (family === "role_mappings") convertMappingEntry(entry, context, gathered, note);
    else if (family === "blocks" || isOptIn(family))
      addEntry(gathered, entry, entry.name, withoutForeignFields(family, entry.value, context, note), note);
    else convertNamedEntry(family, entry, context, gathered, note);
  }
}

function convertNamedEntry(
  family: "roles" | "action_groups" | "tenants",
  entry: DesiredResource,
  context: Converting,
  gathered: Gathered,
  note: NoteWriter,
): void {
  const { names, there } = context;
  const { name: declared, value } = entry;
  const { kind, name } = names.find(family, declared);
  if (kind === "built-in") {
    recordEntry(gathered, entry, "built-in", name);
    return;
  }
  if (entry.serverOwned && family === "roles" && !context.isGiven(declared)) {
    note("left", "It is the server's own (reserved), and no mapping and no internal user has it.");
    recordEntry(gathered, entry, "left");
    return;
  }
  if (name !== declared) note("changed", `It is called ${name}: ${there} has another ${declared} of its own.`);
  const converted =
    family === "roles"
      ? convertRole(declared, value, context, note)
      : family === "action_groups"
        ? convertGroup(declared, value, context, note)
        : withoutForeignFields("tenants", value, context, note);
  addEntry(gathered, entry, name, converted, note);
}

function convertGroup(name: string, group: Fields, context: Converting, note: NoteWriter): Fields {
  const { to, from, groups, expand, there } = context;
  const { type, ...rest } = withoutForeignFields("action_groups", group, context, note);
  const { types, needsType } = to.dialect.actionGroup;
  const isTaken = type !== undefined && (types === undefined || types.includes(String(type).toLowerCase()));
  if (type !== undefined && !isTaken)
    note("changed", `Its type ${type} is left out, which decides nothing: ${there} takes ${types?.join(" and ")}.`);
  const below = (one: string): readonly string[] => listTexts(groups.get(one)?.allowed_actions);
  // Groups that hold each other keep some products from loading anything.
  const isCyclic = to.dialect.cyclesHarm && !from.dialect.cyclesHarm && collectReached(below(name), below).has(name);
  if (isCyclic)
    note("changed", `It is written out as what it holds: it is one of its own groups, over which ${there} fails.`);
  const actions = isCyclic
    ? expand([name]).flatMap(({ pattern }) => (groups.has(pattern) ? [] : [pattern]))
    : convertActions(below(name), context, note);
  return {
    ...rest,
    ...(isTaken ? { type } : needsType ? { type: "index" } : {}),
    allowed_actions: actions,
  };
}

function convertMappingEntry(entry: DesiredResource, context: Converting, gathered: Gathered, note: NoteWriter): void {
  const { names, to, there, isRoleMissing } = context;
  const { name, value } = entry;
  if (to.dialect.checksRoles && isRoleMissing(name)) {
    note("left", `There is no role ${name}: it gives nothing, and ${there} refuses a mapping without a role.`);
    recordEntry(gathered, entry, "left");
    return;
  }
  const role = names.findRole(name, entry.origin);
  placeMapping(entry, role.name, convertMapping(value, context, note), context, gathered, note);
}

export function placeMapping(
  entry: DesiredResource,
  name: string,
  value: Fields,
  context: Converting,
  gathered: Gathered,
  note: NoteWriter,
  outcome: ConversionOutcome = "converted",
): void {
  const { to, there } = context;
  const facts = factsOf.role_mappings.fields;
  const builtin = to.builtin.role_mappings.get(name);
  const { description: _, ...principals } = canonicaliseFields(value, facts);
  if (builtin && isEqual(builtin, principals)) {
    recordEntry(gathered, entry, "built-in", name);
  } else if (builtin) {
    note("left", `The mapping of ${name} is the server's own in ${there}, and cannot be written.`);
    recordEntry(gathered, entry, "left", name);
  } else {
    const other = gathered.resources.get("role_mappings")?.get(name);
    const lists = ["backend_roles", "hosts", "users"] as const;
    const united = lists.map((list) => [list, [...listTexts(other?.value[list]), ...listTexts(value[list])]]);
    const together = uniteTogether(listTexts(other?.value.and_backend_roles), listTexts(value.and_backend_roles), note);
    const both = {
      ...value,
      ...Object.fromEntries(united),
      ...(together.length > 0 && { and_backend_roles: together }),
    };
    addEntry(gathered, entry, name, other ? both : value, note, outcome);
  }
}

/** A mapping has one such list, all of which a principal has to have. */
function uniteTogether(there: readonly string[], more: readonly string[], note: NoteWriter): readonly string[] {
  if (there.length === 0 || more.length === 0) return [...there, ...more];
  if (!isEqual([...there].sort(), [...more].sort()))
    note(
      "left",
      `and_backend_roles: it becomes one mapping with another, which has ${there.join(", ")} there: who has ${more.join(", ")} does not get the role.`,
    );
  return there;
}

/** Puts an entry into the result, in canonical form, as one of the user's own. */
export function addEntry(
  gathered: Gathered,
  entry: DesiredResource,
  name: string,
  value: Fields,
  note: NoteWriter,
  outcome: ConversionOutcome = "converted",
): void {
  const { family } = entry;
  if (entry.serverOwned) note("changed", "It was marked as the server's own (reserved), and is an entry of yours now.");
  const entries = gathered.resources.get(family) ?? new Map<string, DesiredResource>();
  gathered.resources.set(family, entries);
  const { native: _, ...rest } = entry;
  entries.set(name, {
    ...rest,
    name,
    value: canonicaliseFields(value, factsOf[family].fields),
    serverOwned: false,
  });
  recordEntry(gathered, entry, outcome, name);
}

export function recordEntry(
  { entries }: Gathered,
  { family, name, origin }: Pick<ConvertedEntry, "family" | "name" | "origin">,
  outcome: ConversionOutcome,
  newName = name,
): void {
  entries.push({ family, name, origin, outcome, ...(newName !== name && { newName }) });
}
