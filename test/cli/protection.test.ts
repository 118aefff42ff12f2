// `plan --base REF`: what protected access at a commit and does so less now, and what its files would have refused.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import type { Files } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { hasGit, onHistory } from "./history.ts";

if (!hasGit) console.warn("git is not installed: the protections of plan --base are not tested.");

const ajv = createAjv({ isStrict: false });
const schema = readSchema("plan");

interface PlanJson {
  readonly since: {
    readonly protection: readonly { kind: string; name?: string; before: string | null; after: string | null }[];
    readonly would_refuse: readonly { readonly addresses: readonly string[] }[];
  };
}

const readers = { backend_roles: ["hr"] };
const role = { index_permissions: [{ index_patterns: ["payroll-*"], allowed_actions: ["SGS_READ"] }] };
const state = { roles: { payroll: role }, role_mappings: { payroll: readers } };

const snapshot = "snapshot.json";
const outside = mkdtempSync(join(tmpdir(), "gate-sync-"));
writeFileSync(join(outside, "password"), "x");
afterAll(() => rmSync(outside, { recursive: true }));

/** As JSON, which is YAML. */
const toText = (value: unknown) => `${JSON.stringify(value).replaceAll(/\$URL/g, "URL")}\n`;
const config = (settings: object = {}, top: object = {}) =>
  toText({ targets: { prod: { url: "URL", state: ["access"] } }, defaults: settings, ...top });
const entries = (members: object = readers) =>
  toText({ roles: { payroll: role }, role_mappings: { payroll: members } });
const granted = { backend_roles: ["contractors", "hr"] };
const secret = { name: "payroll is secret", only: readers, action: "search", index: "payroll-*" };
const tests = (...all: readonly object[]) => toText({ access_tests: all });

const eve = granted;
const turned = { backend_roles: ["hr", "contractors"] };
const asked = (as: unknown) => ({ name: "eve is denied", as, action: "index", index: "payroll-1", expect: "denied" });
const except = (...personas: readonly string[]) => ({
  name: "hr only",
  only: { ...readers, personas },
  action: "index",
  index: "other-1",
});
const withPersonas = (were: object, was: object, are: object, is: object) => ({
  was: { "access/t.yml": toText({ personas: were, access_tests: [was] }) },
  now: { "access/t.yml": toText({ personas: are, access_tests: [is] }) },
});

/** What is in each file, where it is not the usual. */
interface Sides {
  readonly was?: Files;
  readonly now?: Files;
  readonly line?: string;
  /** What ADDRESS is in gate-sync.yaml of now, with PORT for the server's. */
  readonly address?: string;
  /** A link that the branch brings, and where it leads. */
  readonly link?: readonly [string, string];
}
const usual: Files = { "gate-sync.yaml": config(), "access/r.yml": entries(), "url.txt": "URL" };
const withTest: Files = { "access/t.yml": tests(secret) };

interface Shown {
  readonly code: number;
  /** Kinds, with both sides. */
  readonly lines: readonly string[];
  readonly refused: readonly string[];
}

function plan({ was, now, address, link, line = "" }: Sides): Promise<Shown & { readonly stdout: string }> {
  return new Promise((resolve, reject) => {
    onHistory({ was: { ...usual, ...was }, now: { ...usual, ...now }, state }, async (run, folder) => {
      const path = join(folder, "gate-sync.yaml");
      const [port = ""] = /\d+$/.exec(readFileSync(join(folder, "url.txt"), "utf8")) ?? [];
      const respell = (text: string) => text.replaceAll("ADDRESS", address?.replace("PORT", port) ?? "");
      if (address) writeFileSync(path, respell(readFileSync(path, "utf8")));
      if (link) rmSync(join(folder, link[0]), { recursive: true });
      if (link) symlinkSync(link[1], join(folder, link[0]));
      // Not every spelling leads anywhere on every machine.
      if (line.includes(snapshot)) await run(`export --snapshot ${snapshot} --target old`);
      const { code, stdout, stderr } = await run(`plan --base main --format json ${line}`.trim());
      if (stdout === "") throw new Error(stderr);
      const json = JSON.parse(stdout) as PlanJson;
      if (!ajv.validate(schema, json)) throw new Error(stdout);
      const { protection, would_refuse: refused } = json.since;
      resolve({
        code: code ?? 1,
        stdout,
        lines: protection.map((one) =>
          [`${one.kind}${one.name ? ` ${one.name}` : ""}`, one.before, one.after].join(" | "),
        ),
        refused: refused.flatMap(({ addresses }) => addresses),
      });
    }).catch(reject);
  });
}

const only = "{ only: { backend_roles: [hr] }, action: search, index: payroll-* }";
const protect = { protect: ["role_mappings/payroll"] };
const share = (settings: object) => config({}, { owners: { "access/pay": { team: "pay", ...settings } } });

