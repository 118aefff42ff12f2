// A desired state of one product as one of another, on its way: `names.ts` finds what each entry is called there,
// `entries.ts` converts each by what is said in `roles.ts`, `mappings.ts`, `actions.ts` and `patterns.ts`, `config.ts` the
// config; what the source only comes with, and the other product does not, is added here.
import { createGroupExpander } from "../access/model/groups.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type Fields, isObject, listTexts, listValues } from "../json/value.ts";
import type { ConversionNote, ConvertedEntry } from "../model/conversion.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import { convertConfig } from "./config.ts";
import { addEntry, convertFamily, type Gathered, placeMapping, recordEntry } from "./entries.ts";
import { openSide } from "./equivalents.ts";
import { convertMapping } from "./mappings.ts";
import { createNewNames, type NewName } from "./names.ts";
import { convertRole } from "./roles.ts";
import { listRenamedTenants } from "./tenants.ts";
import type { FindNewName } from "./tests.ts";
import { type Converting, createNoteWriter, getProductTitle } from "./writing.ts";

export interface ConvertedState {
  readonly desired: DesiredState;
  /** What became of each entry of the source. */
  readonly entries: readonly ConvertedEntry[];
  readonly notes: readonly ConversionNote[];
  readonly findName: FindNewName;
  readonly findTenant: (name: string) => NewName;
}

/** @param isExact built-in entries that grant more than those of the source are written out instead */
export function convertState(
  desired: DesiredState,
  from: Dialect,
  to: Dialect,
  { isExact }: { readonly isExact: boolean },
): ConvertedState {
  const context = createContext(desired, from, to, isExact);
  const gathered: Gathered = { resources: new Map(), entries: [], notes: [] };
  // Mappings first: they are what built-in roles are written out for.
  for (const family of familyOrder) {
    const declared = desired.resources.get(family);
    if (declared) convertFamily(family, declared.values(), context, gathered);
    if (declared && family === "role_mappings") addBuiltinMappings(declared, context, gathered);
  }
  addWrittenRoles(desired, context, gathered);
  addNamedTenants(context, gathered);
  return {
    desired: {
      resources: gathered.resources,
      ...convertConfigOf(desired, context, gathered),
      ...convertLicense(desired, context, gathered),
    },
    entries: gathered.entries,
    notes: gathered.notes,
    findName: (family, name) => context.names.find(family, name).name,
    findTenant: (name) => context.names.find("tenants", name),
  };
}

const familiesBefore: readonly ResourceFamily[] = ["tenants", "action_groups", "internal_users", "role_mappings"];
const familyOrder = [...familiesBefore, ...resourceFamilies.filter((family) => !familiesBefore.includes(family))];

function createContext(desired: DesiredState, from: Dialect, to: Dialect, isExact: boolean): Converting {
  const { resources } = desired;
  const [source, target] = [openSide(from), openSide(to)];
  const declared = [...(resources.get("action_groups") ?? [])].map(([name, { value }]): [string, Fields] => [
    name,
    value,
  ]);
  const groups = new Map([...source.builtin.action_groups, ...declared]);
  const sides = { from: source, to: target, expand: createGroupExpander(groups, source.semantics), isExact };
  const roles = resources.get("roles");
  const ofUsers = new Set(
    [...(resources.get("internal_users")?.values() ?? [])].flatMap(({ value }) =>
      listTexts(value[from.internalUsers?.roles ?? ""]),
    ),
  );
  const mappings = resources.get("role_mappings") ?? source.builtin.role_mappings;
  const names = createNewNames(desired, sides);
  return {
    ...sides,
    names,
    renamedTenants: listRenamedTenants(resources.get("tenants")?.keys() ?? [], (name) => names.find("tenants", name)),
    groups,
    isRoleMissing: (name) => roles !== undefined && !roles.has(name) && !source.builtin.roles.has(name),
    isGiven: (name) => mappings.has(name) || ofUsers.has(name),
    here: getProductTitle(source),
    there: getProductTitle(target),
  };
}

