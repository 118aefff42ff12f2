// What a recording asks, in order: each line one request, as data. The answers go into ../fixtures.

/** What is written into each family, per line of products. */
const values = {
  "search-guard-6": {
    roles: [{ cluster: ["READ", "READ", "a"], indices: { "a*": { "*": ["READ"], _dls_: "{}" } } }, { cluster: [] }],
    rolesmapping: [{ users: ["ana", "bea"] }, { backendroles: ["hr"], hosts: [] }],
    actiongroups: [{ permissions: ["READ"] }, { permissions: [] }],
  },
  typed: {
    roles: [
      {
        cluster_permissions: ["a", "b", "a"],
        index_permissions: [{ index_patterns: ["a*"], dls: "{}", fls: ["x"], allowed_actions: ["READ"] }],
        tenant_permissions: [{ tenant_patterns: ["t*"], allowed_actions: ["kibana_all_read"] }],
        description: "d",
      },
      { cluster_permissions: [], index_permissions: [{ index_patterns: ["a*"], fls: null, masked_fields: ["ip"] }] },
    ],
    rolesmapping: [
      { users: ["ana", "bea"], description: "d" },
      { backend_roles: ["hr"], and_backend_roles: ["x"] },
    ],
    actiongroups: [{ allowed_actions: ["READ"], type: "index", description: "d" }, { allowed_actions: [] }],
    tenants: [{ description: "d" }, { description: "" }],
  },
};

/** @returns { section, as, method, path, body? }; `as` is cert, admin, readall, logstash, wrong or none */
export function requestsFor({ name, api, product }) {
  const families = values[name] ?? values.typed;
  const config = { "search-guard-6": "sgconfig", "search-guard-7": "sg_config" }[name] ?? "securityconfig";
  return [
    ...[...Object.keys(families), config].map((path) => ask("seed", "cert", "GET", path)),
    ...Object.entries(families).flatMap(([path, [first, second]]) => [
      ...written(path, first, second),
      ...refused(path, first),
      ...patched(path, first, second),
      ...flagged(path, first),
    ]),
    ...Object.keys(families).flatMap((path) => [
      ...["none", "wrong", "logstash", "readall"].map((as) => ask("access", as, "GET", `${path}/p_a`)),
      ...["logstash", "readall"].map((as) => ask("access", as, "DELETE", `${path}/p_a`)),
    ]),
    ...["%2F", "%25", "%22", "%5C", "~", "~0", "~1", "%20", "+", "%C3%BC", "__proto__"].flatMap((part) =>
      named(part, families),
    ),
    ...configured(config, name),
    ...(product === "search-guard" ? licensed() : []),
  ].map(({ path, ...rest }) => ({ ...rest, path: `${api}/${path}` }));
}

