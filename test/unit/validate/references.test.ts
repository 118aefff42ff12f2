import { expect, test } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { assumedRelease, createDialect } from "../../../src/dialects/index.ts";
import type { Json } from "../../../src/json/value.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import type { StatedServer } from "../../../src/validate/builtin.ts";
import { validateReferences } from "../../../src/validate/references.ts";
import { repositoryOf } from "../../support/nodes.ts";

type Served = Partial<Record<ResourceFamily, Json>>;

interface Case {
  readonly product?: Product;
  readonly release?: string;
  readonly text: string;
  /** What the server answers for each family that is read; absent: offline. */
  readonly live?: Served;
  readonly stated?: StatedServer;
}

/** Severity, code and what is underlined. */
function check({ product = "search-guard", release, text, live, stated }: Case, ...expected: readonly string[]) {
  const dialect = createDialect(product, release ?? assumedRelease[product]);
  const { desired } = normalise(repositoryOf({ "state.yml": text }), dialect, {});
  const found = validateReferences(desired, live && liveState(live, dialect), dialect, { ...(stated && { stated }) });
  const brief = found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`);
  expect(brief).toEqual(expected);
  return found;
}

function liveState(served: Served, dialect: Dialect): LiveState {
  const families = Object.entries(served) as readonly [ResourceFamily, Json][];
  return {
    resources: new Map(families.map(([family, body]) => [family, decodeFamily(dialect, family, body) ?? new Map()])),
    paths: new Map(),
  };
}

const role = (actions: string) => `roles: {r: {cluster_permissions: [${actions}]}}`;
const tenant = (patterns: string) =>
  `roles: {r: {tenant_permissions: [{tenant_patterns: [${patterns}], allowed_actions: ['*']}]}}`;
const cycle = "action_groups: {a: {allowed_actions: [b]}, b: {allowed_actions: [c]}, c: {allowed_actions: [a]}}";

test.each<[about: string, given: Case]>([
  [
    "declared",
    { text: "role_mappings: {r: {users: [a]}}\nroles: {r: {cluster_permissions: []}}", live: { roles: {} } },
  ],
  ["on the server", { text: "role_mappings: {r: {users: [a]}}", live: { roles: { r: {} } } }],
  ["not known offline", { text: "role_mappings: {r: {users: [a]}}" }],
  ["built in, offline", { text: "role_mappings: {SGS_ALL_ACCESS: {users: [a]}}\nroles: {}" }],
  ["an action", { text: role("'cluster:monitor/*', '*', '/x/'"), live: { action_groups: {} } }],
  ["built in to OpenSearch, offline", { product: "opensearch", text: `${role("read")}\naction_groups: {}` }],
  ["in upper case, offline", { product: "opensearch", text: role("READ") }],
  ["a pattern of tenants", { text: tenant(`'hr*', '/x/', '\${user.name}'`), live: { tenants: {} } }],
])("knows a name that is %s", (_, given) => {
  check(given);
});

test.each<[about: string, given: Case, expected: string]>([
  ["a role", { text: "role_mappings: {r: {users: [r]}}", live: { roles: {} } }, "warning unknown-role r"],
  ["a role, offline", { text: "role_mappings: {r: {users: [a]}}\nroles: {}" }, "warning unknown-role r"],
  ["a group", { text: role("raed"), live: { action_groups: { read: ["x"] } } }, "warning unknown-action-group raed"],
  [
    "a group that may be built in, but is not",
    { text: role("SGS_X"), live: { action_groups: {} } },
    "warning unknown-action-group SGS_X",
  ],
  ["a misspelling, offline", { product: "opensearch", text: role("raed") }, "warning unknown-action-group raed"],
  ["a group in a group", { text: "action_groups: {a: [b]}" }, "warning unknown-action-group b"],
  [
    "a group in 6.x words",
    { text: "_sg_meta: {type: roles}\nr: {indices: {i: {'*': [NO]}}}", live: { action_groups: {} } },
    "warning unknown-action-group NO",
  ],
  ["a tenant", { text: tenant("hr"), live: { tenants: {} } }, "warning unknown-tenant hr"],
])("warns of an undeclared name: %s", (_, given, expected) => {
  check(given, expected);
});

test("suggests the name that was meant", () => {
  const given = { text: role("raed"), live: { action_groups: { read: ["x"] } } };
  const [userMessage] = check(given, "warning unknown-action-group raed");
  expect(userMessage?.what).toBe(
    'There is no action group "raed" in these files or on the server. Did you mean "read"?',
  );
});

test.each([
  ["search-guard", "read", "SGS_READ"],
  ["opensearch", "SGS_READ", "read"],
  ["opensearch", "READ", "read"],
] as const)("of %s: what other products call %s is suggested as %s", (product, name, meant) => {
  const given = { product, text: role(name), live: { action_groups: { [meant]: ["x"], SGS_READS: ["y"] } } };
  expect(check(given, `warning unknown-action-group ${name}`)[0]?.what).toContain(`Did you mean "${meant}"?`);
});

test("a name that is used twice in an entry is reported once", () => {
  const text = "roles: {r: {cluster_permissions: [NO], index_permissions: [{allowed_actions: [NO]}]}}";
  check({ text, live: { action_groups: {} } }, "warning unknown-action-group NO");
});

test("a cycle of action groups is an error where it harms, and named", () => {
  const [userMessage] = check({ text: cycle }, "error action-group-cycle b");
  expect(userMessage?.what).toBe("Action groups contain each other: a > b > c > a.");
  check({ product: "opensearch", text: cycle }, "warning action-group-cycle b");
  check({ product: "opensearch", text: "action_groups: {a: [a]}" }, "error action-group-cycle a");
});

test("a cycle is found between what leads to it and what hangs from it, and each of several", () => {
  const pairs = "a: [b], b: [c, x], c: [b, d], d: [e], e: [], x: [], k: [l], l: [m, d], m: [k, l]";
  const messages = check(
    { text: `action_groups: {${pairs}}` },
    "error action-group-cycle c",
    "error action-group-cycle l",
  );
  expect(messages.map(({ what }) => what.split(": ")[1])).toEqual(["b > c > b.", "k > l > m > k."]);
});

test("a cycle of thousands is reported by its first and last names", () => {
  const count = 5000;
  const groups = Array.from({ length: count }, (_, index) => `g${index}: [g${(index + 1) % count}]`);
  const [userMessage] = check({ text: `action_groups: {${groups.join(", ")}}` }, "error action-group-cycle g1");
  expect(userMessage?.what).toMatch(/: g0 > g1 > .* > g17 > \.\.\. 4981 more \.\.\. > g4999 > g0\.$/);
});

test("a cycle that the server holds already is no error", () => {
  const live = { action_groups: { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } } };
  check({ text: "action_groups: {a: [b], b: [a]}", live }, "warning action-group-cycle b");
  check({ text: "action_groups: {c: [a]}", live });
});

test("a cycle through a group of the server is found", () => {
  const live = { action_groups: { b: { allowed_actions: ["a"] } } };
  check({ text: "action_groups: {a: [b]}", live }, "error action-group-cycle b");
});

test("groups that merely share members make no cycle, however many there are", () => {
  const names = Array.from({ length: 3000 }, (_, index) => `g${index}`);
  const text = `action_groups:\n${names.map((name, index) => `  ${name}: [${names[index + 1] ?? "'*'"}]`).join("\n")}`;
  check({ text });
});

const reserved = { roles: { r: { reserved: true, cluster_permissions: ["a:b"] } } };
const fixed = { roles: { r: { static: true, cluster_permissions: ["a:b"] } } };

test.each<[about: string, given: Case, ...expected: string[]]>([
  ["a reserved one, otherwise", { text: role("'a:c'"), live: reserved }, "error reserved-differs r"],
  ["a static one, otherwise", { text: role("'a:c'"), live: fixed }, "error reserved-differs r"],
  ["a reserved one, as it is", { text: role("'a:b'"), live: reserved }],
  [
    "a mapping to a reserved role",
    { text: "role_mappings: {r: {users: [a]}}", live: { ...reserved, role_mappings: {} } },
  ],
  [
    "the server's own, as it is",
    { text: "roles: {r: {reserved: true, cluster_permissions: ['a:b']}}", live: reserved },
  ],
  ["the server's own, otherwise", { text: "roles: {r: {reserved: true}}", live: reserved }, "warning server-owned r"],
  [
    "the server's own that it lacks",
    { text: "roles: {r: {static: true}}", live: { roles: {} } },
    "warning server-owned r",
  ],
  ["a hidden one, which cannot be seen", { text: "roles: {r: {hidden: true}}", live: { roles: {} } }],
  ["the server's own, offline", { text: "roles: {r: {reserved: true}}" }],
])("declares %s", (_, given, ...expected) => {
  check(given, ...expected);
});

const mapped = "role_mappings: {r: {users: [a]}}";
const held = { roles: {}, role_mappings: { r: { users: ["a"] } } };
const named = "action_groups: {g: ['a:b']}";

test.each<[about: string, given: Case, ...expected: string[]]>([
  ["to no role", { text: mapped, live: { roles: {}, role_mappings: {} } }, "error unknown-role r"],
  ["to no role, as the server has it", { text: mapped, live: held }, "warning unknown-role r"],
  [
    "to no role, which the server owns",
    { text: "role_mappings: {r: {users: [a], reserved: true}}", live: { roles: {}, role_mappings: {} } },
    "warning unknown-role r",
    "warning server-owned r",
  ],
  ["to a role of the server", { text: mapped, live: { roles: { r: {} }, role_mappings: {} } }],
  [
    "to no role that could be read",
    { text: `${mapped}\nroles: {}`, live: { role_mappings: {} } },
    "warning unknown-role r",
  ],
])("OpenSearch refuses to write a mapping %s", (_, given, ...expected) => {
  check({ ...given, product: "opensearch" }, ...expected);
});

test.each<[about: string, given: Case, ...expected: string[]]>([
  ["a role", { text: named, live: { roles: { g: {} }, action_groups: {} } }, "error unsupported-here g"],
  [
    "a role, as the server has it",
    { text: named, live: { roles: { g: {} }, action_groups: { g: { allowed_actions: ["a:b"] } } } },
  ],
  ["no role", { text: named, live: { roles: {}, action_groups: {} } }],
  ["a role that is made after it", { text: `${named}\nroles: {g: {}}`, live: { roles: {}, action_groups: {} } }],
])("OpenSearch refuses to write a group that is named like %s", (_, given, ...expected) => {
  check({ ...given, product: "opensearch" }, ...expected);
  check(given);
});

test("reading and writing in tenants of Search Guard 6 are no groups that it lacks", () => {
  const text = "roles: {r: {tenant_permissions: [{tenant_patterns: [t], allowed_actions: [SGS_KIBANA_ALL_WRITE]}]}}";
  check({ release: "6", text, live: { action_groups: {} } });
  // Part of the product, whether it shows that or not.
  check({ release: "7", text, live: { action_groups: {} } });
  const other = text.replace("SGS_KIBANA_ALL_WRITE", "OUR_WRITE");
  check({ release: "7", text: other, live: { action_groups: {} } }, "warning unknown-action-group OUR_WRITE");
});

test.each<[about: string, given: Omit<Case, "text">, unknown: readonly string[]]>([
  ["nothing is stated", {}, []],
  ["it is stated that the product is the documented API", { product: "gate", stated: { product: "gate" } }, []],
  ["OpenSearch is", { stated: { product: "opensearch" } }, ["READ", "SGS_READ", "SGS_OF_A_LATER_RELEASE"]],
  ["Search Guard is", { stated: { product: "search-guard" } }, ["read"]],
  ["its release is too", { release: "7", stated: { product: "search-guard", release: "7" } }, ["read", "READ"]],
  [
    "Search Guard 6 is",
    { release: "6", stated: { product: "search-guard", release: "6" } },
    ["read", "SGS_READ", "SGS_OF_A_LATER_RELEASE"],
  ],
  ["its release shows in the files", { release: "FLX", stated: { product: "search-guard" } }, ["read", "READ"]],
  [
    "a server was asked for other families",
    { product: "opensearch", live: { roles: {} } },
    ["READ", "SGS_READ", "SGS_OF_A_LATER_RELEASE"],
  ],
])("where %s, built-in groups of other products are none", (_, given, unknown) => {
  const product = given.product ?? given.stated?.product;
  for (const name of ["read", "READ", "SGS_READ", "SGS_OF_A_LATER_RELEASE"]) {
    const expected = unknown.includes(name) ? [`warning unknown-action-group ${name}`] : [];
    check({ ...given, ...(product && { product }), text: role(name) }, ...expected);
  }
});

test.each([
  ["3", ""],
  ["2.19", "warning unknown-role forecast_read_access"],
])("OpenSearch %s may have roles of later releases: %j", (release, found) => {
  const stated = { product: "opensearch", release } as const;
  const text = "roles: {r: {}}\nrole_mappings: {forecast_read_access: {users: [a]}}";
  check({ ...stated, stated, text }, ...(found === "" ? [] : [found]));
});

test("a built-in name of another product comes with the one of this product", () => {
  const stated = { product: "opensearch", release: "2.19" } as const;
  const given = { product: "opensearch", stated } as const;
  const [group] = check({ ...given, text: role("SGS_CRUD") }, "warning unknown-action-group SGS_CRUD");
  expect(group?.what).toBe(
    'There is no action group "SGS_CRUD" in these files, and opensearch 2.19 ships none. Did you mean "crud"?',
  );
  expect(group?.fix).toBe('Write "crud", or declare the action group.');
  const mapped = { ...given, text: "role_mappings: {SGS_KIBANA_USER: {users: [a]}}" };
  const [mapping] = check(mapped, "warning unknown-role SGS_KIBANA_USER");
  expect(mapping?.fix).toBe('Write "kibana_user", or declare the role.');
  const asked = { ...given, text: role("SGS_CRUD"), live: { action_groups: {} } };
  expect(check(asked, "warning unknown-action-group SGS_CRUD")[0]?.what).toContain("in these files or on the server.");
  // The same word otherwise written, where the files declare groups.
  const [written] = check(
    { ...given, text: `${role("Crud")}\naction_groups: {}` },
    "warning unknown-action-group Crud",
  );
  expect(written?.fix).toBe('Write "crud", or declare the action group.');
});

test("of thousands of different wrong names the first are compared with what there is, the rest only reported", () => {
  const count = 2300;
  const names = (stem: string) => Array.from({ length: count }, (_, index) => `${stem}${index}`);
  const text = JSON.stringify({
    action_groups: Object.fromEntries(names("GROUP_").map((name) => [name, { allowed_actions: [] }])),
    roles: { r: { cluster_permissions: names("GRUOP_") } },
  });
  const dialect = createDialect("search-guard", assumedRelease["search-guard"]);
  const { desired } = normalise(repositoryOf({ "state.json": text }), dialect, {});
  const messages = validateReferences(desired, undefined, dialect);
  const explained = messages.map(({ what }) => what.includes("Did you mean"));
  expect(explained).toHaveLength(count);
  const most = explained.indexOf(false);
  expect(most).toBeGreaterThan(1000);
  expect(explained).toEqual(explained.map((_, index) => index < most));
});

test("entries that differ from reserved ones, in a folder with several of these, are one warning and left alone", () => {
  const groups = (...names: readonly string[]) =>
    ["_sg_meta: {type: actiongroups}", ...names.map((name) => `${name}: ['indices:old*']`)].join("\n");
  const held = (...names: readonly string[]) => ({
    action_groups: Object.fromEntries(
      names.map((name) => [name, { reserved: true, allowed_actions: ["indices:new*"] }]),
    ),
  });
  const live = held("READ", "WRITE", "ALL");
  const two = "error reserved-differs";
  check(
    { text: `action_groups: {READ: ['indices:old*'], WRITE: ['indices:old*']}`, live },
    `${two} READ`,
    `${two} WRITE`,
  );
  check({ text: groups("READ", "WRITE", "ALL", "OURS"), live }, "warning server-owned READ");
  // What has family keys was written for gate-sync, and is no copy.
  const keyed = `action_groups: {READ: ['indices:old*'], WRITE: ['indices:old*'], ALL: ['indices:old*']}`;
  check({ text: keyed, live }, `${two} READ`, `${two} WRITE`, `${two} ALL`);
  const vendors = { roles: { sg_all_access: { reserved: true, cluster_permissions: ["a:b"] } } };
  check(
    { text: "_sg_meta: {type: roles}\nsg_all_access: {cluster_permissions: ['a:c']}", live: vendors },
    "warning server-owned sg_all_access",
  );
  // Those that are as the server has them count for what the file is.
  const same =
    "_sg_meta: {type: actiongroups}\nREAD: ['indices:new*']\nWRITE: ['indices:new*']\nALL: ['indices:old*']\n";
  check({ text: same, live }, "warning server-owned ALL");
  check({ text: groups("READ", "WRITE", "ALL"), live: { action_groups: {} } });
});

test("30 000 cycles of the server's own groups are not searched one by one", { timeout: 60_000 }, () => {
  const others = Array.from({ length: 30_000 }, (_, index) => `g${index}`);
  const cycles = Object.fromEntries(others.map((name) => [name, { allowed_actions: ["hub"] }]));
  check({
    text: "action_groups: {mine: ['x:y']}",
    live: { action_groups: { ...cycles, hub: { allowed_actions: others } } },
  });
});

test("of a service account that is declared as a user, the message says that gate-sync leaves it", () => {
  const live = { internal_users: { svc: { attributes: { service: "true" } } } };
  const text = "internal_users: {svc: {description: d}}";
  const [found] = check({ product: "opensearch", text, live }, "error reserved-differs svc");
  expect(found).toMatchObject({
    what: 'The internal user "svc" is a service account on the server, and declared with other description, attributes.',
    why: "gate-sync leaves service accounts as they are: the server makes their passwords.",
  });
});
