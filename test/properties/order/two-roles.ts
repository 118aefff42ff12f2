// Every state of two roles without groups, and every way from one to another held against all other ways.
import type { Fixture, Mapping, Role } from "../../support/evaluated.ts";
import { queries } from "../access/seen.ts";
import { fewestRequests } from "./fewest.ts";
import type { Matched } from "./model-property.ts";
import type { Member, Planned } from "./planned.ts";
import { kindOfLonger, kindOfMissed } from "./property.ts";
import { fixtureAt } from "./slots.ts";

const [index_patterns, [dls = ""]] = [["a*"], queries];
const search = "indices:data/read/search";
const write = "indices:data/write/index";
const permissions: readonly Role[] = [
  { index_permissions: [{ index_patterns, allowed_actions: [search] }] },
  { index_permissions: [{ index_patterns, allowed_actions: [write] }] },
  { index_permissions: [{ index_patterns, dls, allowed_actions: [search] }] },
];
const [users, backend_roles] = [["u1"], ["b1"]];
const mappings: readonly Mapping[] = [{ users }, { backend_roles }, { backend_roles, users }];

/** 16 × 16 = 256 of them: each role and each mapping is one of three, or absent. */
export function fixturesOfTwoRoles(): readonly Fixture[] {
  const each = [undefined, ...permissions].flatMap((role) =>
    [undefined, ...mappings].map((mapping) => ({ role, mapping })),
  );
  return each.flatMap((r) =>
    each.map(
      (s): Fixture => ({
        product: "opensearch",
        groups: {},
        roles: { ...(r.role && { r: r.role }), ...(s.role && { s: s.role }) },
        mappings: { ...(r.mapping && { r: r.mapping }), ...(s.mapping && { s: s.mapping }) },
      }),
    ),
  );
}

/** What takes more requests than families, or is reported, is compared with every other order. */
export function isFewest(
  { before, after, like, dialect }: Member,
  { requests, families, faults }: Planned,
): Partial<Matched> {
  const isExplained = faults.length > 0;
  if (!isExplained && requests.length <= families) return {};
  const [from, to] = [fixtureAt(before, like), fixtureAt(after, like)];
  const { checksRoles } = dialect;
  const most = requests.length - 1;
  const fewest = fewestRequests({ before: from, after: to, checksRoles, ...(!isExplained && { most }) });
  if (fewest === "too many edits") return { kinds: ["not tried in every order"] };
  const kinds = [isExplained ? "reported, and tried in every order" : "split, and tried in every order"];
  if (fewest === "none") return { kinds };
  return { kinds: [...kinds, isExplained ? kindOfMissed : kindOfLonger] };
}
