import { serverFields } from "../../dialects/codec.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import type { Secret } from "../../json/secret.ts";
import type { Json } from "../../json/value.ts";
import { escapeReferences } from "../../load/reference-text.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import { type Address, createAddress, type Family, type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import { findMapEntry, type MapEntry, type Node, toValue } from "../../model/node.ts";
import type { RenderedDocument, RenderedEntry, RenderedOverride } from "../../model/rendered-state.ts";
import type { Repository } from "../../model/repository.ts";
import { buildWrittenEntry, writeReferences } from "./entries.ts";
import type { SecretReferences } from "./references.ts";

type OverriddenFields = ReadonlyMap<Address, readonly RenderedOverride[]>;

/** A desired state as documents of state files that declare just that. */
export function exportDesired(
  { resources, config, license }: DesiredState,
  dialect: Dialect,
  overridden: OverriddenFields,
  { refer }: SecretReferences,
): readonly RenderedDocument[] {
  const header = headerOf[dialect.product];
  const single = (
    family: Family,
    value: Json,
    { origin, native = false }: Pick<DesiredResource, "origin" | "native">,
  ) =>
    ({
      key: family,
      ...(native && { header }),
      entries: [{ value, origin, overrides: overridden.get(family) ?? [] }],
    }) satisfies RenderedDocument;
  return [
    ...resourceFamilies.flatMap((family): readonly RenderedDocument[] => {
      const declared = resources.get(family);
      if (!declared) return [];
      const entries = [...declared.values()].sort((a, b) => compareByCodeUnit(a.name, b.name));
      const [native, own] = [true, false].map((is) =>
        entries
          .filter((one) => (one.native === true) === is)
          .map((one) => exportEntry(family, one, dialect, overridden, refer)),
      ) as [RenderedEntry[], RenderedEntry[]];
      return [
        ...(own.length > 0 || native.length === 0 ? [{ key: family, entries: own }] : []),
        ...(native.length > 0 ? [{ key: family, header, entries: native }] : []),
      ];
    }),
    ...(config
      ? [
          single(
            "config",
            writeReferences(config.value, [], (path, secret) => refer(path.slice(1), secret)),
            config,
          ),
        ]
      : []),
    ...(license ? [single("license", exportLicense(license.text, license.writeAlways, refer), license)] : []),
  ];
}

/** As the tools of each product write it: by it the product is known again where the target does not state one. */
const headerOf = { opensearch: "_meta", "search-guard": "_sg_meta", gate: "_gate_meta" } as const;

function exportEntry(
  family: ResourceFamily,
  { name, value, node, origin, serverOwned }: DesiredResource,
  dialect: Dialect,
  overridden: OverriddenFields,
  refer: SecretReferences["refer"],
): RenderedEntry {
  const flags = serverOwned ? listFlags(node) : [];
  const complete = {
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...buildWrittenEntry(family, value, dialect),
  };
  return {
    name,
    value: writeReferences(complete, [family, name], refer),
    origin,
    overrides: overridden.get(createAddress(family, name)) ?? [],
  };
}

/** What says that an entry is the server's own. */
function listFlags(node: Node): readonly string[] {
  return [...serverFields].filter((flag) => {
    const value = findMapEntry(node, flag)?.value;
    return value !== undefined && toValue(value) === true;
  });
}

/** One that is in a file of its own is read by the field that is for that. */
function exportLicense(text: Secret, writesAlways: boolean, refer: SecretReferences["refer"]): Json {
  const reference = refer(["license"], text);
  const [, file] = /^\$\{file:(.*)\}$/s.exec(reference) ?? [];
  return {
    ...(file === undefined ? { text: reference } : { file: escapeReferences(file) }),
    ...(writesAlways && { write: "always" }),
  };
}

/** What state files hold beside entries, as it is written there. */
export function exportOthers({ documents }: Repository): readonly RenderedDocument[] {
  const items = (node: Node | undefined) => (node?.kind === "list" ? node.items : []);
  const personas = documents.flatMap(({ personas: node }) => (node?.kind === "map" ? node.entries : []));
  const others = [
    { key: "personas", entries: personas.map(exportPersona) },
    { key: "access_tests", entries: documents.flatMap(({ accessTests }) => items(accessTests)).map(exportItem) },
    { key: "waivers", entries: documents.flatMap(({ waivers }) => items(waivers)).map(exportItem) },
  ] as const;
  return others.filter(({ entries }) => entries.length > 0);
}

function exportPersona({ key, keyRange, value }: MapEntry): RenderedEntry {
  return { name: key, value: writeWritten(value), origin: keyRange, overrides: [] };
}

function exportItem(node: Node): RenderedEntry {
  const origin = node.kind === "map" ? (node.entries[0]?.keyRange ?? node) : node;
  return { value: writeWritten(node), origin, overrides: [] };
}

/** No secret is allowed there. */
function writeWritten(node: Node): Json {
  return writeReferences(toValue(node), [], (_, { reference }) => reference);
}
