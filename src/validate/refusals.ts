// What the product would refuse, or lose, of what is about to be written.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { listMentions } from "../families/mentions.ts";
import { memoiseByObject } from "../json/memoise.ts";
import { isList, listTexts, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import { isHidden, isNeverCreated } from "./ownership.ts";
import { findWrittenPlace } from "./written.ts";

/** Everything that a check of one write needs. */
export interface WriteChecks {
  readonly changes: readonly Change[];
  readonly desired: DesiredState;
  /** All that the files declare, where `desired` is only the families of this run. */
  readonly declared?: DesiredState;
  readonly live: LiveState;
  readonly dialect: Dialect;
}

/** By the name of the role. */
const actionsOnRoles = memoiseByObject(
  (changes: readonly Change[]) =>
    new Map(changes.flatMap(({ family, name, action }) => (family === "roles" ? [[name, action] as const] : []))),
);

export function findRefusals(declared: DesiredResource, writes: WriteChecks): readonly Diagnostic[] {
  return [
    ...lostFields(declared, writes),
    ...namedLikeDepartingRole(declared, writes),
    ...neverGranted(declared, writes),
    ...mapsNeverGranted(declared, writes),
    ...mapsRoleThatWillNotExist(declared, writes),
    ...needsWhatIsNeverCreated(declared, writes),
  ];
}

/** Maps of patterns have no place for an unknown field: the server would accept it and drop it. */
function lostFields({ family, node }: DesiredResource, { dialect }: WriteChecks): readonly Diagnostic[] {
  if (family !== "roles" || !dialect.documentTypes) return [];
  return Object.entries(factsOf.roles.fields).flatMap(([list, { element }]) => {
    if (!element) return [];
    return elementsOf(node, list)
      .flatMap((item) => (item.kind === "map" ? item.entries : []))
      .filter(({ key }) => !Object.hasOwn(element, key))
      .map(({ key, keyRange }) =>
        createDiagnostic(keyRange, "unsupported-here", {
          what: `${dialect.product} ${dialect.release} has no place for ${JSON.stringify(key)} in ${list}.`,
          why: "The role would be written without it, and differ at every plan.",
          fix: `Take ${JSON.stringify(key)} out, or keep the file out of the state of this target.`,
        }),
      );
  });
}

function elementsOf(body: Node, list: string): readonly Node[] {
  const value = findMapEntry(body, list)?.value;
  return value?.kind === "list" ? value.items : [];
}

/** Groups are written before roles are deleted, since roles may use them. */
function namedLikeDepartingRole(
  { family, name, origin }: DesiredResource,
  { changes, dialect }: WriteChecks,
): readonly Diagnostic[] {
  if (family !== "action_groups" || !dialect.checksRoles) return [];
  if (actionsOnRoles(changes).get(name) !== "delete") return [];
  return [
    createDiagnostic(origin, "unsupported-here", {
      what: `The action group ${JSON.stringify(name)} is named like a role that this plan deletes.`,
      why: "OpenSearch refuses such a group as long as it has the role, and with it all that goes in the same request.",
      fix: `Give the group another name, or delete the role first: gate-sync apply --family roles.`,
    }),
  ];
}

function neverGranted(
  { family, node, origin, value }: DesiredResource,
  { dialect }: WriteChecks,
): readonly Diagnostic[] {
  const lists: Partial<Record<typeof family, string>> = {
    roles: "cluster_permissions",
    action_groups: "allowed_actions",
  };
  const list = lists[family];
  return list === undefined
    ? []
    : textsNeverGranted(value[list], dialect).map((action) =>
        createDiagnostic(findWrittenPlace(node, action) ?? origin, "unsupported-here", {
          what: `${JSON.stringify(action)} cannot be granted by the API of ${dialect.product}.`,
          why: `The server answers 403 to every caller, an administrator's certificate too, and refuses all of the same request.`,
          fix: `Take it out; a ${getNoun(family)} with it is made in the server's own files, with securityadmin.`,
        }),
      );
}

/**
 * A mapping of a role that is declared, but neither on the server nor created by this plan. A role that is not
 * declared is reported with the other references.
 */
function mapsRoleThatWillNotExist(
  { family, name, origin }: DesiredResource,
  { changes, desired, declared = desired, live, dialect }: WriteChecks,
): readonly Diagnostic[] {
  const held = live.resources.get("roles");
  if (family !== "role_mappings" || held === undefined || held.has(name)) return [];
  if (actionsOnRoles(changes).get(name) === "create") return [];
  const role = declared.resources.get("roles")?.get(name);
  // A hidden role may be on the server, and no request shows it; OpenSearch answers 404 to its mapping, be it there or not.
  if (role === undefined || (isHidden(role) && !dialect.checksRoles) || isNeverCreated(role, live)) return [];
  const quoted = JSON.stringify(name);
  const { cause, fix } = role.serverOwned
    ? {
        cause: "its file marks it as hidden",
        fix: `Remove hidden from the role ${quoted} to have it created, or remove this mapping.`,
      }
    : changes.some((change) => change.family === "roles" && change.name === name && change.reason === "left-out")
      ? {
          cause: "--only leaves it out",
          fix: `Add --only ${JSON.stringify(`roles/${name}`)}, or apply the role first.`,
        }
      : desired.resources.has("roles")
        ? {
            cause: "gate-sync only observes the roles",
            fix: "Create the role first, remove this mapping, or set the mode of roles to manage.",
          }
        : { cause: "the roles are not part of this run", fix: "Leave out --family, or apply the roles first." };
  return [
    createDiagnostic(
      origin,
      "unknown-role",
      {
        what: `The role ${quoted} is not on the server, and this plan does not create it: ${cause}.`,
        why: dialect.checksRoles
          ? "The server refuses a mapping without its role, after the requests before it were already made."
          : "A mapping without its role grants nothing.",
        fix,
        related: [{ range: role.origin, what: `the role ${quoted}` }],
      },
      dialect.checksRoles ? "error" : "warning",
    ),
  ];
}

/** What is written would do nothing, or be refused, without an entry that gate-sync never makes. */
function needsWhatIsNeverCreated(
  needing: DesiredResource,
  { desired, declared = desired, live }: WriteChecks,
): readonly Diagnostic[] {
  const users = needing.family === "role_mappings" ? listTexts(needing.value.users) : [];
  const needed = [...listMentions(needing), ...users.map((name) => ({ to: "internal_users" as const, name }))];
  return needed.flatMap(({ to, name }) => {
    const marked = declared.resources.get(to)?.get(name);
    if (!marked || !isNeverCreated(marked, live)) return [];
    const [noun, quoted] = [getNoun(to), JSON.stringify(name)];
    return [
      createDiagnostic(
        findWrittenPlace(needing.node, name) ?? needing.origin,
        "server-owned",
        {
          what: `The ${getNoun(needing.family)} ${JSON.stringify(needing.name)} needs the ${noun} ${quoted}, which will never be created.`,
          why: `Its file marks the ${noun} as the server's, which has none, and gate-sync never writes what is so marked.`,
          fix: `Remove reserved, static and readonly from the ${noun} to have it created, or take it out here; or let the admin certificate of OpenSearch write it: families.${to}.reserved: write.`,
          related: [{ range: marked.origin, what: `the ${noun} ${quoted}` }],
        },
        "error",
      ),
    ];
  });
}

/** A mapping of a role that has such a permission is refused like the role. */
function mapsNeverGranted({ family, name, origin }: DesiredResource, writes: WriteChecks): readonly Diagnostic[] {
  if (family !== "role_mappings") return [];
  const { desired, live, dialect } = writes;
  const role = live.resources.get("roles")?.get(name) ?? desired.resources.get("roles")?.get(name);
  const [action] = textsNeverGranted(role?.value.cluster_permissions, dialect);
  if (action === undefined) return [];
  return [
    createDiagnostic(origin, "unsupported-here", {
      what: `The role ${JSON.stringify(name)} has ${JSON.stringify(action)}: the API of ${dialect.product} gives it no members.`,
      why: "The server answers 403 to every caller, and refuses all of the same request.",
      fix: "Take the mapping out; it is made in the server's own files, with securityadmin.",
    }),
  ];
}

function textsNeverGranted(list: Value | undefined, { neverGranted: start }: Dialect): readonly string[] {
  if (start === undefined || !isList(list)) return [];
  return list.filter((text) => typeof text === "string").filter((text) => text.startsWith(start));
}
