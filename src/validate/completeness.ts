import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { findNearest } from "../diagnostics/suggest.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import { joinAllWithAnd, joinWithOr } from "./wording.ts";

/** A declared entry, wherever it comes from. */
export interface DeclaredFields {
  readonly family: ResourceFamily;
  readonly name: string;
  /** The name where it was declared. */
  readonly origin: SourceRange;
  readonly node: Node;
}

/**
 * What an entry lacks that servers ask for when it is written.
 *
 * @param isWritten in a file alone, other messages may say so
 */
export function findIncomplete(entry: DeclaredFields, dialect: Dialect, isWritten: boolean): readonly Diagnostic[] {
  const { family, node } = entry;
  const found = findMissing(entry, dialect);
  if (found.length === 0 || isWritten) return found;
  // What is no map, or has a field that is nearly the one that is missing, gets a message of its own.
  return !isMap(node, family) || hasNear(node, listsOf(family, dialect)) ? [] : found;
}

function findMissing({ family, name, origin, node }: DeclaredFields, dialect: Dialect): readonly Diagnostic[] {
  const subject = `The ${getNoun(family)} ${JSON.stringify(name)}`;
  if (family === "blocks") {
    const missing = ["type", "value", "verdict"].filter((field) => !isFilled(node, field));
    if (missing.length === 0) return [];
    const userMessage = {
      what: `${subject} has no ${joinWithOr(missing)}.`,
      why: "A block that lacks one of these does nothing, or makes the server fail on its next reload.",
      fix: `Add ${joinAllWithAnd(missing)}.`,
    };
    return [createDiagnostic(origin, "incomplete-block", userMessage)];
  }
  if (family === "role_mappings") {
    if (dialect.mappingLists.some((list) => isWritten(node, list))) return [];
    const lists = joinWithOr(dialect.mappingLists);
    const userMessage = {
      what: `${subject} has none of ${lists}.`,
      why: "It has no members, and the server refuses it.",
      fix: `Add one of ${lists}; an empty list will do.`,
    };
    return [createDiagnostic(origin, "incomplete-mapping", userMessage)];
  }
  if (family === "action_groups") {
    if (dialect.actionGroup.needsType && !isFilled(node, "type")) {
      const userMessage = {
        what: `${subject} has no type.`,
        why: `${dialect.product} ${dialect.release} refuses a group without one.`,
        fix: "Add type: cluster, index or kibana.",
      };
      return [createDiagnostic(origin, "incomplete-action-group", userMessage)];
    }
    if (node.kind === "list" || isWritten(node, "allowed_actions")) return [];
    const userMessage = {
      what: `${subject} has no allowed_actions.`,
      why: "It has no permissions, and the server refuses it.",
      fix: "Add allowed_actions; an empty list will do.",
    };
    return [createDiagnostic(origin, "incomplete-action-group", userMessage)];
  }
  return [];
}

/** A map, or the list that an action group was; null counts as empty. */
function isMap(node: Node, family: ResourceFamily): boolean {
  if (node.kind === "list") return family === "action_groups";
  return node.kind === "map" || node.value === null;
}

function listsOf(family: ResourceFamily, { mappingLists }: Dialect): readonly string[] {
  return family === "role_mappings" ? mappingLists : family === "action_groups" ? ["allowed_actions"] : [];
}

/** A product may not know one of them, which has a message of its own as well. */
const lists = new Set([
  "backend_roles",
  "and_backend_roles",
  "backendroles",
  "and_backendroles",
  "hosts",
  "users",
  "ips",
]);

function hasNear(node: Node, fields: readonly string[]): boolean {
  return (
    node.kind === "map" &&
    node.entries.some(({ key }) => !fields.includes(key) && !lists.has(key) && findNearest(key, fields))
  );
}

const sixWords: Readonly<Record<string, string>> = {
  backend_roles: "backendroles",
  and_backend_roles: "and_backendroles",
  allowed_actions: "permissions",
};

/** An empty list counts: it declares that there is no member. */
function isWritten(node: Node, field: string): boolean {
  return findMapEntry(node, field) !== undefined || findMapEntry(node, sixWords[field] ?? field) !== undefined;
}

function isFilled(node: Node, field: string): boolean {
  const value = findMapEntry(node, field)?.value;
  if (value === undefined) return false;
  return value.kind === "scalar"
    ? value.value !== null && value.value !== ""
    : value.kind === "list" && value.items.length > 0;
}
