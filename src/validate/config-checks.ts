import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getConfigFields, isFormer, isKnownSomewhere } from "../dialects/config-fields.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type ConfigPlace, getPlaceBelow, isObserved, licenseChild } from "../families/config.ts";
import { findMapEntry, type MapEntry, type Node } from "../model/node.ts";
import type { Policies } from "../model/policy.ts";
import type { Section } from "../model/repository.ts";
import { joinWithOr } from "./wording.ts";

/** What a target says that matters to checks of values. */
export interface ValueOptions {
  readonly families?: Policies;
  readonly acceptFields?: readonly string[];
}

/** What a config declares and cannot mean. */
export function checkConfig(section: Section, dialect: Dialect, options: ValueOptions): readonly Diagnostic[] {
  const { node } = section;
  const dynamic = findMapEntry(node, "dynamic")?.value;
  const [kibana, dashboard] = [findMapEntry(dynamic, "kibana"), findMapEntry(dynamic, "dashboard")];
  const license = findMapEntry(dynamic, licenseChild);
  const isSet = license?.value.kind === "scalar" && license.value.value !== null;
  return [
    ...(kibana && dashboard
      ? [
          createDiagnostic(dashboard.keyRange, "exclusive-fields", {
            what: "kibana and dashboard are two words for one thing, and both are declared.",
            why: `They go to the server as ${dialect.config.dashboard}, where only one of them can count.`,
            fix: "Keep one of the two.",
            related: [{ range: kibana.keyRange, what: "kibana is here" }],
          }),
        ]
      : []),
    ...(license && isSet
      ? [
          createDiagnostic(
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
    ...refusedFields(section, dialect, options),
  ];
}

/** Fields that some release has, and this one refuses: an error where the config is to be written. */
function refusedFields(section: Section, dialect: Dialect, options: ValueOptions): readonly Diagnostic[] {
  const known = getConfigFields(dialect);
  const dynamic = findMapEntry(section.node, "dynamic")?.value;
  if (known === undefined || dynamic === undefined) return [];
  const accepted = new Set(options.acceptFields);
  const isCompared = isObserved(section, options.families);
  return unknownBelow(dynamic, { kind: "object", fields: known })
    .filter(({ key }) => isFormer(dialect, key) || (isKnownSomewhere(key) && !accepted.has(key)))
    .map(({ key, keyRange, siblings }) => {
      const isLeftOut = isFormer(dialect, key);
      return createDiagnostic(
        keyRange,
        "unsupported-here",
        {
          what: `${dialect.product} ${dialect.release} has no ${JSON.stringify(key)} here.`,
          why: isLeftOut
            ? "Later builds of Search Guard 7 have it, and this release has not: it is left out of what is compared and sent."
            : isCompared
              ? "The server would refuse the whole config; gate-sync only compares it."
              : "The server would refuse the whole config.",
          fix: isLeftOut
            ? "Remove it."
            : key === "enabled"
              ? "Write http_enabled."
              : `Remove it. Known here: ${joinWithOr(siblings)}. What only a newer server knows is admitted by accept_fields of the target.`,
        },
        isCompared || isLeftOut ? "warning" : "error",
      );
    });
}

interface UnknownField extends MapEntry {
  readonly siblings: readonly string[];
}

function unknownBelow(node: Node, place: ConfigPlace): readonly UnknownField[] {
  if (node.kind !== "map" || (place.kind !== "object" && place.kind !== "named")) return [];
  return node.entries.flatMap((entry) => {
    // `gate` says dashboard where real servers say kibana.
    const inside = getPlaceBelow(place, entry.key === "dashboard" ? "kibana" : entry.key);
    if (inside) return unknownBelow(entry.value, inside);
    return [{ ...entry, siblings: place.kind === "object" ? Object.keys(place.fields) : [] }];
  });
}
