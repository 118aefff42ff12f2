import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getNoun } from "../families/index.ts";
import type { DesiredResource } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import { isNullNode } from "../model/node.ts";
import { findIncomplete } from "./completeness.ts";
import { findLongTexts } from "./holds.ts";
import { findLostName } from "./lost-name.ts";
import { findRefusals, type WriteChecks } from "./refusals.ts";
import { findRoleQueryFaults } from "./role-checks.ts";

/**
 * What is only odd beside a server is an error where it would be written: a server may hold an incomplete entry, but
 * refuses to be given one, and a query that none can run.
 */
export function validateWrites(writes: WriteChecks): readonly Diagnostic[] {
  const { changes, desired, dialect } = writes;
  return changes.flatMap(({ family, name, action }) => {
    if (!isResourceFamily(family) || (action !== "create" && action !== "update")) return [];
    const declared = desired.resources.get(family)?.get(name);
    if (!declared) return [];
    const emptied = action === "update" && isNullNode(declared.node) ? [emptiedByNull(declared)] : [];
    const faults = family === "roles" ? findRoleQueryFaults(declared.node, dialect) : [];
    const { origin, node } = declared;
    return [
      ...emptied,
      ...findLostName(declared, dialect),
      ...findIncomplete(declared, dialect, true),
      ...faults,
      ...findLongTexts({ key: name, keyRange: origin, value: node }, dialect, "error"),
      ...findRefusals(declared, writes),
    ];
  });
}

/** A file that was cut off ends so, and an entry whose fields were indented too little looks so. */
function emptiedByNull({ family, name, origin }: DesiredResource): Diagnostic {
  return createDiagnostic(
    origin,
    "null-entry",
    {
      what: `The ${getNoun(family)} ${JSON.stringify(name)} is null, and the server has it with fields.`,
      why: "All its fields would be taken away; a file that was cut off looks just like this.",
      fix: "Write {} if that is meant, or write its fields below it, indented.",
    },
    "error",
  );
}