const targets = (all: Readonly<Record<string, object>>, top: object = {}) => {
  const each = Object.entries(all).map(([name, settings]) => [name, { url: "URL", state: ["access"], ...settings }]);
  return toText({ targets: Object.fromEntries(each), ...top });
};
const unmapped = toText({ roles: { payroll: role } });
const ofMappings = (settings: object) => config({ families: { role_mappings: settings } });
/** Without the mapping that the server has. */
const other = toText({ roles: { payroll: role }, role_mappings: { x_new: { users: ["ann"] } } });
const isText = (value: unknown) => typeof value === "string";
const strict = (tries: number) =>
  toText({ config: { dynamic: { auth_failure_listeners: { ip: { type: "ip", allowed_tries: tries } } } } });
const observed = { families: { config: { mode: "observe" } } };
const inVariable = { ...protect, url: "$" + "{var:at}" };
const vars = { defaults: { vars: { at: "URL" } } };
const [loud, silenced] = ["", " # gate-sync-ignore all-pattern later"];
/** An element of each role for each of its comments. */
const rolesOf = (all: Readonly<Record<string, readonly string[]>>) => {
  const element = (comment: string) => `      - index_patterns: ["*"]${comment}\n        allowed_actions: [SGS_READ]\n`;
  const each = Object.entries(all).map(
    ([name, comments]) => `  ${name}:\n    index_permissions:\n${comments.map(element).join("")}`,
  );
  return `roles:\n${each.join("")}`;
};
const elsewhere = { url: "http://127.0.0.1:1" };
/** Which of the base counts for a plan that grants what one target of it protects. */
const ofTarget = (was: Readonly<Record<string, object>>, now: Readonly<Record<string, object>>, line?: string) => ({
  was: { "gate-sync.yaml": targets(was) },
  now: { "gate-sync.yaml": targets(now), "access/r.yml": entries(granted) },
  ...(line !== undefined && { line: `--target ${line}` }),
});
const lost = { shows: ["protect | [role_mappings/payroll] | "], refuses: ["role_mappings/payroll"] };
const goneAnd = (name: string, more: typeof lost = lost) => ({
  ...more,
  shows: [`targets ${name} | declared | `, ...more.shows],
});

const spellings = [
  "http://localhost:PORT",
  "http://127.0.0.1:PORT/",
  "http://LOCALHOST.:PORT",
  "http://127.1:PORT",
  "http://[::1]:PORT",
  "http://[::ffff:127.0.0.1]:PORT",
  "https://db.localhost:PORT",
];

const cases: Readonly<
  Record<string, Sides & { readonly shows: readonly string[]; readonly refuses?: readonly string[] }>
