import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { mayBeSecret } from "../families/config.ts";
import { Secret } from "../json/secret.ts";
import { isResourceFamily } from "../model/names.ts";
import type { Node, ScalarNode } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { keptOnServer } from "./reference-text.ts";

/** Secrets in fields that hold none: the server would store them in clear, and show them to whoever may read its API. */
export function misplacedSecrets({ sections }: StateDocument): readonly ScalarNode[] {
  const seen = new Set<Node>();
  const found: ScalarNode[] = [];
  const visit = (node: Node, keys: readonly string[], mayHold: (keys: readonly string[]) => boolean): void => {
    if (node.kind === "scalar") {
      if (!(node.value instanceof Secret) || node.value.reference === keptOnServer || mayHold(keys)) return;
      // Aliases share nodes.
      if (!seen.has(node)) found.push(node);
      seen.add(node);
    } else if (node.kind === "list") for (const item of node.items) visit(item, keys, mayHold);
    else for (const { key, value } of node.entries) visit(value, [...keys, key], mayHold);
  };
  for (const { family, node } of sections) {
    if (family !== "license")
      visit(node, [], isResourceFamily(family) ? () => false : (keys) => keys.some(mayBeSecret));
  }
  return found;
}

export function misplaced(node: ScalarNode): Diagnostic {
  const [first = ""] = node.value instanceof Secret ? node.value.reference.split(" ") : [];
  const at = node.file.text.indexOf(first, node.start);
  const range: SourceRange = at === -1 || at >= node.end ? node : { ...node, start: at, end: at + first.length };
  return diagnosticAt(range, "misplaced-secret", {
    what: `${first} is a secret, and this field holds none.`,
    why: "The server would store its value in clear, and show it.",
    fix:
      "For a public value write $" +
      "{var:NAME}: its value comes from vars in gate-sync.yaml, or from --var NAME=VALUE.",
  });
}
