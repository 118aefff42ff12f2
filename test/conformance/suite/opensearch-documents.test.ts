// Audit, the lists that close the API, and node certificates: families of OpenSearch that grant no one access by roles.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Policies } from "../../../src/model/policy.ts";
import { type Case, given, onServers, playCase, reported, where } from "./case.ts";
import { inRepository, type Repository } from "./repository.ts";
import { holding, lacking } from "./shows.ts";
import type { Answered, Facts, Stage } from "./stage.ts";

onServers("usual", "documents of OpenSearch", (_, facts) => [
  ...where(facts.product === "opensearch", [...audit, ...listsOf(facts).flatMap(closing), ...certificates]),
  ...where(facts.product === "search-guard", [
    {
      title: "there is none of them",
      steps: segments.map((path) => ({ ask: `GET ${path}`, status: 404, shows: absent })),
    },
  ]),
]);

onServers("each-product", "gate-sync and documents of OpenSearch", ({ api }, { product }) => [
  ...where(product === "opensearch", [...managed(api), ...closed(api)]),
  ...where(product === "search-guard", [
    {
      title: "a file of one of them is noted, and nothing of it is sent",
      steps: withDocuments({}, async ({ repository }) => {
        repository.declare({ "audit.yml": { config: { enabled: false } } });
        expect((await repository.run("plan")).stdout).toContain("has no audit configurations");
        expect(await repository.applied()).toEqual([]);
      }),
    },
  ]),
]);

const segments = ["audit", "whitelist", "allowlist", "nodesdn"];
/** The whole path is then that of a document in an index. */
const absent = /no such index/;

/** The lists that a release has. */
function listsOf({ name }: Facts): readonly string[] {
  return name === "opensearch-3" ? ["allowlist"] : ["allowlist", "whitelist"];
}

const unparsable = { status: "error", reason: "Could not parse content of request." };
const bodyRequired = { status: "error", reason: "Request body required for this action." };

/** What 2.19.1 makes of a PUT of two lists. */
const filled = {
  enabled: true,
  audit: {
    ignore_users: expect.toSatisfy((users: readonly string[]) => [...users].sort().join() === "a,b"),
    disabled_rest_categories: ["AUTHENTICATED"],
    // From 3.8 on with others.
    disabled_transport_categories: expect.arrayContaining(["AUTHENTICATED", "GRANTED_PRIVILEGES"]),
    log_request_body: true,
    resolve_bulk_requests: false,
  },
  compliance: { enabled: true, internal_config: false, read_metadata_only: false, write_metadata_only: false },
};