function ask(section, as, method, path, body) {
  return {
    section,
    as,
    method,
    path,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
}

function written(path, first, second) {
  const of = (method, body) => ask("write", "cert", method, `${path}/p_a`, body);
  // A mapping needs its role, which is there where a product looks for it: roles come first, and p_a of them stays.
  return [
    of("GET"),
    of("PUT", second),
    of("GET"),
    of("PUT", first),
    of("GET"),
    of("PUT", first),
    of("DELETE"),
    of("DELETE"),
  ].flatMap((request) =>
    path === "roles" && request.method === "DELETE" ? [{ ...request, path: `${path}/p_b` }] : [request],
  );
}

function refused(path, first) {
  const bodies = [
    "",
    "{",
    "{}",
    "[]",
    "null",
    "1",
    '"x"',
    { ...first, x: 1 },
    { ...first, reserved: false },
    { ...first, static: true },
  ];
  const typed = Object.entries(first).map(([key, value]) => ({ [key]: Array.isArray(value) ? "x" : [value] }));
  // Tenants take null for a value, and an entry that is null troubles its readers.
  const kept = bodies.filter((body) => !(path === "tenants" && body === "null"));
  return [...kept, ...typed].map((body) => ask("refused", "admin", "PUT", `${path}/p_x`, body));
}

function patched(path, first, second) {
  const one = `${path}/p_p`;
  const [key, value] = Object.entries(first)[0];
  const many = (operations) => ask("patch", "cert", "PATCH", path, operations);
  const single = [
    [],
    {},
    "[",
    [1],
    [{ op: "frob", path: "/x" }],
    [{ op: "add", path: "/x" }],
    [{ op: "add", path: `/${key}`, value }],
    [{ op: "replace", path: `/${key}`, value }],
    [{ op: "replace", path: `/${key}[0]`, value: "x" }],
    [{ op: "replace", path: "/nope", value: "x" }],
    [{ op: "remove", path: "/nope" }],
    [{ op: "remove", path: "/nope/deeper" }],
    [{ op: "test", path: `/${key}`, value }],
    [{ op: "test", path: `/${key}`, value: "other" }],
    [{ op: "copy", from: `/${key}`, path: `/${key}` }],
    [{ op: "add", path: "/reserved", value: true }],
    ...(Array.isArray(value)
      ? [
          [{ op: "add", path: `/${key}/-`, value: "z" }],
          [{ op: "add", path: `/${key}/99`, value: "z" }],
          [{ op: "remove", path: `/${key}/0` }],
          [{ op: "remove", path: `/${key}/99` }],
        ]
      : []),
    [{ op: "replace", path: "", value: second }],
  ];
  const role =
    path === "rolesmapping" ? [] : [ask("patch", "cert", "PATCH", one, [{ op: "add", path: `/${key}`, value }])];
  return [
    ...role,
    // Again the entry whose role is there.
    ask("patch", "cert", "PUT", `${path}/p_a`, first),
    ...single.flatMap((body) => [
      ask("patch", "cert", "PATCH", `${path}/p_a`, body),
      ...(Array.isArray(body) && body.length > 0 ? [ask("patch", "cert", "GET", `${path}/p_a`)] : []),
    ]),
    many([]),
    many([{ op: "add", path: "/p_a", value: first }]),
    many([
      { op: "add", path: `/p_a/${key}`, value },
      { op: "remove", path: "/p_nope" },
    ]),
    many([{ op: "add", path: `/p_new/${key}`, value }]),
    many([{ op: "add", path: "/p_a", value: { ...first, x: 1 } }]),
    many([{ op: "add", path: "/p_a", value: {} }]),
    many([
      { op: "remove", path: "/p_a" },
      { op: "replace", path: "/p_nope", value: first },
    ]),
    ask("patch", "cert", "GET", `${path}/p_a`),
    ...(path === "roles" ? [] : [many([{ op: "remove", path: "/p_a" }]), ask("patch", "cert", "GET", `${path}/p_a`)]),
  ];
}

function flagged(path, first) {
  return ["suite_reserved", "suite_hidden"].flatMap((entry) => [
    ask("flags", "admin", "GET", `${path}/${entry}`),
    ask("flags", "admin", "PUT", `${path}/${entry}`, first),
    ask("flags", "admin", "DELETE", `${path}/${entry}`),
    ask("flags", "admin", "PATCH", `${path}/${entry}`, [{ op: "remove", path: "/nope" }]),
    ask("flags", "admin", "PATCH", path, [{ op: "remove", path: `/${entry}` }]),
  ]);
}

function named(part, { actiongroups: [first] }) {
  const at = `actiongroups/n${part}n`;
  const pointer = `/n${decodeURIComponent(part).replaceAll("~", "~0").replaceAll("/", "~1")}p`;
  return [
    ask("names", "cert", "PUT", at, first),
    ask("names", "cert", "GET", at),
    ask("names", "cert", "DELETE", at),
    ask("names", "cert", "PATCH", "actiongroups", [{ op: "add", path: pointer, value: first }]),
    ask("names", "cert", "GET", `actiongroups/n${part}p`),
    ask("names", "cert", "PATCH", "actiongroups", [{ op: "remove", path: pointer }]),
  ];
}

function configured(path, name) {
  const put = { "search-guard-6": path, "search-guard-7": "sg_config/sg_config" }[name] ?? "securityconfig/config";
  return [
    ask("config", "admin", "PUT", put, {}),
    ask("config", "admin", "PUT", put, { dynamic: 1 }),
    ask("config", "admin", "PUT", put, { other: {} }),
    ask("config", "admin", "PUT", `${path}/other`, { dynamic: {} }),
    ask("config", "admin", "GET", put),
    ask("config", "admin", "DELETE", path),
    ask("config", "admin", "POST", path, {}),
    ask("config", "readall", "GET", path),
    ask("config", "logstash", "GET", path),
  ];
}

function licensed() {
  return [
    ask("license", "admin", "GET", "license"),
    ask("license", "admin", "PUT", "license", {}),
    ask("license", "admin", "PUT", "license", { license: "x" }),
    ask("license", "admin", "POST", "license", {}),
    ask("license", "admin", "DELETE", "license"),
    ask("license", "logstash", "GET", "license"),
  ];
}
