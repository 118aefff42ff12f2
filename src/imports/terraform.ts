// What `terraform show -json` prints, of a state or a plan: resources of the opensearch and elasticsearch providers.
import { type Fields, isEqual, isList, isObject, type Value } from "../json/value.ts";
import type { Family } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapNode, type Node, toValue } from "../model/node.ts";
import { addLeftOut, type ImportFindings, partialNote, quoteOrigin } from "./findings.ts";
import { readText } from "./node-text.ts";
import { addProviderUrls } from "./server-url.ts";
import { addSecretOutputs, addSecrets, holdsTrue, isNothing, listMarked } from "./terraform-secrets.ts";

export function isTerraformOutput(node: Node): node is MapNode {
  return readText(node, "format_version") !== undefined && findModule(node) !== undefined;
}

/** A state file itself: its format is Terraform's own, and changes. */
export function isTerraformState(node: Node): boolean {
  return readText(node, "terraform_version") !== undefined && readText(node, "lineage") !== undefined;
}

/** What is planned, where it is a plan. */
function findModule(node: Node): Node | undefined {
  for (const key of ["planned_values", "values"]) {
    const root = findMapEntry(findMapEntry(node, key)?.value, "root_module")?.value;
    if (root) return root;
  }
  return undefined;
}

export function takeTerraformOutput(output: MapNode, findings: ImportFindings): void {
  const before = findings.entries.length + findings.left.length;
  const root = findModule(output);
  if (root) takeModule(root, listUnapplied(output), findings);
  addProviderUrls(output, findings);
  addSecretOutputs(output, findings);
  for (const resource of itemsOf(output, "resource_changes")) {
    const actions = findMapEntry(findMapEntry(resource, "change")?.value, "actions")?.value;
    const isDeleted = actions && isEqual(toValue(actions), ["delete"]);
    if (isDeleted && typed.test(readText(resource, "type") ?? ""))
      addLeftOut(findings, readText(resource, "address") ?? "a resource", deleted, resource);
  }
  if (findings.entries.length + findings.left.length === before)
    addLeftOut(findings, "the output", "it has no resources", output);
}

const deleted = "the plan deletes it: until terraform apply has run, the server has it, and no file declares it";

function takeModule(module: Node, unapplied: Unapplied, findings: ImportFindings): void {
  for (const resource of itemsOf(module, "resources")) takeResource(resource, unapplied, findings);
  for (const child of itemsOf(module, "child_modules")) takeModule(child, unapplied, findings);
}

/** What a plan does not know before it is applied, by the address of the resource: the values of a plan do not have it. */
interface Unapplied {
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Resources that do not exist yet. */
  readonly created: ReadonlySet<string>;
}

function listUnapplied(output: Node): Unapplied {
  const attributes = new Map<string, readonly string[]>();
  const created = new Set<string>();
  for (const resource of itemsOf(output, "resource_changes")) {
    const address = readText(resource, "address") ?? "";
    const change = findMapEntry(resource, "change")?.value;
    const after = findMapEntry(change, "after_unknown")?.value;
    const names = after?.kind === "map" ? after.entries.filter(({ value }) => holdsTrue(toValue(value))) : [];
    attributes.set(
      address,
      names.map(({ key }) => key),
    );
    const actions = findMapEntry(change, "actions")?.value;
    if (actions && isEqual(toValue(actions), ["create"])) created.add(address);
  }
  return { attributes, created };
}

function itemsOf(node: Node, key: string): readonly Node[] {
  const list = findMapEntry(node, key)?.value;
  return list?.kind === "list" ? list.items : [];
}

/** What a resource is, without its provider; `opensearch_` and `opendistro_` are of the elasticsearch provider. */
const typed = /^(?:opensearch|elasticsearch)_(?:opensearch_|opendistro_)?(\w+)$/;

interface ResourceKind {
  readonly family: Family;
  /** The attribute that is the name of the entry. */
  readonly name: string;
  /** Attributes, and the fields that they are. */
  readonly fields: Readonly<Record<string, string>>;
  /** Attributes that say nothing of the entry. */
  readonly own?: readonly string[];
}

const same = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, name]));

const tenant: ResourceKind = {
  family: "tenants",
  name: "tenant_name",
  fields: same("description"),
  own: ["index"],
};

const kinds: Readonly<Record<string, ResourceKind>> = {
  role: {
    family: "roles",
    name: "role_name",
    fields: same("description cluster_permissions index_permissions tenant_permissions"),
  },
  roles_mapping: {
    family: "role_mappings",
    name: "role_name",
    fields: same("description users backend_roles hosts and_backend_roles"),
  },
  user: {
    family: "internal_users",
    name: "username",
    fields: { ...same("description backend_roles attributes"), password: "password", password_hash: "hash" },
  },
  dashboard_tenant: tenant,
  kibana_tenant: tenant,
};

