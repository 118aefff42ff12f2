import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { nearest } from "../diagnostics/suggest.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { nounOf } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import { entryOf, type Node } from "../model/node.ts";
import { all, either } from "./wording.ts";

/** A declared entry, wherever it comes from. */
export interface Declared {
  readonly family: ResourceFamily;
  readonly name: string;
  /** The name where it was declared. */
  readonly origin: SourceRange;
  readonly node: Node;
}

/**
 * What an entry lacks that servers ask for when it is written: a warning in a file, as a server may hold such an
 * entry, and an error where it would be written.
 */
export function incompleteness(
  { family, name, origin, node }: Declared,
  dialect: Dialect,
  severity: "warning" | "error",
): readonly Diagnostic[] {
  // What is no map, or has a field that is nearly the one that is missing, gets a message of its own.
  if (severity === "warning" && (!isMap(node, family) || hasNear(node, listsOf(family, dialect)))) return [];
  const subject = `The ${nounOf(family)} ${JSON.stringify(name)}`;
  if (family === "blocks") {
    const missing = ["type", "value", "verdict"].filter((field) => !isFilled(node, field));
    if (missing.length === 0) return [];
    const letter = {
      what: `${subject} has no ${either(missing)}.`,
      why: "A block that lacks one of these does nothing, or makes the server fail on its next reload.",
      fix: `Add ${all(missing)}.`,
    };
    return [diagnosticAt(origin, "incomplete-block", letter, severity)];
  }
  if (family === "role_mappings") {
    if (dialect.mappingLists.some((list) => isWritten(node, list))) return [];
    const lists = either(dialect.mappingLists);
    const letter = {
      what: `${subject} has none of ${lists}.`,
      why: "It maps nobody, and the server refuses it.",
      fix: `Add one of ${lists}; an empty list will do.`,
    };
    return [diagnosticAt(origin, "incomplete-mapping", letter, severity)];
  }
  if (family === "action_groups") {
    if (dialect.actionGroup.needsType && !isFilled(node, "type")) {
      const letter = {
        what: `${subject} has no type.`,
        why: `${dialect.product} ${dialect.release} refuses a group without one.`,
        fix: "Add type: cluster, index or kibana.",
      };
      return [diagnosticAt(origin, "incomplete-action-group", letter, severity)];
    }
    if (node.kind === "list" || isWritten(node, "allowed_actions")) return [];
    const letter = {
      what: `${subject} has no allowed_actions.`,
      why: "It stands for nothing, and the server refuses it.",
      fix: "Add allowed_actions; an empty list will do.",
    };
    return [diagnosticAt(origin, "incomplete-action-group", letter, severity)];
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
    node.entries.some(({ key }) => !fields.includes(key) && !lists.has(key) && nearest(key, fields))
  );
}

const sixWords: Readonly<Record<string, string>> = {
  backend_roles: "backendroles",
  and_backend_roles: "and_backendroles",
  allowed_actions: "permissions",
};

/** An empty list counts: it says that nobody is meant. */
function isWritten(node: Node, field: string): boolean {
  return entryOf(node, field) !== undefined || entryOf(node, sixWords[field] ?? field) !== undefined;
}

function isFilled(node: Node, field: string): boolean {
  const value = entryOf(node, field)?.value;
  if (value === undefined) return false;
  return value.kind === "scalar"
    ? value.value !== null && value.value !== ""
    : value.kind === "list" && value.items.length > 0;
}
