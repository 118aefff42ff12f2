import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { licenseChild } from "../families/config.ts";
import { entryOf } from "../model/node.ts";
import type { Section } from "../model/repository.ts";

/** What a config declares and cannot mean. */
export function configChecks({ node }: Section, dialect: Dialect): readonly Diagnostic[] {
  const dynamic = entryOf(node, "dynamic")?.value;
  const [kibana, dashboard] = [entryOf(dynamic, "kibana"), entryOf(dynamic, "dashboard")];
  const license = entryOf(dynamic, licenseChild);
  const isSet = license?.value.kind === "scalar" && license.value.value !== null;
  return [
    ...(kibana && dashboard
      ? [
          diagnosticAt(dashboard.keyRange, "exclusive-fields", {
            what: "kibana and dashboard are two words for one thing, and both are declared.",
            why: `They go to the server as ${dialect.config.dashboard}, where only one of them can count.`,
            fix: "Keep one of the two.",
            related: [{ range: kibana.keyRange, what: "kibana stands here" }],
          }),
        ]
      : []),
    ...(license && isSet
      ? [
          diagnosticAt(
            license.keyRange,
            "unsupported-here",
            {
              what: "A license inside the config is not managed.",
              why: "It stays as it is on the server: only the license endpoint changes it.",
              fix: "Declare it by its own key: license: { text: ... }.",
            },
            "warning",
          ),
        ]
      : []),
  ];
}
