// What a cluster holds as custom resources of the OpenSearch operator, with a list of what these cannot hold.
import type { Dialect } from "../../dialects/dialect.ts";
import { type OperatorFields, type OperatorKind, operatorKinds } from "../../dialects/operator.ts";
import { isInScope } from "../../families/scope.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { type Fields, isList, isObject, type Json, type Value } from "../../json/value.ts";
import { writeYaml } from "../../load/yaml.ts";
import type { LiveState } from "../../model/live.ts";
import { createAddress, type ResourceFamily } from "../../model/names.ts";
import { optInFamilies, type Policies } from "../../model/policy.ts";
import type { NewFile } from "../durable.ts";
import { buildWrittenEntry } from "./entries.ts";

export interface OperatorExport {
  readonly files: readonly NewFile[];
  /** `roles/hr: description`, in the order of the files. */
  readonly cannotHold: readonly string[];
}

const kinds: readonly (readonly [ResourceFamily, kind: string, OperatorKind | undefined])[] = [
  ["action_groups", "OpensearchActionGroup", operatorKinds.actiongroup],
  ["tenants", "OpensearchTenant", operatorKinds.tenant],
  ["roles", "OpensearchRole", operatorKinds.role],
  ["role_mappings", "OpensearchUserRoleBinding", operatorKinds.userrolebinding],
  ["internal_users", "OpensearchUser", operatorKinds.user],
];

/** Fields that the operator's resources lack, though those of others have them. */
const lacking: Readonly<Partial<Record<ResourceFamily, readonly string[]>>> = {
  roles: ["description"],
  role_mappings: ["hosts", "and_backend_roles"],
  internal_users: ["hash", "description"],
};

/** What the operator itself keeps among the attributes of a user. */
const attributesOfOperator: ReadonlySet<string> = new Set(["k8s-uid", "secret-version"]);

/** @param cluster name of the OpenSearchCluster that the resources refer to */
export function exportAsOperator(
  { resources }: LiveState,
  policies: Policies,
  dialect: Dialect,
  cluster: string,
): OperatorExport {
  const cannotHold: string[] = [];
  const files = kinds.flatMap(([family, kind, facts]): readonly NewFile[] => {
    const entries = [...(resources.get(family)?.values() ?? [])]
      .filter(({ ownership, name }) => ownership === "open" && isInScope(policies[family], name))
      .sort((a, b) => compareByCodeUnit(a.name, b.name));
    const taken = new Set<string>();
    const documents = entries.flatMap(({ name, value }) => {
      if (!facts) return [];
      const address = createAddress(family, name);
      const resource = facts.isBinding ? chooseFreeName(name, taken) : name;
      if (!isResourceName(resource)) {
        cannotHold.push(`${address}: the name, as Kubernetes takes lower case, digits, - and . only`);
        return [];
      }
      taken.add(resource);
      const written = buildWrittenEntry(family, value, dialect);
      const isUser = family === "internal_users";
      if (isUser) cannotHold.push(`${address}: its password, which goes into the Secret ${resource}-password`);
      const spec = convertFields(
        isUser ? withoutOperators(written) : written,
        facts.fields,
        lacking[family] ?? [],
        (field) => cannotHold.push(`${address}: ${field}`),
      );
      return [
        writeYaml({
          apiVersion: "opensearch.org/v1",
          kind,
          metadata: { name: resource },
          spec: {
            opensearchCluster: { name: cluster },
            ...(facts.isBinding && { roles: [name] }),
            ...(isUser && { passwordFrom: { name: `${resource}-password`, key: "password" } }),
            ...spec,
          },
        }),
      ];
    });
    return documents.length === 0 ? [] : [{ name: `${family}.yml`, text: documents.join("---\n") }];
  });
  const others = optInFamilies.filter((family) => family !== "internal_users" && dialect.collections[family]);
  const users = resources.has("internal_users")
    ? []
    : ["internal_users, which were not read: --family internal_users writes them, without passwords"];
  return { files, cannotHold: [...cannotHold, "config", ...users, ...others] };
}

function withoutOperators({ attributes, ...user }: Fields): Fields {
  if (!isObject(attributes)) return user;
  const kept = Object.entries(attributes).filter(([name]) => !attributesOfOperator.has(name));
  return { ...user, ...(kept.length > 0 && { attributes: Object.fromEntries(kept) }) };
}

/** @param leave is called for each field that has a value and no place */
function convertFields(
  fields: Fields,
  names: OperatorFields,
  without: readonly string[],
  leave: (field: string) => void,
): { readonly [key: string]: Json } {
  const known = new Map(Object.entries(names).map(([key, to]) => [typeof to === "string" ? to : to.name, { key, to }]));
  const converted = Object.entries(fields).flatMap(([field, value]): [string, Json][] => {
    if (isNothing(value)) return [];
    const found = without.includes(field) ? undefined : known.get(field);
    if (!found) {
      leave(field);
      return [];
    }
    const { key, to } = found;
    if (typeof to === "string" || !isList(value)) return [[key, value as Json]];
    const below = (inner: string) => leave(`${field}.${inner}`);
    return [[key, value.map((item) => (isObject(item) ? convertFields(item, to.element, [], below) : (item as Json)))]];
  });
  return Object.fromEntries(converted);
}

function isNothing(value: Value): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** DNS-1123, as the names of most resources. */
function isResourceName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name);
}

/** What a binding is called means nothing: the mapping is named in it. */
function chooseFreeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 200);
  const base = plain === "" ? "binding" : plain;
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}-${number}`;
  return free;
}