/** Below `index_permissions`. */
const renamed: Readonly<Record<string, string>> = { document_level_security: "dls", field_level_security: "fls" };

function takeResource(resource: Node, unapplied: Unapplied, findings: ImportFindings): void {
  const [address = "a resource", mode, type = "?"] = ["address", "mode", "type"].map((key) => readText(resource, key));
  const [, rest = ""] = typed.exec(type) ?? [];
  const kind = Object.hasOwn(kinds, rest) ? kinds[rest] : undefined;
  const values = findMapEntry(resource, "values")?.value;
  if (values) addSecrets(resource, type, values, findings);
  const isDeposed = readText(resource, "deposed_key") !== undefined;
  const why = whyNot(mode, rest, kind);
  if (why !== undefined || !kind || values?.kind !== "map") {
    addLeftOut(findings, address, why ?? "it has no values", resource);
    return;
  }
  const name = readText(values, kind.name);
  const fields = Object.keys(kind.fields).filter((key) => !logins.has(key));
  const marked = listMarked(resource, values, [kind.name, ...fields]);
  if (isDeposed) {
    const shown = name === undefined || marked.includes(kind.name) ? "" : ` (${kind.family}/${name})`;
    addLeftOut(findings, `${address}${shown}`, deposed, resource);
    return;
  }
  if (marked.length > 0) {
    addLeftOut(findings, address, explainMarked(marked), resource);
    return;
  }
  if (name === undefined) {
    addLeftOut(findings, address, "its name is known after apply only", resource);
    return;
  }
  const unknown = (unapplied.attributes.get(address) ?? []).filter((key) => Object.hasOwn(kind.fields, key));
  const [login, ...others] = unknown.toSorted((a, b) => Number(logins.has(b)) - Number(logins.has(a)));
  const isLogin = login !== undefined && logins.has(login);
  const open = isLogin ? others : unknown;
  if (open.length > 0) {
    const why = `its ${open.join(", ")} will be known after terraform apply; import the state then`;
    addLeftOut(findings, address, why, resource);
    return;
  }
  const body = convertValues(kind, values, address, findings);
  findings.products.add("opensearch");
  findings.entries.push({
    family: kind.family,
    name,
    body: isLogin ? { ...body, [kind.fields[login] ?? login]: "known after apply" } : body,
    place: resource,
    origin: address,
  });
  if (!unapplied.created.has(address)) findings.letGo.push(quoteOrigin(address));
  findings.notes.add(partialNote);
  if (kind.family === "internal_users") findings.notes.add(usersNote);
}

/** Of neither the value is written. */
const logins = new Set(["password", "password_hash"]);

const usersNote =
  "Terraform's state has the SHA-256 of a password or hash, of which neither can be made: set the variables to the real ones. Its users have no security roles: each of its writes removes those.";

const deposed =
  "it is replaced already, and terraform state rm of its address lets go of it, too: then delete it in the cluster yourself, if it is still there and no file declares it";

function explainMarked(fields: readonly string[]): string {
  return `Terraform marks its ${fields.join(", ")} as sensitive: where that is no secret, wrap the value in nonsensitive(), apply, and import again`;
}

function whyNot(mode: string | undefined, rest: string, kind: ResourceKind | undefined): string | undefined {
  if (mode !== "managed") return "a data source declares nothing";
  if (kind) return undefined;
  if (/^xpack_/.test(rest)) return "it is of Elasticsearch's own security";
  return rest === "audit_config"
    ? "run gate-sync export --family audit, which writes it as the server has it"
    : "of Terraform's resources, import takes roles, role mappings, tenants and users";
}

function convertValues(
  { fields, name, own = [] }: ResourceKind,
  values: MapNode,
  address: string,
  findings: ImportFindings,
): Fields {
  const converted = values.entries.flatMap(({ key, keyRange, value }): [string, Value][] => {
    if (key === name || key === "id" || own.includes(key) || isNullNode(value)) return [];
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      addLeftOut(findings, `${address}: ${key}`, "no entry has such a field", keyRange);
      return [];
    }
    const plain = toValue(value);
    // A default that Terraform writes out, and an attribute that is not set.
    return isNothing(plain) ? [] : [[field, convertPermissions(plain)]];
  });
  return Object.fromEntries(converted);
}

function convertPermissions(value: Value): Value {
  if (!isList(value)) return value;
  return value.map((item) =>
    isObject(item)
      ? Object.fromEntries(
          Object.entries(item)
            .filter(([, inner]) => !isNothing(inner))
            .map(([key, inner]) => [renamed[key] ?? key, inner]),
        )
      : item,
  );
}