/** For all who may use the API. */
const audit: readonly Case[] = [
  {
    title: "audit: PUT replaces all, what is absent gets the defaults of the code, and categories their upper case",
    steps: puttingBack([
      {
        ask: "PUT audit/config",
        who: "admin",
        send: { audit: { disabled_rest_categories: ["authenticated"], ignore_users: ["b", "a"] } },
        status: 200,
        shows: reported(200, "'config' updated."),
      },
      { ask: "GET audit", who: "admin", status: 200, shows: holding({ config: filled }) },
    ]),
  },
  {
    title: "audit: unknown keys and categories are refused, and so are bodies without a key",
    steps: puttingBack([
      { ask: "PUT audit/config", send: {}, status: 400, shows: bodyRequired },
      { ask: "PUT audit/config", send: { audit: { suite_x: 1 } }, status: 400, shows: unparsable },
      { ask: "PUT audit/config", send: { enabled: "suite" }, status: 400, shows: unparsable },
      {
        ask: "PUT audit/config",
        send: { compliance: { read_watched_fields: { index: "field" } } },
        status: 400,
        shows: unparsable,
      },
      {
        ask: "PUT audit/config",
        send: { audit: { disabled_rest_categories: ["suite"] } },
        status: 400,
        shows: unparsable,
      },
      {
        ask: "PUT audit/config",
        send: { audit: [] },
        status: 400,
        shows: { status: "error", reason: "Wrong datatype", audit: "Object expected" },
      },
      {
        ask: "PUT audit/config",
        send: { suite_x: 1 },
        status: 400,
        shows: { status: "error", reason: "Invalid configuration", invalid_keys: { keys: "suite_x" } },
      },
    ]),
  },
  {
    title: "audit: it can be neither put at the family nor deleted, but patched",
    steps: puttingBack([
      { ask: "PUT audit", send: { enabled: true }, status: 405, shows: /allowed: \[/ },
      { ask: "DELETE audit/config", status: 405, shows: /allowed: \[PUT\]/ },
      { ask: "PATCH audit", send: [{ op: "replace", path: "/config/enabled", value: false }], status: 200 },
      { ask: "GET audit", status: 200, shows: holding({ config: { enabled: false } }) },
    ]),
  },
];

function closing(path: string): readonly Case[] {
  const list = (enabled: boolean) => ({ enabled, requests: { "/_cat/nodes": ["GET"] } });
  return [
    {
      title: `${path}: only the admin certificate reads and writes it`,
      steps: puttingBack([
        { ask: `GET ${path}`, who: "admin", status: 403, shows: reported(403, "Access denied") },
        { ask: `PUT ${path}`, who: "admin", send: list(false), status: 403, shows: reported(403, "Access denied") },
        { ask: `PUT ${path}`, send: list(false), status: 200 },
        {
          ask: `PUT ${path}`,
          send: { requests: { "/": ["get"] } },
          status: 500,
          shows: /not one of the values accepted/,
        },
        { ask: `PUT ${path}`, send: { requests: { "/": "GET" } }, status: 500, shows: /mismatched_input_exception/ },
        { ask: `PUT ${path}`, send: { enabled: false, reserved: true }, status: 400, shows: /"invalid_keys"/ },
        { ask: `GET ${path}`, status: 200, shows: { config: list(false) } },
      ]),
    },
    {
      title: `${path}: enabled, it refuses all that it does not list to all but the certificate`,
      steps: puttingBack([
        { ask: `PUT ${path}`, send: list(true), status: 200 },
        { ask: "GET roles", who: "admin", status: 403, shows: new RegExp(`API not ${path}ed`) },
        { ask: "GET /", who: "admin", status: 403, shows: new RegExp(`API not ${path}ed`) },
        { ask: "GET roles", status: 200 },
        { ask: `PUT ${path}`, send: list(false), status: 200 },
        { ask: "GET roles", who: "admin", status: 200 },
      ]),
    },
  ];
}

const certificates: readonly Case[] = [
  {
    title: "nodesdn: the admin certificate writes single entries and several at once; there are no flags",
    steps: puttingBack([
      { ...given("PUT nodesdn/suite_a", { nodes_dn: ["CN=b", "CN=a"] }), shows: reported(201, "'suite_a' created.") },
      { ask: "GET nodesdn", status: 200, shows: { suite_a: { nodes_dn: ["CN=b", "CN=a"] } } },
      {
        ask: "PATCH nodesdn",
        send: [
          { op: "add", path: "/suite_b", value: { nodes_dn: ["CN=c"] } },
          { op: "replace", path: "/suite_a/nodes_dn", value: ["CN=d"] },
        ],
        status: 200,
      },
      { ask: "GET nodesdn", status: 200, shows: { suite_a: { nodes_dn: ["CN=d"] }, suite_b: { nodes_dn: ["CN=c"] } } },
      { ask: "DELETE nodesdn/suite_a", status: 200, shows: reported(200, "'suite_a' deleted.") },
      { ask: "GET nodesdn", status: 200, shows: lacking("suite_a") },
    ]),
  },
  {
    title: "nodesdn: others are refused, and so are unknown keys and wrong types",
    steps: puttingBack([
      { ask: "GET nodesdn", who: "admin", status: 403, shows: reported(403, "Access denied") },
      {
        ask: "PUT nodesdn/suite_a",
        who: "admin",
        send: { nodes_dn: ["CN=a"] },
        status: 403,
        shows: reported(403, "Access denied"),
      },
      { ask: "PUT nodesdn/suite_a", send: {}, status: 400, shows: bodyRequired },
      {
        ask: "PUT nodesdn/suite_a",
        send: { nodes_dn: "CN=a" },
        status: 400,
        shows: { status: "error", reason: "Wrong datatype", nodes_dn: "Array expected" },
      },
      { ask: "PUT nodesdn/suite_a", send: { nodes_dn: [], reserved: true }, status: 400, shows: /"invalid_keys"/ },
    ]),
  },
];

function managed(api: string): readonly Case[] {
  return [
    {
      title: "audit is written in one request, in sync, and brought back by rollback",
      steps: withDocuments({ optIn: { audit: { mode: "manage" } } }, async ({ repository, stage }) => {
        const before = await shownBy(stage, "audit");
        repository.declare(auditFile);
        expect(await repository.applied()).toEqual([`PUT ${api}/audit/config`]);
        await repository.inSync();
        const { code, stdout } = await repository.run("rollback", "--yes");
        expect(code, stdout).toBe(0);
        expect(await shownBy(stage, "audit")).toEqual(before);
      }),
    },
    {
      title: "node certificates are created, changed and deleted by one request each, and brought back by rollback",
      steps: withDocuments(
        { optIn: { nodes_dn: { mode: "manage", include: ["suite_*"] } } },
        async ({ repository, stage }) => {
          const declared = (nodes: object) => repository.declare({ "a.json": { nodes_dn: nodes } });
          declared({ suite_a: { nodes_dn: ["CN=b", "CN=a"] }, suite_b: { nodes_dn: ["CN=c"] } });
          expect(await repository.applied()).toEqual([expect.stringMatching(/^PATCH .*nodesdn\/?$/)]);
          await repository.inSync();
          declared({ suite_a: { nodes_dn: ["CN=a", "CN=d"] } });
          expect(await repository.applied("--allow", "deletions")).toEqual([
            expect.stringMatching(/^PATCH .*nodesdn\/?$/),
          ]);
          await repository.inSync();
          const { code, stdout } = await repository.run("rollback", "--yes");
          expect(code, stdout).toBe(0);
          expect(await shownBy(stage, "nodesdn")).toMatchObject({
            suite_a: { nodes_dn: ["CN=a", "CN=b"] },
            suite_b: { nodes_dn: ["CN=c"] },
          });
        },
      ),
    },
  ];
}

const auditFile = { "a.json": { audit: { config: { audit: { enable_rest: false, ignore_users: ["suite"] } } } } };

function closed(api: string): readonly Case[] {
  const list = (enabled: boolean) => ({
    "a.json": { allowlist: { config: { enabled, requests: { "/_cat/nodes": ["GET"] } } } },
  });
  const optIn: Policies = { allowlist: { mode: "manage" } };
  return [
    {
      title: "an allowlist is not read by a password, which is an error where it is managed",
      steps: withDocuments({ who: "admin", optIn }, async ({ repository }) => {
        repository.declare(list(true));
        const { code, stderr } = await repository.run("apply", "--yes");
        expect(code, stderr).toBe(1);
        expect(stderr.replaceAll(/\s+/g, " ")).toContain("to its admin certificate alone");
        expect(repository.gateway.writes()).toEqual([]);
      }),
    },
    {
      title: "an allowlist is enabled and disabled by the admin certificate, and a plan says whom it shuts out",
      steps: withDocuments({ optIn }, async ({ repository, stage }) => {
        const status = async () => (await stage.ask({ who: "admin", method: "GET", path: "roles" })).status;
        repository.declare(list(true));
        expect((await repository.run("plan")).stdout.replaceAll(/\s+/g, " ")).toContain(
          "users, Dashboards, monitoring",
        );
        expect(await repository.applied()).toEqual([`PUT ${api}/allowlist`]);
        expect(await status()).toBe(403);
        await repository.inSync();
        repository.declare(list(false));
        expect(await repository.applied()).toHaveLength(1);
        expect(await status()).toBe(200);
      }),
    },
  ];
}

interface Scene {
  readonly repository: Repository;
  readonly stage: Stage;
}

function withDocuments(
  circumstances: Parameters<typeof inRepository>[3],
  work: (scene: Scene) => Promise<void>,
): Case["steps"] {
  return puttingBack((stage) => inRepository(stage, {}, (repository) => work({ repository, stage }), circumstances));
}

/** Whatever becomes of the steps: an allowlist that stays enabled would close the server to the cases that follow. */
function puttingBack(steps: Case["steps"]): Case["steps"] {
  return async (stage) => {
    const documents = stage.facts.product === "opensearch" ? ["audit", ...listsOf(stage.facts)] : [];
    const before = await Promise.all(documents.map((path) => shownBy(stage, path)));
    try {
      await playCase(stage, steps);
    } finally {
      for (const [index, path] of documents.entries()) {
        if (isDeepStrictEqual(await shownBy(stage, path), before[index])) continue;
        const put = path === "audit" ? "audit/config" : path;
        const { status, text } = await stage.ask({ method: "PUT", path: put, send: before[index]?.config });
        expect(status, text).toBe(200);
      }
      const names = documents.length > 0 ? Object.keys(await shownBy(stage, "nodesdn")) : [];
      for (const name of names) await stage.ask({ method: "DELETE", path: `nodesdn/${name}` });
    }
  };
}

async function shownBy({ ask }: Stage, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { json }: Answered = await ask({ method: "GET", path });
  return json as Readonly<Record<string, unknown>>;
}
