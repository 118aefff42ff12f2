import { anyOf, type Verdict } from "../../access/verdict.ts";
import { diagnosticAt } from "../../diagnostics/diagnostic.ts";
import { once, those } from "./once.ts";
import { meetPlainly } from "./plainly.ts";
import { keyOf, type Text, type Trap, type TrapPermission, type TrapRole, type TrapState } from "./trap.ts";

const bulk = "indices:data/write/bulk";
const shardBulk = "indices:data/write/bulk[s]";
const mappingPut = "indices:admin/mapping/put";
/** What engines from 7.11 on ask for instead. */
const mappingAutoPut = "indices:admin/mapping/auto_put";
const writes = ["indices:data/write/index", "indices:data/write/delete"];
const update = "indices:data/write/update";

/** Each write of a document takes two permissions of bulk requests besides its own, single ones too. */
export const writeWithoutBulk: Trap = {
  code: "write-without-bulk",
  goesBy: "meanings",
  find: (state) => {
    const helped = once(() => waysGiven(bulk, state));
    const writing = textsGiving([...writes, update], state);
    if (writing.size === 0) return [];
    return state.roles.flatMap((role) => {
      const granted = firstOf(role, writing);
      if (!granted) return [];
      if (givenTo(role.cluster, bulk, state) === "no" && !isHelped(role, helped(), state)) {
        return [
          diagnosticAt(granted.action, "write-without-bulk", {
            what: `${JSON.stringify(granted.action.value)} grants writing, and the role has no cluster permission ${bulk}.`,
            why: "Every write takes it, of single documents too: whoever has this role alone cannot write any.",
            fix: `Add ${bulk} to the cluster permissions of the role.`,
          }),
        ];
      }
      if (givenTo(granted.permission.actions, shardBulk, state) !== "no") return [];
      const shard = role.indices.filter((other) => coversSome(other, granted.permission));
      if (anyOf(shard.map(({ actions }) => givenTo(actions, shardBulk, state))) !== "no") return [];
      return [
        diagnosticAt(granted.action, "write-without-bulk", {
          what: `${JSON.stringify(granted.action.value)} grants writing, and the role has no ${shardBulk} on these indices.`,
          why: "Every write takes it, of single documents too: whoever has this role alone cannot write any.",
          fix: `Add ${bulk}* to the actions on these indices.`,
        }),
      ];
    });
  },
};

/** Whoever writes that all writing is meant did not mean documents without new fields. */
export const writeWithoutMapping: Trap = {
  code: "write-without-mapping",
  goesBy: "meanings",
  find: (state) => {
    const all = those(textsGiving(["indices:data/write/index"], state), (text) => text.includes("*"));
    if (all.size === 0) return [];
    return state.roles.flatMap((role) => {
      const granted = firstOf(role, all);
      if (!granted) return [];
      const others = role.indices.filter((other) => coversSome(other, granted.permission));
      const puts = others.flatMap(({ actions }) =>
        [mappingPut, mappingAutoPut].map((one) => givenTo(actions, one, state)),
      );
      if (anyOf(puts) !== "no") return [];
      return [
        diagnosticAt(granted.action, "write-without-mapping", {
          what: `${JSON.stringify(granted.action.value)} grants all writing of documents, and nothing grants ${mappingPut}.`,
          why: "A document that brings a field which its index does not know yet is refused.",
          fix: `Add ${mappingPut}, or silence this where mappings are kept by somebody else.`,
        }),
      ];
    });
  },
};

/** DLS is about what is seen; what is written is not looked at. */
export const restrictedWrites: Trap = {
  code: "restricted-writes",
  goesBy: "meanings",
  find: (state) => {
    const writing = textsGiving([...writes, update], state);
    if (writing.size === 0) return [];
    const updating = textsGiving([update], state);
    return state.roles.flatMap((role) =>
      role.indices.flatMap((permission) => {
        const { dls, fls, masks } = permission;
        const place = dls ?? fls[0] ?? masks[0];
        // What is dear to tell, which of its elements are on these indices, comes last.
        if (!place || !firstOf(role, dls ? writing : updating)) return [];
        const asked = dls ? [...writes, update] : [update];
        const beside = role.indices.filter((other) => other === permission || coversSome(other, permission));
        const gives = (action: string) => anyOf(beside.map(({ actions }) => givenTo(actions, action, state))) === "yes";
        if (!asked.some(gives)) return [];
        return [
          diagnosticAt(place, "restricted-writes", {
            what: dls
              ? "The role may write where a query says which documents it sees."
              : "The role may update documents of which it does not see every field as it is.",
            why: dls
              ? "The query guards no write: documents that it hides can be overwritten and deleted, and others brought in. Partial updates (_update) always fail."
              : "Partial updates (_update) always fail where fields are hidden or masked.",
            fix: dls
              ? "Keep what must not be written by everybody in an index of its own, or take the writing out."
              : "Have whole documents written, or keep the fields in an index of their own.",
          }),
        ];
      }),
    );
  },
};

/** Those that surely give one of some actions on indices. */
function textsGiving(actions: readonly string[], { granted, gives }: TrapState): ReadonlySet<string> {
  return those(granted.indices, (text) => actions.some((one) => gives(text, one) === "yes"));
}

/** Where a role grants one of some texts on indices. */
function firstOf(
  { indices }: TrapRole,
  texts: ReadonlySet<string>,
): { readonly permission: TrapPermission; readonly action: Text } | undefined {
  for (const permission of indices) {
    for (const action of permission.actions) if (texts.has(action.value)) return { permission, action };
  }
  return undefined;
}

function givenTo(texts: readonly Text[], action: string, { gives }: TrapState): Verdict {
  let given: Verdict = "no";
  for (const { value } of texts) {
    const verdict = gives(value, action);
    if (verdict === "yes") return verdict;
    if (verdict === "unknown") given = verdict;
  }
  return given;
}

/** Whether a permission is on some of the indices of another, as far as that is plain to see. */
function coversSome(other: TrapPermission, of: TrapPermission): boolean {
  return meetPlainly(
    other.patterns.map(({ value }) => value),
    of.patterns.map(({ value }) => value),
  );
}

/** The entries of mappings that come by a cluster permission in any of their roles. */
function waysGiven(action: string, { known, waysTo, gives }: TrapState): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [name, { cluster_permissions: texts }] of known.mappings ? (known.roles ?? []) : []) {
    const isGiven =
      Array.isArray(texts) && texts.some((text) => typeof text === "string" && gives(text, action) !== "no");
    if (isGiven) for (const way of waysTo(name)) keys.add(keyOf(way));
  }
  return keys;
}

/** Whoever has the role has another one, too, that brings what it lacks. */
function isHelped({ name }: TrapRole, helped: ReadonlySet<string>, { waysTo }: TrapState): boolean {
  return (
    ["users *", "backend_roles *"].some((all) => helped.has(all)) || waysTo(name).some((way) => helped.has(keyOf(way)))
  );
}