> = {
  "nothing, where nothing is weaker": { was: withTest, now: withTest, shows: [] },
  "nothing, where a protection is added": {
    now: {
      ...withTest,
      "gate-sync.yaml": config({ ...protect, lint: { "all-pattern": "error" } }, { allowed_hosts: ["127.0.0.1"] }),
    },
    shows: [],
  },
  "nothing, where a setting moves from a target to the defaults": {
    was: { "gate-sync.yaml": toText({ targets: { prod: { url: "URL", state: ["access"], ...protect } } }) },
    now: { "gate-sync.yaml": config(protect) },
    shows: [],
  },
  "nothing, where a test is moved, renamed, divided and made stricter": {
    was: { "access/t.yml": tests({ ...secret, action: ["search", "get"] }) },
    now: { "access/other.yml": tests({ ...secret, name: "a" }, { ...secret, name: "b", action: "get", only: {} }) },
    shows: [],
    refuses: ["?"],
  },
  "nothing, where hosts are named that a pattern allowed": {
    was: { "gate-sync.yaml": config({}, { allowed_hosts: ["127.0.0.1", "*.example"] }) },
    now: { "gate-sync.yaml": config({}, { allowed_hosts: ["127.0.0.1", "a.example", "B.example"] }) },
    shows: [],
  },
  "hosts that no pattern allowed": {
    was: { "gate-sync.yaml": config({}, { allowed_hosts: ["127.0.0.1", "?.example"] }) },
    now: { "gate-sync.yaml": config({}, { allowed_hosts: ["127.0.0.1", "*.example"] }) },
    shows: ["allowed_hosts | [127.0.0.1, ?.example] | [127.0.0.1, *.example]"],
  },
  "a test that is deleted, of what is not granted": {
    was: withTest,
    shows: [`access_tests payroll is secret | ${only} | `],
  },
  "a test that is deleted with the grant that it forbids": {
    was: withTest,
    now: { "access/r.yml": entries(granted) },
    shows: [`access_tests payroll is secret | ${only} | `],
    refuses: ["role_mappings/payroll"],
  },
  "a test that is loosened for the grant": {
    was: withTest,
    now: { "access/r.yml": entries(granted), "access/t.yml": tests({ ...secret, only: granted }) },
    shows: [`access_tests payroll is secret | ${only} | ${only.replace("[hr]", "[contractors, hr]")}`],
    refuses: ["role_mappings/payroll"],
  },
  "a test that failed by others of the same number": {
    was: { ...withTest, "access/r.yml": entries({ ...readers, users: ["aaa", "zed"] }) },
    now: { "access/r.yml": entries({ ...readers, users: ["aaa", "yyy"] }) },
    shows: [`access_tests payroll is secret | ${only} | `],
    refuses: ["role_mappings/payroll"],
  },
  "a test that failed by some of these": {
    was: { ...withTest, "access/r.yml": entries({ ...readers, users: ["aaa", "zed"] }) },
    now: { "access/r.yml": entries({ ...readers, users: ["aaa"] }) },
    shows: [`access_tests payroll is secret | ${only} | `],
  },
  "a persona that is another now": {
    was: {
      "access/t.yml": toText({
        personas: { eve: granted },
        ...{ access_tests: [{ as: "eve", action: "index", index: "payroll-1", expect: "denied" }] },
      }),
    },
    now: {
      "access/t.yml": toText({
        personas: { eve: { user: "x" } },
        access_tests: [{ as: "eve", action: "index", index: "payroll-1", expect: "denied" }],
      }),
    },
    shows: ["personas eve | { backend_roles: [contractors, hr] } | { user: x }"],
  },
  ...Object.fromEntries(
    (
      [
        ["has another name", { eve }, asked("eve"), { eva: eve }, asked("eva")],
        ["is written in the test itself", { eve }, asked("eve"), {}, asked(eve)],
        ["was written in the test itself", {}, asked(eve), { eve }, asked("eve")],
        ["says that it has no attributes", { eve }, asked("eve"), { eve: { ...eve, attributes: {} } }, asked("eve")],
        ["says no more that it has no attributes", {}, asked({ ...eve, attributes: {} }), {}, asked(eve)],
        ["has its roles in another order", { eve }, asked("eve"), { eve: turned }, asked("eve")],
        ["has another name and is excepted", { eve }, except("eve"), { eva: eve }, except("eva")],
        ["has another name and is asked with all", { eve }, except(), { eva: eve }, except()],
        ["is another where no test of the base asks", { eve, bob: { user: "b" } }, asked("eve"), { eve }, asked("eve")],
      ] as const
    ).map(([about, were, was, are, is]) => [
      `nothing of a persona that ${about}`,
      { ...withPersonas(were, was, are, is), shows: [] },
    ]),
  ),
  "a persona that is another now, and is asked with all": {
    ...withPersonas({ eve }, except(), { eve: { user: "x" } }, except()),
    shows: ["personas eve | { backend_roles: [contractors, hr] } | { user: x }"],
  },
  "a persona that is another now, and is excepted": {
    ...withPersonas({ eve, bob: { user: "b" } }, except("eve"), { eve: { user: "b" }, bob: eve }, except("eve")),
    shows: ["personas eve | { backend_roles: [contractors, hr] } | { user: b }"],
  },
  "a persona that has the name of another": {
    ...withPersonas({ eve, bob: { user: "b" } }, asked("eve"), { eve: { user: "b" }, bob: eve }, asked("eve")),
    shows: ["personas eve | { backend_roles: [contractors, hr] } | { user: b }"],
  },
  "a test that is deleted with its persona": {
    ...withPersonas({ eve }, asked("eve"), {}, except()),
    shows: ["access_tests eve is denied | { as: eve, action: index, index: payroll-1, expect: denied } | "],
  },
  "a file of tests that is taken out of the state": {
    was: {
      "gate-sync.yaml": toText({ targets: { prod: { url: "URL", state: ["access", "tests"] } } }),
      "tests/t.yml": tests(secret),
    },
    now: { "tests/t.yml": tests(secret), "access/r.yml": entries(granted) },
    shows: [`access_tests payroll is secret | ${only} | `],
    refuses: ["role_mappings/payroll"],
  },
  "a test that expects access, and goes with it": {
    was: {
      "access/t.yml": tests({ name: "hr reads", as: readers, action: "search", index: "payroll-1", expect: "allowed" }),
    },
    now: { "access/r.yml": entries({ backend_roles: ["others"] }) },
    shows: [
      "access_tests hr reads | { as: { backend_roles: [hr] }, action: search, index: payroll-1, expect: allowed } | ",
    ],
  },
  protect: {
    was: { "gate-sync.yaml": config(protect) },
    now: { "access/r.yml": entries(granted) },
    shows: ["protect | [role_mappings/payroll] | "],
    refuses: ["role_mappings/payroll"],
  },
  limits: {
    was: { "gate-sync.yaml": config({ families: { role_mappings: { changes: { count: 0 } } } }) },
    now: { "access/r.yml": entries(granted) },
    shows: ["families.role_mappings.changes.count | 0 | any number"],
    refuses: ["role_mappings/payroll"],
  },
  owners: {
    was: { "gate-sync.yaml": share({ names: ["payroll2"], index_patterns: ["other-*"] }), "access/pay/x.txt": "" },
    now: {
      "gate-sync.yaml": share({ names: ["payroll2"], index_patterns: ["payroll-*"], action_groups: ["SGS_READ"] }),
      "access/pay/r.yml": toText({ roles: { payroll2: role } }),
    },
    shows: [
      "owners access/pay | { team: pay, names: [payroll2], index_patterns: [other-*] } | { team: pay, names: [payroll2], index_patterns: [payroll-*], action_groups: [SGS_READ] }",
    ],
    refuses: ["roles/payroll2"],
  },
  "nothing of a folder of an owner that is written otherwise": {
    was: { "gate-sync.yaml": share({ names: ["x"] }), "access/pay/x.txt": "" },
    now: {
      "gate-sync.yaml": config({}, { owners: { "./access//pay/": { team: "pay", names: ["x"] } } }),
      "access/pay/x.txt": "",
    },
    shows: [],
  },
  "the owner of a folder that is written otherwise, of which the first counts": {
    was: { "gate-sync.yaml": share({ names: ["x"] }), "access/pay/x.txt": "" },
    now: {
      "gate-sync.yaml": config(
        {},
        {
          owners: {
            "access/pay/": { team: "pay", names: ["*"] },
            "access/pay": { team: "pay", names: ["x"] },
          },
        },
      ),
      "access/pay/x.txt": "",
    },
    shows: ["owners access/pay | { team: pay, names: [x] } | { team: pay, names: [*] }"],
  },
  "the severity of a lint rule": {
    was: { "gate-sync.yaml": config({ lint: { "unmapped-role": "error" } }) },
    now: { "access/r.yml": toText({ roles: { payroll: role, lonely: {} }, role_mappings: { payroll: readers } }) },
    shows: ["lint unmapped-role | error | warning"],
    refuses: ["roles/lonely"],
  },
  "a query that is not valid, by now a warning": {
    now: { "gate-sync.yaml": config({ lint: { "dls-not-json": "warning" } }) },
    shows: ["lint dls-not-json | error | warning"],
  },
  "a query that is not valid, and is written": {
    now: {
      "gate-sync.yaml": config({ lint: { "dls-not-json": "warning" } }),
      "access/q.yml": toText({
        roles: { odd: { index_permissions: [{ ...role.index_permissions[0], dls: "team:red" }] } },
      }),
    },
    shows: ["lint dls-not-json | error | warning"],
    refuses: ["roles/odd"],
  },
  "warnings that end a run": {
    was: { "gate-sync.yaml": config({ fail_on: "warning" }) },
    now: { "gate-sync.yaml": config() },
    shows: ["fail_on | warning | "],
  },
  "the severity of a lint rule, of one entry more than the base has": {
    was: { "gate-sync.yaml": config({ lint: { "unmapped-role": "error" } }), "access/l.yml": "roles: { old: {} }" },
    now: { "access/l.yml": "roles: { old: {}, fresh: {} }" },
    shows: ["lint unmapped-role | error | warning"],
    refuses: ["roles/fresh"],
  },
  "what is not its own, and its mode": {
    was: { "gate-sync.yaml": config({ families: { roles: { exclude: ["x_*"] } } }) },
    now: { "gate-sync.yaml": config({ families: { roles: { mode: "observe", include: ["payroll"] } } }) },
    shows: [
      "families.roles.mode | manage | observe",
      "families.roles.include |  | [payroll]",
      "families.roles.exclude | [x_*] | ",
    ],
  },
  "an entry that is marked reserved": {
    now: {
      "access/r.yml": toText({ roles: { payroll: { ...role, reserved: true } }, role_mappings: { payroll: readers } }),
    },
    shows: ["reserved roles/payroll |  | true"],
  },
  "an entry that was reserved, and is written": {
    was: {
      "access/r.yml": toText({ roles: { payroll: role }, role_mappings: { payroll: { ...readers, reserved: true } } }),
    },
    now: { "access/r.yml": entries(granted) },
    shows: ["reserved role_mappings/payroll | true | "],
  },
  "a waiver that is new, and one that lasts longer": {
    was: {
      "waivers.yaml": toText({
        waivers: [{ rule: "deletions", addresses: ["roles/a"], reason: "x", until: "2090-01-01" }],
      }),
    },
    now: {
      "waivers.yaml": toText({
        waivers: [
          { rule: "deletions", addresses: ["roles/a"], reason: "x" },
          { rule: "protection", addresses: ["access_tests/a", "files/b"], reason: "x", until: "2091-01-01" },
        ],
      }),
    },
    shows: [
      "waivers deletions=roles/a | 2090-01-01 | no end",
      "waivers protection=access_tests/a |  | 2091-01-01",
      "waivers protection=files/b |  | 2091-01-01",
    ],
  },
  "a comment that silences a rule": {
    was: { "access/r.yml": "roles: { lonely: {} }\n" },
    now: {
      "access/r.yml": "roles:\n  lonely:\n    description: may be a secret # gate-sync-ignore unmapped-role later\n",
    },
    shows: ["gate-sync-ignore unmapped-role roles/lonely description |  | unmapped-role"],
  },
  "such a comment behind the name of a role": {
    was: { "access/l.yml": "roles:\n  lonely: {}\n" },
    now: { "access/l.yml": "roles:\n  lonely: {} # gate-sync-ignore unmapped-role later\n" },
    shows: ["gate-sync-ignore unmapped-role roles/lonely |  | unmapped-role"],
  },
  "such a comment that is moved to the same key of another role": {
    was: { "access/l.yml": rolesOf({ a: [silenced], b: [loud] }) },
    now: { "access/l.yml": rolesOf({ a: [loud], b: [silenced] }) },
    shows: ["gate-sync-ignore all-pattern roles/b index_patterns |  | all-pattern"],
  },
  "such a comment that is there once more": {
    was: { "access/l.yml": rolesOf({ a: [silenced, loud] }) },
    now: { "access/l.yml": rolesOf({ a: [silenced, silenced] }) },
    shows: ["gate-sync-ignore all-pattern roles/a index_patterns (2) |  | all-pattern"],
  },
  "nothing of two such comments of which the first goes, in a file that is renamed": {
    was: { "access/l.yml": rolesOf({ a: [silenced, silenced] }) },
    now: { "access/new.yml": rolesOf({ a: [loud, silenced] }) },
    shows: [],
  },
  "hosts, waves, the check, who administers, and a target that goes": {
    was: {
      "gate-sync.yaml": toText({
        targets: { prod: { url: "URL", state: ["access"] }, dev: { url: "http://127.0.0.1:1" } },
        defaults: { admin_roles: ["all_access"] },
        allowed_hosts: ["127.0.0.1"],
        waves: ["dev", "prod"],
        check: ["true"],
      }),
    },
    now: { "gate-sync.yaml": config({ admin_roles: ["other"] }, { allowed_hosts: ["*.example", "127.0.0.1"] }) },
    shows: [
      "targets dev | declared | ",
      "allowed_hosts | [127.0.0.1] | [*.example, 127.0.0.1]",
      "waves | [dev, prod] | ",
      "check | [true] | ",
      "admin_roles | [all_access] | [other]",
    ],
  },
  "protection of a target that has another name": { ...ofTarget({ old: protect }, { prod: {} }), ...lost },
  "nothing of a target that has another name only": {
    was: { "gate-sync.yaml": targets({ old: protect, dev: elsewhere }) },
    now: { "gate-sync.yaml": targets({ prod: protect, dev: elsewhere }) },
    line: "--target prod",
    shows: [],
  },
  "nothing of such a target where another one is planned": {
    was: { "gate-sync.yaml": targets({ old: elsewhere, dev: {} }) },
    now: { "gate-sync.yaml": targets({ prod: elsewhere, dev: {} }) },
    line: "--target dev",
    shows: [],
  },
  "of one that has another name and a new address": {
    ...ofTarget({ old: { ...protect, ...elsewhere } }, { prod: {} }),
    ...goneAnd("old"),
  },
  ...Object.fromEntries(
    spellings.map((address) => [
      `of one beside which there is another at ${address}`,
      {
        ...ofTarget({ old: protect }, { old: protect, prod: { url: "ADDRESS" } }, `prod --live ${snapshot}`),
        address,
        ...lost,
      },
    ]),
  ),
  "of one beside which there is another, its address in a variable": {
    was: { "gate-sync.yaml": targets({ old: inVariable }, vars) },
    now: { "gate-sync.yaml": targets({ old: inVariable, prod: {} }, vars), "access/r.yml": entries(granted) },
    line: "--target prod",
    ...lost,
  },
  "of one that moved, and left its address to another": {
    ...ofTarget({ old: protect, prod: {} }, { old: { ...protect, ...elsewhere }, prod: {} }, "prod"),
    ...lost,
  },
  "of two at one address, of which one is left": {
    ...ofTarget({ old: protect, prod: {} }, { prod: {} }),
    ...goneAnd("old"),
  },
  "of two at one address, which are one now": {
    ...ofTarget({ a: {}, b: protect }, { prod: {} }),
    // One has another name now, and one is gone.
    ...goneAnd("b"),
  },
  "nothing of a target beside this one that is as it was": {
    ...ofTarget({ old: protect, prod: {} }, { old: protect, prod: {} }, "prod"),
    shows: [],
  },
  "nothing of a target that goes and was elsewhere": {
    ...ofTarget({ old: { ...protect, ...elsewhere }, prod: {} }, { prod: {} }),
    shows: ["targets old | declared | "],
  },
  "what was of others, and is declared": {
    was: { "gate-sync.yaml": ofMappings({ exclude: ["pay*"] }), "access/r.yml": unmapped },
    now: { "access/r.yml": entries(granted) },
    shows: ["families.role_mappings.mode |  | manage", "families.role_mappings.exclude | [pay*] | "],
    refuses: ["role_mappings/payroll"],
  },
  "what was of others, and is declared as it is": {
    was: { "gate-sync.yaml": ofMappings({ include: ["x*"] }), "access/r.yml": unmapped },
    shows: ["families.role_mappings.mode |  | manage", "families.role_mappings.include | [x*] | "],
  },
  ...Object.fromEntries(
    ["observe", "adopt"].map((mode) => [
      `that entries are written which were not, by ${mode}`,
      {
        was: { "gate-sync.yaml": ofMappings({ mode }) },
        now: { "access/r.yml": entries(granted) },
        shows: [`families.role_mappings.mode | ${mode} | manage`],
        ...(mode === "observe" && { refuses: ["role_mappings/payroll"] }),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      exclude: { exclude: ["payroll"] },
      include: { include: ["x*"] },
      observe: { mode: "observe" },
      adopt: { mode: "adopt" },
    }).map(([key, settings]) => [
      `that an entry is deleted which was left, by ${key}`,
      {
        was: { "gate-sync.yaml": ofMappings(settings), "access/r.yml": other },
        now: { "access/r.yml": other },
        shows: Object.entries(settings).map(
          ([name, value]) =>
            `families.role_mappings.${name} | ${isText(value) ? value : `[${value}]`} | ${isText(value) ? "manage" : ""}`,
        ),
        // Not even what is new is written there.
        refuses: ["role_mappings/payroll", ...(key === "observe" ? ["role_mappings/x_new"] : [])],
      },
    ]),
  ),
  "that an entry is deleted of a type that only these files declare": {
    was: { "access/r.yml": unmapped },
    now: { "access/r.yml": other },
    shows: ["families.role_mappings.mode |  | manage"],
    refuses: ["role_mappings/payroll"],
  },
  "nothing of entries of a type that only these files declare": {
    was: { "access/r.yml": unmapped },
    now: {
      "access/r.yml": toText({
        roles: { payroll: role },
        role_mappings: { payroll: granted, x_new: { users: ["ann"] } },
      }),
    },
    shows: ["families.role_mappings.mode |  | manage"],
  },
  "nothing of files that are the first": {
    was: { "access/r.yml": "" },
    now: { "access/r.yml": other },
    shows: [],
  },
  "nothing of a deletion that the base plans as well": {
    was: { "gate-sync.yaml": ofMappings({ exclude: ["x*"] }), "access/r.yml": other },
    now: { "access/r.yml": other },
    shows: ["families.role_mappings.exclude | [x*] | "],
  },
  "that the config is written which was only compared": {
    was: { "gate-sync.yaml": config(observed), "access/c.yml": strict(5) },
    now: { "access/c.yml": strict(4) },
    shows: ["families.config.mode | observe | manage"],
    refuses: ["config"],
  },
  "who administers, where that was what products let in": {
    was: { "access/r.yml": entries() },
    now: {
      "gate-sync.yaml": config({ admin_roles: ["nobody"] }),
      "access/m.yml": toText({ role_mappings: { SGS_ALL_ACCESS: { users: ["eve"] } } }),
    },
    shows: ["admin_roles |  | [nobody]"],
    refuses: ["role_mappings/SGS_ALL_ACCESS"],
  },
  "by its own secret_files, which the branch drops": {
    was: {
      "gate-sync.yaml": config(protect, { secret_files: ["/usr/share"] }),
      "access/u.yml": toText({ internal_users: { ann: { password: "$" + "{file:/usr/share/none}" } } }),
    },
    now: { "access/r.yml": entries(granted) },
    ...lost,
  },
  "a field that it does not accept": {
    now: {
      "gate-sync.yaml": config({ accept_fields: ["x"] }),
      "access/r.yml": toText({ roles: { payroll: { ...role, x: 1 } }, role_mappings: { payroll: readers } }),
    },
    shows: ["accept_fields |  | [x]"],
    refuses: ["roles/payroll"],
  },
  "another API key that counts as known": {
    was: { "gate-sync.yaml": config({ api_keys: ["ci"] }) },
    now: { "gate-sync.yaml": config({ api_keys: ["ci", "mine"] }) },
    shows: ["api_keys | [ci] | [ci, mine]"],
  },
  "a file that it does not let state files read": {
    was: { "gate-sync.yaml": config(observed) },
    now: {
      "gate-sync.yaml": config(observed, { secret_files: [outside] }),
      "access/c.yml": toText({
        config: {
          dynamic: {
            authc: {
              ldap: {
                authentication_backend: { type: "ldap", config: { password: "$" + `{file:${outside}/password}` } },
              },
            },
          },
        },
      }),
    },
    shows: [`secret_files |  | [${outside}]`],
    refuses: ["files/access/c.yml"],
  },
  "by its own secrets, where a link leads elsewhere now": {
    was: {
      "gate-sync.yaml": config({ ...protect, families: { internal_users: { mode: "manage" } } }),
      "access/u.yml": toText({
        generate: {
          for_each: [{ name: "ann" }],
          as: "one",
          internal_users: { ["$" + "{each:one.name}"]: { password: "$" + "{file:../keys/ann}" } },
        },
      }),
      "keys/ann": "x",
    },
    now: { "access/r.yml": entries(granted) },
    link: ["keys", "/etc"],
    ...lost,
    shows: [...lost.shows, "families.internal_users.mode | manage | "],
  },
  "though a file of then has errors": {
    was: { "gate-sync.yaml": config(protect), "access/broken.yml": "roles: [\n", ...withTest },
    now: { "access/r.yml": entries(granted) },
    shows: [`access_tests payroll is secret | ${only} | `, ...lost.shows],
    refuses: ["role_mappings/payroll", "role_mappings/payroll"],
  },
  "where gate-sync.yaml is in another folder now": {
    was: { "conf/gate-sync.yaml": config(protect), "conf/access/r.yml": entries() },
    now: { "other/gate-sync.yaml": config(), "other/access/r.yml": entries(granted) },
    line: "--config other/gate-sync.yaml",
    ...lost,
  },
  "where a link leads to another gate-sync.yaml now": {
    was: {
      "conf/gate-sync.yaml": config(protect),
      "conf/access/r.yml": entries(),
      "other/gate-sync.yaml": targets({ dev: elsewhere }),
    },
    now: { "other/gate-sync.yaml": config(), "other/access/r.yml": entries(granted) },
    link: ["conf", "other"],
    line: "--config conf/gate-sync.yaml",
    ...lost,
  },
};

describe.skipIf(!hasGit)("the protections of --base", () => {
  test.for(Object.entries(cases))("%s", async ([, { shows, refuses = [], ...sides }], { expect }) => {
    const { code, lines, refused } = await plan(sides);
    expect(lines).toEqual(shows);
    if (refuses[0] === "?") return;
    expect({ code, refused }).toEqual({ code: refuses.length > 0 ? 4 : 0, refused: refuses });
  });
});

const protectedThen: Sides = {
  was: { ...withTest, "gate-sync.yaml": config(protect) },
  now: { "access/r.yml": entries(granted) },
};

/** Files of then, and another way to the same. */
const linked: Readonly<Record<string, readonly [was: Files, line?: string]>> = {
  "gate-sync.yaml is a link": [{ "gate-sync.yaml": "-> shared.yaml", "shared.yaml": config(protect) }],
  "its folder is a link": [
    {
      linked: "-> real",
      "real/gate-sync.yaml": config(protect),
      "real/access/r.yml": entries(),
      "real/access/t.yml": tests(secret),
    },
    "--config linked/gate-sync.yaml",
  ],
  "its state folder is a link": [
    { access: "-> real", "real/r.yml": entries(), "real/t.yml": tests(secret), "gate-sync.yaml": config(protect) },
  ],
  "a link leads to its state": [
    {
      "gate-sync.yaml": config({ ...protect, state: ["in/y"] }).replace('"access"', '"in/y"'),
      in: "-> x",
      "x/y/r.yml": entries(),
      "x/y/t.yml": tests(secret),
    },
  ],
};

describe.skipIf(!hasGit)("what the base would refuse", () => {
  test.for(Object.entries(linked))("is the same where %s", ([, [was, line = ""]], { expect }) => {
    const { "access/r.yml": _, "access/t.yml": __, ...others } = { ...usual, ...withTest };
    const own = Object.keys(was).some((path) => /access|real|in$/.test(path)) ? others : { ...usual, ...withTest };
    const folder = line === "" ? "" : "linked/";
    const now = { [`${folder}gate-sync.yaml`]: config(), [`${folder}access/r.yml`]: entries(granted) };
    return onHistory({ was: { ...own, ...was }, now, state }, async (run) => {
      const { stdout, code } = await run(`plan --base main --format json ${line}`.trim());
      const { since } = JSON.parse(stdout);
      expect([code, since.turned_to_manage]).toEqual([4, []]);
      expect(since.protection.map(({ kind }: { kind: string }) => kind)).toEqual(["access_tests", "protect"]);
    });
  });

  test.for<[string, boolean, object, object]>([
    ["no", true, { old: {} }, { prod: {} }],
    ["each", false, { old: elsewhere }, { prod: {} }],
    ["each", false, { old: {} }, { prod: {}, old: elsewhere }],
  ])("says that %s type turns to manage, where a target has another name: %s", ([, isRenamed, was, now], { expect }) =>
    onHistory(
      {
        was: { ...usual, "gate-sync.yaml": targets(was as Readonly<Record<string, object>>) },
        now: { ...usual, "gate-sync.yaml": targets(now as Readonly<Record<string, object>>) },
        state,
      },
      async (run) => {
        const { stdout } = await run("plan --base main --format json --target prod");
        expect(JSON.parse(stdout).since.turned_to_manage.length === 0).toBe(isRenamed);
      },
    ),
  );

  test("is waived by address, and is no part of the fingerprint", async ({ expect }) => {
    const refused = await plan(protectedThen);
    expect(refused.refused).toEqual(["role_mappings/payroll", "role_mappings/payroll"]);
    const waived = await plan({ ...protectedThen, line: "--allow protection=role_mappings/payroll" });
    expect(waived.code).toBe(0);
    const of = ({ stdout }: { stdout: string }) => JSON.parse(stdout).fingerprint;
    const { now = {} } = protectedThen;
    const other = await plan({ was: now, now });
    expect([of(waived), JSON.parse(other.stdout).operations]).toEqual([
      of(refused),
      JSON.parse(refused.stdout).operations,
    ]);
  });

  test("is not repeated where a waiver of the guard itself admits it", async ({ expect }) => {
    const { was: { "access/t.yml": _, ...was } = {}, now = {} } = protectedThen;
    expect(await plan({ was, now, line: "--allow protected=role_mappings/payroll" })).toMatchObject({
      code: 0,
      refused: [],
    });
  });

  test("is not repeated where its own files refuse it", async ({ expect }) => {
    const { was = {}, now = {} } = protectedThen;
    const { refused, stdout } = await plan({ was, now: { ...was, ...now } });
    expect([refused, JSON.parse(stdout).violations.map(({ rule }: { rule: string }) => rule)]).toEqual([
      [],
      ["protected", "access-tests"],
    ]);
  });

  test("is not what the plan of the base breaks as well", async ({ expect }) => {
    const was = { "access/r.yml": entries(granted), "gate-sync.yaml": config(protect), ...withTest };
    expect(await plan({ was, now: { "access/r.yml": entries(granted) } })).toMatchObject({ code: 0, refused: [] });
  });

  test("is shown as a section in text and Markdown", ({ expect }) =>
    onHistory(
      { was: { ...usual, ...protectedThen.was }, now: { ...usual, ...protectedThen.now }, state },
      async (run) => {
        for (const format of ["text", "markdown"]) {
          const { stdout, code } = await run(`plan --base main --format ${format}`);
          expect(code).toBe(4);
          expect(stdout).toMatch(/Protection.*\n.*access_tests payroll is secret \(access\/t.yml:1:26 at main\)/);
          expect(stdout).toMatch(/was: \{ only/);
          // Both that the test and that protect forbid it are waived by one.
          expect(stdout.match(/guard .?protection/g)).toHaveLength(2);
          expect(stdout.match(/--allow protection=role_mappings\/payroll/g)).toHaveLength(1);
          expect(stdout.match(/rule: protection/g)).toHaveLength(1);
        }
      },
    ));

  test.for<[string, Files, string]>([
    [
      "in part, where a state file has errors",
      { "access/t.yml": "access_tests: [\n" },
      "At main state files have errors (1), such as access/t.yml:1:15 (syntax): what they protect is known in part.",
    ],
    [
      "in part, where a test cannot be asked",
      { "access/t.yml": "access_tests:\n  - { name: t, as: { user: ana }, action: read, index: a, expect: denied }\n" },
      "At main state files have errors (1), such as access/t.yml:2:13 (bad-access-test): what they protect is known in part.",
    ],
    ["where gate-sync.yaml has errors", { "gate-sync.yaml": "targets: [\n" }, "weaker than at main: gate-sync.yaml"],
    ["where there is none", { "gate-sync.yaml": "" }, "main has no target prod, and none at its address"],
    ["where none was there", { "gate-sync.yaml": "-" }, "main has no gate-sync.yaml"],
    [
      "where gate-sync.yaml is a link out of the repository",
      { "gate-sync.yaml": "-> /x.yaml" },
      "weaker than at main: gate-sync.yaml cannot be read: at main it is a link that leads out of the repository.",
    ],
  ])("is unknown, and said, %s", ([, was, note], { expect }) => {
    const { "gate-sync.yaml": written, ...others } = { ...usual, ...was };
    const then = written === "-" ? others : { ...others, "gate-sync.yaml": written ?? "" };
    return onHistory({ was: then, now: usual, state }, async (run) => {
      const { stdout, code } = await run("plan --base main");
      expect(code).toBe(0);
      expect(stdout.replace(/\s+/g, " ")).toContain(note);
    });
  });

  test("is reported once for several targets", ({ expect }) => {
    const of = (settings: object) =>
      toText({
        targets: { a: { url: "URL" }, b: { url: "URL" } },
        defaults: { auth: { username: "x", password: "$" + "{env:P}" }, state: ["access"], ...settings },
      });
    const was = { ...usual, ...withTest, "gate-sync.yaml": of({}) };
    const now = { "access/r.yml": entries(granted), "gate-sync.yaml": of({}) };
    return onHistory({ was, now, state }, async (run) => {
      const { stdout, code } = await run("plan --all-targets --base main", { P: "x" });
      expect(code).toBe(4);
      expect(stdout.match(/access_tests payroll is secret/g)).toHaveLength(1);
      const { stdout: json } = await run("plan --all-targets --base main --format json", { P: "x" });
      const ofFleets = createAjv({ isStrict: false }).addSchema([schema, readSchema("diagnostics")]);
      expect(ofFleets.validate(readSchema("fleet"), JSON.parse(json))).toBe(true);
      expect(json).toContain('"kind": "access_tests"');
    });
  });
});
