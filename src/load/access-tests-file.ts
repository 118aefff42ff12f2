import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { isHeader } from "./header.ts";

/** `hr.access-test.yaml`: it holds access tests and nothing else. */
export function isAccessTestsFile(path: string): boolean {
  return /\.access-tests?\.(ya?ml|json)$/i.test(path);
}

/** The tests of such a file, as a list or under their key: found beside state, it must not declare any by accident. */
export function readAccessTestsDocument(
  file: SourceFile,
  root: Node,
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  const whole = { file, form: "by-family", sections: [] } as const;
  if (root.kind !== "map") {
    const keyRange = { file, start: root.start, end: root.start };
    // As if the key stood above it: one shape for both forms.
    const keyed = { ...root, kind: "map", entries: [{ key: "access_tests", keyRange, value: root }] } as const;
    return { document: { ...whole, root: keyed, accessTests: root }, diagnostics: [] };
  }
  const others = root.entries.filter((entry) => entry.key !== "access_tests" && !isHeader(entry));
  const tests = root.entries.find(({ key }) => key === "access_tests")?.value;
  const kept = { ...root, entries: root.entries.filter((entry) => !others.includes(entry)) };
  return {
    document: { ...whole, root: kept, ...(tests && { accessTests: tests }) },
    diagnostics: others.map(({ key, keyRange }) =>
      createDiagnostic(keyRange, "unknown-field", {
        what: `${JSON.stringify(key)} has no place in a file of access tests.`,
        why: "By its name such a file holds tests and nothing else: what it declares would be overlooked.",
        fix: "Move it to a state file. This file holds a list of tests, or access_tests:, and nothing else.",
      }),
    ),
  };
}
