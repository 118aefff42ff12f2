// Every state of two roles without groups, and every way from one to another held against all other ways.
import type { Mapping, Role, World } from "../../support/judged.ts";
import { queries } from "../access/seen.ts";
import { fewestRequests } from "./fewest.ts";
import type { Met } from "./model-law.ts";
import type { Planned, Way } from "./planned.ts";
import { worldAt } from "./slots.ts";

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
export function worldsOfTwoRoles(): readonly World[] {
  const each = [undefined, ...permissions].flatMap((role) =>
    [undefined, ...mappings].map((mapping) => ({ role, mapping })),
  );
  return each.flatMap((r) =>
    each.map(
      (s): World => ({
        product: "opensearch",
        groups: {},
        roles: { ...(r.role && { r: r.role }), ...(s.role && { s: s.role }) },
        mappings: { ...(r.mapping && { r: r.mapping }), ...(s.mapping && { s: s.mapping }) },
      }),
    ),
  );
}

/** What takes more requests than families, or is told, is held against every other way. */
export function isFewest({ before, after, like, dialect }: Way, { requests, families, faults }: Planned): Partial<Met> {
  const isTold = faults.length > 0;
  if (!isTold && requests.length <= families) return {};
  const [from, to] = [worldAt(before, like), worldAt(after, like)];
  const { checksRoles } = dialect;
  const most = requests.length - 1;
  const fewest = fewestRequests({ before: from, after: to, checksRoles, ...(!isTold && { most }) });
  if (fewest === "too many edits") return { kinds: ["not tried in every order"] };
  const kinds = [isTold ? "told, and tried in every order" : "split, and tried in every order"];
  if (fewest === "none") return { kinds };
  const enough = `${fewest} requests for ${families} families do`;
  return { kinds, broken: [isTold ? `told as unclean, and is not: ${enough}` : `not the fewest: ${enough}`] };
}
