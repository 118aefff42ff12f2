import type { UnknownCondition } from "../../model/access.ts";

/** The key by which programs know what a permission of an index depends on. */
const fields: Readonly<Record<"types" | "alias" | "data-stream", string>> = {
  types: "document_types",
  alias: "alias_permissions",
  "data-stream": "data_stream_permissions",
};

/** `role hr_reader`, `${user_name}`, `blocks`, `document_types`. */
export function formatConditionName(condition: UnknownCondition): string {
  switch (condition.kind) {
    case "role":
      return `role ${condition.role}`;
    case "pattern":
      return condition.pattern;
    case "blocks":
    case "indices":
      return condition.kind;
    default:
      return fields[condition.kind];
  }
}

/** `role hr_reader, ${user_name}`. */
export function formatConditionNames(conditions: readonly UnknownCondition[]): string {
  return conditions.map(formatConditionName).join(", ");
}

/** Each once, sorted by name. */
export function sortConditions(conditions: readonly UnknownCondition[]): readonly UnknownCondition[] {
  const byName = new Map(conditions.map((condition) => [formatConditionName(condition), condition]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, condition]) => condition);
}
