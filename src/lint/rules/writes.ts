import { combineAny, type Verdict } from "../../access/verdict.ts";
import { memoise } from "../../json/memoise.ts";
import { createMemoisedFilter } from "../once.ts";
import { overlapPlainly } from "../plainly.ts";
import {
  getMemberKey,
  type LintPermission,
  type LintRole,
  type LintRule,
  type LintState,
  type LintText,
} from "../rule.ts";

const bulk = "indices:data/write/bulk";
const shardBulk = "indices:data/write/bulk[s]";
const mappingPut = "indices:admin/mapping/put";
/** What engines from 7.11 on ask for instead. */
const mappingAutoPut = "indices:admin/mapping/auto_put";
const writes = ["indices:data/write/index", "indices:data/write/delete"];
const update = "indices:data/write/update";

/** Each write of a document takes two permissions of bulk requests besides its own, single ones too. */
export const writeWithoutBulk: LintRule = {
  code: "write-without-bulk",
  goesBy: "meanings",
  find: (state) => {
    const helped = memoise(() => membersGiven(bulk, state));
    const writing = textsGiving([...writes, update], state);
    if (writing.size === 0) return [];
    return state.roles.flatMap((role) => {
      const granted = firstOf(role, writing);
      if (!granted) return [];
      if (givenTo(role.cluster, bulk, state) === "no" && !isHelped(role, helped(), state)) {
        return [
          {
            at: granted.action,
            what: `${JSON.stringify(granted.action.value)} grants writing, and the role has no cluster permission ${bulk}.`,
            why: "Every write needs it, of single documents too: a principal with this role alone cannot write any.",
            fix: `Add ${bulk} to the cluster permissions of the role.`,
          },
        ];
      }
      if (givenTo(granted.permission.actions, shardBulk, state) !== "no") return [];
      const shard = role.indices.filter((other) => coversSome(other, granted.permission));
      if (combineAny(shard.map(({ actions }) => givenTo(actions, shardBulk, state))) !== "no") return [];
      return [
        {
          at: granted.action,
          what: `${JSON.stringify(granted.action.value)} grants writing, and the role has no ${shardBulk} on these indices.`,
          why: "Every write needs it, of single documents too: a principal with this role alone cannot write any.",
          fix: `Add ${bulk}* to the actions on these indices.`,
        },
      ];
    });
  },
};

/** Who grants all writing did not mean to exclude documents with new fields. */
export const writeWithoutMapping: LintRule = {
  code: "write-without-mapping",
  goesBy: "meanings",
  find: (state) => {
    const all = createMemoisedFilter(textsGiving(["indices:data/write/index"], state), (text) => text.includes("*"));
    if (all.size === 0) return [];
    return state.roles.flatMap((role) => {
      const granted = firstOf(role, all);
      if (!granted) return [];
      const others = role.indices.filter((other) => coversSome(other, granted.permission));
      const puts = others.flatMap(({ actions }) =>
        [mappingPut, mappingAutoPut].map((one) => givenTo(actions, one, state)),
      );
      if (combineAny(puts) !== "no") return [];
      return [
        {
          at: granted.action,
          what: `${JSON.stringify(granted.action.value)} grants all writing of documents, and nothing grants ${mappingPut}.`,
          why: "A document that brings a field which its index does not know yet is refused.",
          fix: `Add ${mappingPut}, or silence this where mappings are managed elsewhere.`,
        },
      ];
    });
  },
};

/** DLS is about what is seen; what is written is not looked at. */
export const restrictedWrites: LintRule = {
  code: "restricted-writes",
  goesBy: "meanings",
  find: (state) => {
    const writing = textsGiving([...writes, update], state);
    if (writing.size === 0) return [];
    const updating = textsGiving([update], state);
    return state.restricting.flatMap((role) =>
      role.indices.flatMap((permission) => {
        const { dls, fls, masks } = permission;
        const place = dls ?? fls[0] ?? masks[0];
        // The expensive check, which of its elements are on these indices, comes last.
        if (!place || !firstOf(role, dls ? writing : updating)) return [];
        const asked = dls ? [...writes, update] : [update];
        const beside = role.indices.filter((other) => other === permission || coversSome(other, permission));
        const gives = (action: string) =>
          combineAny(beside.map(({ actions }) => givenTo(actions, action, state))) === "yes";
        if (!asked.some(gives)) return [];
        return [
          {
            at: place,
            what: dls
              ? "The role may write where a query says which documents it sees."
              : "The role may update documents of which it does not see every field as it is.",
            why: dls
              ? "The query guards no write: documents that it hides can be overwritten and deleted, and others brought in. Partial updates (_update) always fail."
              : "Partial updates (_update) always fail where fields are hidden or masked.",
            fix: dls
              ? "Keep what must not be written by everybody in an index of its own, or take the writing out."
              : "Have whole documents written, or keep the fields in an index of their own.",
          },
        ];
      }),
    );
  },
};

/** Texts in lists of index permissions that surely give one of some actions. */
function textsGiving(actions: readonly string[], { granted, gives }: LintState): ReadonlySet<string> {
  return createMemoisedFilter(granted.indices, (text) => actions.some((one) => gives(text, one) === "yes"));
}

/** Where a role grants one of some texts on indices. */
function firstOf(
  { indices }: LintRole,
  texts: ReadonlySet<string>,
): { readonly permission: LintPermission; readonly action: LintText } | undefined {
  for (const permission of indices) {
    for (const action of permission.actions) if (texts.has(action.value)) return { permission, action };
  }
  return undefined;
}

function givenTo(texts: readonly LintText[], action: string, { gives }: LintState): Verdict {
  let given: Verdict = "no";
  for (const { value } of texts) {
    const verdict = gives(value, action);
    if (verdict === "yes") return verdict;
    if (verdict === "unknown") given = verdict;
  }
  return given;
}

/** Whether a permission is on some of the indices of another, as far as that is plain to see. */
function coversSome(other: LintPermission, of: LintPermission): boolean {
  return overlapPlainly(
    other.patterns.map(({ value }) => value),
    of.patterns.map(({ value }) => value),
  );
}

/** The entries of mappings that come by a cluster permission in any of their roles. */
function membersGiven(action: string, { known, membersTo, gives }: LintState): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [name, { cluster_permissions: texts }] of known.mappings ? (known.roles ?? []) : []) {
    const isGiven =
      Array.isArray(texts) && texts.some((text) => typeof text === "string" && gives(text, action) !== "no");
    if (isGiven) for (const member of membersTo(name)) keys.add(getMemberKey(member));
  }
  return keys;
}

/** Whether each principal that has the role has another one, too, that grants what it lacks. */
function isHelped({ name }: LintRole, helped: ReadonlySet<string>, { membersTo }: LintState): boolean {
  return (
    ["users *", "backend_roles *"].some((all) => helped.has(all)) ||
    membersTo(name).some((member) => helped.has(getMemberKey(member)))
  );
}
