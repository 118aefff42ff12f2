// Where the files of a target name their entries: where they declare them, lay something over them, or mention them.
import { copyPlace, type SourceRange } from "../diagnostics/source.ts";
import { isName } from "../families/mentions.ts";
import { Secret } from "../json/secret.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { Repository, StateDocument } from "../model/repository.ts";
import {
  listIndexPermissions,
  listTenantPermissions,
  listTextsUnder,
  listWrittenTexts,
  type WrittenText,
} from "../validate/written.ts";

export interface Occurrence {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly as: "entry" | "override" | "mention";
  readonly place: SourceRange;
}

/** Of all files, in the order of their documents. A mapping mentions the role whose name it has. */
export function listOccurrences({ documents }: Repository): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const document of documents) {
    for (const { family, entries } of document.sections) {
      if (!isResourceFamily(family)) continue;
      for (const { key: name, keyRange: place, value } of entries) {
        found.push({ family, name, as: "entry", place });
        if (family === "role_mappings") found.push({ family: "roles", name, as: "mention", place });
        addMentions(family, value, found);
      }
    }
    addOverrides(document, found);
    addExceptions(document, found);
  }
  return found;
}

function addOverrides({ overrides }: StateDocument, found: Occurrence[]): void {
  if (overrides?.kind !== "map") return;
  for (const { key: family, value } of overrides.entries) {
    if (!isResourceFamily(family) || value.kind !== "map") continue;
    for (const { key: name, keyRange: place } of value.entries) found.push({ family, name, as: "override", place });
  }
}

/** Roles that access tests name, as in `only: { roles: [hr] }`. */
function addExceptions({ accessTests }: StateDocument, found: Occurrence[]): void {
  if (accessTests?.kind !== "list") return;
  for (const test of accessTests.items) {
    const only = findMapEntry(test, "only")?.value;
    if (only) addNames("roles", listTextsUnder(only, "roles"), found);
  }
}

function addMentions(family: ResourceFamily, body: Node, found: Occurrence[]): void {
  const add = (to: "roles" | "action_groups" | "tenants", texts: readonly WrittenText[]): void =>
    addNames(to, texts, found);
  switch (family) {
    case "roles":
      add("action_groups", listTextsUnder(body, ...clusterFields));
      for (const { actions } of listIndexPermissions(body)) add("action_groups", actions);
      for (const { patterns, actions } of listTenantPermissions(body)) {
        add("tenants", patterns);
        add("action_groups", actions);
      }
      break;
    case "action_groups":
      add("action_groups", body.kind === "list" ? listWrittenTexts(body) : listTextsUnder(body, ...groupFields));
      break;
    case "internal_users":
      add("roles", listTextsUnder(body, "opendistro_security_roles", "search_guard_roles"));
      break;
    default:
  }
}

function addNames(
  family: "roles" | "action_groups" | "tenants",
  texts: readonly WrittenText[],
  found: Occurrence[],
): void {
  for (const text of texts) {
    const { value: name } = text;
    if (name instanceof Secret || !isName(name, family)) continue;
    found.push({ family, name, as: "mention", place: copyPlace(text) });
  }
}

const clusterFields = ["cluster_permissions", "cluster", "exclude_cluster_permissions"];
const groupFields = ["allowed_actions", "permissions"];

/** What is named at a place, the innermost first. */
export function findOccurrencesAt(all: readonly Occurrence[], offset: number): readonly Occurrence[] {
  return all
    .filter(({ place }) => place.start <= offset && offset <= place.end)
    .sort((a, b) => a.place.end - a.place.start - (b.place.end - b.place.start));
}

/**
 * Where it is decided what something named here is: of a mention or an override its entry, of a role its mapping. What a
 * template generates is decided by the template and the item.
 */
export function findDefinitions(all: readonly Occurrence[], { family, name, as }: Occurrence): readonly SourceRange[] {
  const entriesOf = (of: ResourceFamily) =>
    all.filter((one) => one.as === "entry" && one.family === of && one.name === name);
  const mappings = family === "roles" && as === "entry" ? entriesOf("role_mappings") : [];
  const entries =
    mappings.length > 0 ? mappings : entriesOf(family === "role_mappings" && as === "entry" ? "roles" : family);
  const found = entries.length > 0 ? entries : entriesOf(family);
  return found.flatMap(({ place }) => (place.generatedFor ? [place, place.generatedFor] : [place]));
}

/** Everywhere the same is named. A role and its mapping have one name. */
export function findSame(
  all: readonly Occurrence[],
  { family, name }: Pick<Occurrence, "family" | "name">,
): readonly Occurrence[] {
  const families = family === "roles" || family === "role_mappings" ? ["roles", "role_mappings"] : [family];
  return all.filter((one) => one.name === name && families.includes(one.family));
}