/** A server of the source has these whatever is declared, as no request can delete them. */
function addBuiltinMappings(
  declared: ReadonlyMap<string, DesiredResource>,
  context: Converting,
  gathered: Gathered,
): void {
  const { names, from, to, here } = context;
  const [first] = declared.values();
  for (const [name, value] of from.builtin.role_mappings) {
    if (!first || declared.has(name)) continue;
    const entry: DesiredResource = { ...first, name, value, serverOwned: false };
    const note = createNoteWriter(gathered.notes, entry);
    const role = names.findRole(name, first.origin);
    if (to.builtin.role_mappings.has(role.name)) continue;
    note(
      "changed",
      `It is not declared: ${here} comes with it, so that it is written out. Take it out if it is not meant.`,
    );
    placeMapping(entry, role.name, convertMapping(value, context, note), context, gathered, note, "written-out");
  }
}

function addWrittenRoles({ resources }: DesiredState, context: Converting, gathered: Gathered): void {
  const { names, from, here, there } = context;
  const [first] = resources.get("role_mappings")?.values() ?? [];
  for (const [name, { name: newName, origin }] of names.writtenOut) {
    const value = from.builtin.roles.get(name);
    if (!first || !value) continue;
    const entry: DesiredResource = { ...first, family: "roles", name, value, origin, serverOwned: false };
    const note = createNoteWriter(gathered.notes, entry);
    if (!resources.has("roles")) {
      note(
        "left",
        `${here} comes with the role ${name}, ${there} has none that grants all of it, and no roles are declared.`,
      );
      recordEntry(gathered, entry, "left", newName);
      continue;
    }
    note("changed", `${here} comes with it; it is written out, as ${there} has no role that grants all of it.`);
    addEntry(gathered, entry, newName, convertRole(name, value, context, note), note, "written-out");
  }
}

/** Where tenants are granted by plain names, there are none that could be declared. */
function addNamedTenants({ from, to, here, there }: Converting, gathered: Gathered): void {
  if (!from.semantics.tenantsAreNames || to.semantics.tenantsAreNames) return;
  const roles = [...(gathered.resources.get("roles")?.values() ?? [])];
  for (const role of roles) {
    for (const name of listNamedTenants(role.value)) {
      const isThere = to.builtin.tenants.has(name) || gathered.resources.get("tenants")?.has(name);
      if (isThere) continue;
      const entry: DesiredResource = { ...role, family: "tenants", name, value: {}, serverOwned: false };
      const note = createNoteWriter(gathered.notes, entry);
      note(
        "changed",
        `${here} has a tenant wherever a role names it: it is written out, as ${there} wants it declared.`,
      );
      addEntry(gathered, entry, name, {}, note, "written-out");
    }
  }
}

function listNamedTenants({ tenant_permissions: elements }: Fields): readonly string[] {
  return listValues(elements)
    .filter(isObject)
    .flatMap((one) => listTexts(one.tenant_patterns));
}

function convertConfigOf({ config }: DesiredState, context: Converting, gathered: Gathered) {
  if (!config) return {};
  const entry = { family: "config", name: "config", origin: config.origin } as const;
  const value = convertConfig(config.value, context, createNoteWriter(gathered.notes, entry));
  recordEntry(gathered, entry, value ? "converted" : "left");
  return value ? { config: { ...config, value } } : {};
}

/** A license is for one product. */
function convertLicense({ license }: DesiredState, { from, to, there }: Converting, gathered: Gathered) {
  if (!license) return {};
  const entry = { family: "license", name: "license", origin: license.origin } as const;
  const isKept = to.dialect.license !== undefined && from.dialect.product === to.dialect.product;
  if (!isKept) createNoteWriter(gathered.notes, entry)("left", `${there} takes no license of another product.`);
  recordEntry(gathered, entry, isKept ? "converted" : "left");
  return isKept ? { license } : {};
}
