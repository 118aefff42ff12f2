// Custom resources of Kubernetes operators for OpenSearch, and the same as lists in the values of their charts.
import { buildOpenSearchBuiltins } from "../dialects/builtin/opensearch.ts";
import { type OperatorFields, type OperatorKind, operatorKinds } from "../dialects/operator.ts";
import { type Fields, isObject, type Value } from "../json/value.ts";
import type { LeftOutPart } from "../model/import-account.ts";
import type { Family } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapNode, type Node, toValue } from "../model/node.ts";
import { addLeftOut, type ImportFindings, type PlacedPassword } from "./findings.ts";
import { addPasswordSecrets } from "./operator-secrets.ts";

export function findOperatorKind(kind: string): OperatorKind | undefined {
  const [, rest = ""] = /^opensearch(\w+)$/i.exec(kind) ?? [];
  const found = rest.toLowerCase();
  return Object.hasOwn(operatorKinds, found) ? operatorKinds[found] : undefined;
}

interface OperatorResource {
  readonly name: string;
  readonly title: string;
  readonly spec: MapNode;
  /** Where the resource is of a cluster of Kubernetes. */
  readonly uid?: string;
}

/** Takes the entry, or mappings, of one resource. */
export function takeOperatorResource(kind: OperatorKind, resource: OperatorResource, findings: ImportFindings): void {
  const { name, title, spec } = resource;
  findings.products.add("opensearch");
  const body = convertFields(kind, spec, kind.fields, title, findings);
  if (kind.isBinding) takeBinding(title, spec, body, findings);
  else if (kind.family === "internal_users") takeUser(resource, body, findings);
  else findings.entries.push({ family: kind.family, name, body, place: spec });
}

function takeUser({ name, spec, uid }: OperatorResource, body: Fields, findings: ImportFindings): void {
  const { attributes = {} } = body;
  // The operator writes it to each user, and refuses to touch a user without it: files agree with the cluster.
  const stamped = uid !== undefined && isObject(attributes) ? { attributes: { ...attributes, "k8s-uid": uid } } : {};
  const { secret, key } = notePassword(spec, findings);
  findings.entries.push({
    family: "internal_users",
    name,
    // The password is in a Secret: what is known is that there is one.
    body: { ...(body.hash === undefined && { password: "in a Secret" }), ...body, ...stamped },
    place: spec,
    ...(body.hash === undefined && { passwordFrom: `Secret ${secret}, key ${key}` }),
  });
}

/** Its password is a secret all the same, and bindings of it may be taken. */
export function addLeftResource(
  kind: OperatorKind,
  { name, title, spec }: OperatorResource,
  { why, place }: Pick<LeftOutPart, "why" | "place">,
  findings: ImportFindings,
): void {
  if (kind.family === "internal_users") notePassword(spec, findings);
  addLeftOut(findings, title, why, place);
  const part = findings.left.at(-1);
  if (kind.family === "roles" && part) findings.leftRoles.set(part, name);
}

/** The files alone do not tell a role that was left from one that the server has. */
function nameTakenMappings({ entries, left, leftRoles }: ImportFindings): void {
  const isTaken = (family: Family, name: string) =>
    entries.some((entry) => entry.family === family && entry.name === name);
  for (const [part, name] of leftRoles) {
    const at = left.indexOf(part);
    if (at !== -1 && isTaken("role_mappings", name) && !isTaken("roles", name))
      left[at] = { ...part, why: `${part.why}; its mapping is taken` };
  }
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

/** The operator adds to a mapping that the server has: what that holds is in no binding. */
export function settleOperatorResources(findings: ImportFindings): void {
  const mappings = findings.entries.filter(({ isPart }) => isPart);
  const { roles, reservedRoles, openRoles } = buildOpenSearchBuiltins("3");
  const builtin = { ...roles, ...reservedRoles, ...openRoles };
  for (const { name, place } of mappings)
    if (Object.hasOwn(builtin, name)) addLeftOut(findings, `role_mappings/${name}`, builtinMembers, place);
  if (mappings.length > 0) findings.notes.add(bindingNote);
  addPasswordSecrets(findings);
  nameTakenMappings(findings);
}

const builtinMembers = "other members, such as administrators, that the server has of a built-in role";

const bindingNote = "The operator only adds members to a mapping; gate-sync also removes those that its file lacks.";

function notePassword(spec: MapNode, findings: ImportFindings): PlacedPassword {
  const from = findMapEntry(spec, "passwordFrom")?.value;
  const [secret = "?", key = "?"] = from
    ? [textOf(from, "name"), textOf(from, "key")]
    : [textOf(spec, "secretName"), textOf(spec, "secretKey")];
  findings.passwords.push({ secret, key });
  return { secret, key };
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
    if (item.kind === "map") takeOperatorResource(kind, { name: own, title: `${key} ${own}`, spec: item }, findings);
  }
  return true;
}
