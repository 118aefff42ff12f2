// Custom resources of Kubernetes operators for OpenSearch, and the same as lists in the values of their charts.
import { buildOpenSearchBuiltins } from "../dialects/builtin/opensearch.ts";
import { type OperatorFields, type OperatorKind, operatorKinds } from "../dialects/operator.ts";
import type { Fields, Value } from "../json/value.ts";
import { findMapEntry, isNullNode, type MapNode, type Node, toValue } from "../model/node.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";

export function findOperatorKind(kind: string): OperatorKind | undefined {
  const [, rest = ""] = /^opensearch(\w+)$/i.exec(kind) ?? [];
  const found = rest.toLowerCase();
  return Object.hasOwn(operatorKinds, found) ? operatorKinds[found] : undefined;
}

/** Takes the entry, or mappings, of one resource. */
export function takeOperatorResource(
  kind: OperatorKind,
  title: string,
  name: string,
  spec: MapNode,
  findings: ImportFindings,
): void {
  findings.products.add("opensearch");
  const body = convertFields(kind, spec, kind.fields, title, findings);
  if (kind.isBinding) takeBinding(title, spec, body, findings);
  else
    findings.entries.push({
      family: kind.family,
      name,
      body: withPassword(kind, name, spec, body, findings),
      place: spec,
    });
}

function takeBinding(title: string, spec: MapNode, body: Fields, findings: ImportFindings): void {
  const roles = findMapEntry(spec, "roles")?.value;
  const names = roles?.kind === "list" ? roles.items : [];
  if (names.length === 0) addLeftOut(findings, title, "it names no role", spec);
  for (const role of names) {
    if (role.kind !== "scalar" || isNullNode(role)) addLeftOut(findings, title, "a role in it is no name", role);
    else findings.entries.push({ family: "role_mappings", name: String(role.value), body, place: role, isPart: true });
  }
}

/** The operator adds to a mapping that the server has: what that holds is in no binding. Passwords are in none either. */
export function addOperatorNotes(findings: ImportFindings): void {
  const mappings = findings.entries.filter(({ isPart }) => isPart);
  const { roles, reservedRoles, openRoles } = buildOpenSearchBuiltins();
  const builtin = { ...roles, ...reservedRoles, ...openRoles };
  for (const { name, place } of mappings)
    if (Object.hasOwn(builtin, name)) addLeftOut(findings, `role_mappings/${name}`, builtinMembers, place);
  if (mappings.length > 0) findings.notes.add(bindingNote);
  if (findings.passwords.length > 0) findings.notes.add(`Passwords are in Secrets: ${findings.passwords.join(", ")}.`);
}

const builtinMembers = "other members, such as administrators, that the server has of a built-in role";

const bindingNote =
  "The operator only adds members to a mapping; gate-sync also removes those that its file lacks. Before you apply, take them into the files with gate-sync export --update.";

/** The password is in a Secret of the cluster: what is known is that there is one. */
function withPassword(
  { family }: OperatorKind,
  name: string,
  spec: MapNode,
  body: Fields,
  findings: ImportFindings,
): Fields {
  if (family !== "internal_users" || body.hash !== undefined) return body;
  const from = findMapEntry(spec, "passwordFrom")?.value;
  const [secret, key] = from
    ? [textOf(from, "name"), textOf(from, "key")]
    : [textOf(spec, "secretName"), textOf(spec, "secretKey")];
  findings.passwords.push(`${name} in ${secret ?? "?"} (key ${key ?? "?"})`);
  return { password: "in a Secret", ...body };
}

function convertFields(
  kind: OperatorKind,
  node: MapNode,
  names: OperatorFields,
  title: string,
  findings: ImportFindings,
): Fields {
  const fields = node.entries.flatMap(({ key, keyRange, value }): [string, Value][] => {
    const to = Object.hasOwn(names, key) ? names[key] : undefined;
    if (to === undefined) {
      if (!(names === kind.fields && kind.own.includes(key)))
        addLeftOut(findings, `${title}: ${key}`, "no entry has such a field", keyRange);
      return [];
    }
    if (typeof to === "string") return [[to, toValue(value)]];
    const items = value.kind === "list" ? value.items : [];
    const convert = (item: Node) =>
      item.kind === "map" ? convertFields(kind, item, to.element, title, findings) : toValue(item);
    return [[to.name, value.kind === "list" ? items.map(convert) : toValue(value)]];
  });
  return Object.fromEntries(fields);
}

function textOf(node: Node, key: string): string | undefined {
  const value = findMapEntry(node, key)?.value;
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}

/** Keys of charts whose items are resources, with a field that only such an item has. */
const charts: Readonly<Record<string, readonly [kind: string, field: RegExp]>> = {
  roles: ["role", /^(cluster|index|tenant)Permissions$/],
  users: ["user", /^(secretName|passwordFrom|opendistroSecurityRoles|backendRoles)$/],
  usersRoleBinding: ["userrolebinding", /^roles$/],
  actionGroups: ["actiongroup", /^allowedActions$/],
  tenants: ["tenant", /^description$/],
};

/** Takes the items of a list that a chart makes resources of; false where it is no such list. */
export function takeOperatorList(key: string, items: readonly Node[], findings: ImportFindings): boolean {
  const [name = "", field] = Object.hasOwn(charts, key) ? (charts[key] ?? []) : [];
  const kind = operatorKinds[name];
  const isItem = (item: Node): item is MapNode => item.kind === "map" && textOf(item, "name") !== undefined;
  if (!kind || !field || items.length === 0 || !items.every(isItem)) return false;
  if (!items.some((item) => item.kind === "map" && item.entries.some((entry) => field.test(entry.key)))) return false;
  for (const item of items) {
    const own = textOf(item, "name") ?? "";
    if (item.kind === "map") takeOperatorResource(kind, `${key} ${own}`, own, item, findings);
  }
  return true;
}
