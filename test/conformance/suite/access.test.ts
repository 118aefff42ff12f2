// Who may do what, what those are answered who may not, and how a server says who it is.
import { expect } from "vitest";
import { listEndpoints } from "../../../src/dialects/endpoints.ts";
import { parseRelease } from "../../../src/dialects/release.ts";
import { aliasCases } from "./aliases.ts";
import { type Case, given, onServers, where } from "./case.ts";
import { newFields } from "./lint-rules.ts";
import { roleOrder } from "./role-order.ts";
import { type Answered, type Facts, isOlderOpenSearch } from "./stage.ts";
import type { FamilyWords, Words } from "./words.ts";

onServers("usual", "access", (words, facts) => [
  ...refusals(words, facts),
  ...identities(words, facts),
  ...servers(words, facts),
  ...where(facts.real, [newFields(facts), roleOrder(facts), ...aliasCases(facts)]),
]);

function refusals({ families, rolesWord, realm, config }: Words, facts: Facts): readonly Case[] {
  const [roles] = families as readonly [FamilyWords, ...FamilyWords[]];
  const challenge = (answer: Answered) => {
    expect(answer.text).toBe(isOlderOpenSearch(facts) ? "" : "Unauthorized");
    expect(answer.headers["www-authenticate"]).toBe(`Basic realm="${realm}"`);
  };
  const lacks = (user: string, what: string) =>
    new RegExp(
      `^\\{"status":"FORBIDDEN","message":"No permission to access REST API: User ${user} with ${rolesWord} \\[.*\\] does not have any ${what}`,
    );
  const privileged = lacks("logstash", "role privileged for admin access. No client TLS certificate found in request");
  const readOnly = (endpoint: string, method: string) =>
    lacks("readall", `access to endpoint ${endpoint} and method ${method}. No client TLS certificate found in request`);
  return [
    {
      title: "strangers and wrong passwords are challenged with 401",
      steps: [
        { ask: "GET roles", who: "stranger", status: 401, shows: challenge },
        { ask: "GET roles", who: "wrong", status: 401, shows: challenge },
        { ask: "PUT roles/suite_a", who: "stranger", send: roles.first, status: 401, shows: challenge },
      ],
    },
    {
      title: "a user without rights is refused with 403 and the reason",
      steps: [
        { ask: "GET roles", who: "unmapped", status: 403, shows: privileged },
        { ask: "PUT roles/suite_a", who: "unmapped", send: roles.first, status: 403, shows: privileged },
      ],
    },
    {
      title: "a read-only identity reads every family and the config, and writes none",
      steps: [
        ...families.flatMap(({ path, first }) => [
          { ask: `GET ${path}`, who: "reader", status: 200 } as const,
          {
            ask: `PUT ${path}/suite_a`,
            who: "reader",
            send: first,
            status: 403,
            shows: readOnly(path.toUpperCase(), "PUT"),
          } as const,
          {
            ask: `DELETE ${path}/suite_a`,
            who: "reader",
            status: 403,
            shows: readOnly(path.toUpperCase(), "DELETE"),
          } as const,
          {
            ask: `PATCH ${path}`,
            who: "reader",
            send: [],
            status: 403,
            shows: readOnly(path.toUpperCase(), "PATCH"),
          } as const,
        ]),
        { ask: `GET ${config.path}`, who: "reader", status: 200 },
      ],
    },
    {
      title: "a read-only identity writes at no endpoint of the guide's recipe",
      steps: async ({ ask }) => {
        const release = parseRelease(facts.product, facts.release) ?? "";
        const endpoints = listEndpoints({ product: facts.product, release }).filter(({ isHarmless }) => !isHarmless);
        for (const request of endpoints.flatMap(({ writes }) => writes)) {
          const [method = "", path = ""] = request.split(" ");
          const { status, text } = await ask({ who: "reader", method, path, ...(method !== "DELETE" && { send: {} }) });
          const isAbsent = /no handler found|Incorrect HTTP method/.test(text);
          if (facts.real) expect(isAbsent ? 403 : status, `${request} → ${status} ${text.slice(0, 300)}`).toBe(403);
          else expect(status, request).toBeGreaterThanOrEqual(400);
        }
      },
    },
    {
      title: "the administrator by password reads and writes",
      steps: [
        given("PUT roles/suite_a", roles.first, "admin"),
        { ask: "DELETE roles/suite_a", who: "admin", status: 200 },
      ],
    },
  ];
}

function identities({ families }: Words, { product }: Facts): readonly Case[] {
  const prefix = product === "opensearch" ? "/_plugins/_security" : "/_searchguard";
  const roles = product === "opensearch" ? "roles" : "sg_roles";
  const rights =
    (has: boolean, closed: readonly string[]) =>
    ({ json }: Answered) => {
      const info = json as { readonly has_api_access: boolean; readonly disabled_endpoints: Record<string, string[]> };
      expect(info.has_api_access).toBe(has);
      for (const { path } of families) {
        const disabled = info.disabled_endpoints[path.toUpperCase()] ?? [];
        expect(
          used.filter((method) => disabled.includes(method)),
          path,
        ).toEqual(closed);
      }
    };
  return [
    {
      title: "permissionsinfo says what each identity may not do; of a certificate it knows nothing",
      steps: [
        { ask: "GET permissionsinfo", who: "admin", status: 200, shows: rights(true, []) },
        { ask: "GET permissionsinfo", who: "reader", status: 200, shows: rights(true, ["DELETE", "PATCH", "PUT"]) },
        {
          ask: "GET permissionsinfo",
          who: "unmapped",
          status: 200,
          shows: rights(false, ["DELETE", "GET", "PATCH", "PUT"]),
        },
        { ask: "GET permissionsinfo", status: 200, shows: /"has_api_access":false/ },
      ],
    },
    {
      title: "authinfo shows the name and the roles",
      steps: [
        {
          ask: `GET ${prefix}/authinfo`,
          who: "reader",
          status: 200,
          shows: ({ json }: Answered) => {
            const info = json as Readonly<Record<string, unknown>>;
            expect(info.user_name).toBe("readall");
            expect(info.backend_roles).toEqual(["readall"]);
            expect(info[roles]).toContainEqual(expect.stringMatching(/^(sg_|SGS_)?readall$/i));
          },
        },
        { ask: `GET ${prefix}/authinfo`, status: 200, shows: /"user_name":"CN=admin,OU=suite,O=gate-sync"/ },
        { ask: `GET ${prefix}/authinfo`, who: "stranger", status: 401 },
      ],
    },
    ...where(product === "opensearch", [
      {
        title: "whoami shows anybody whether a certificate is an administrator's",
        steps: [
          { ask: `GET ${prefix}/whoami`, who: "stranger", status: 200, shows: /"is_admin":false/ },
          { ask: `GET ${prefix}/whoami`, status: 200, shows: /"is_admin":true/ },
        ],
      },
    ]),
    ...where(product === "search-guard", [
      { title: "there is no whoami", steps: [{ ask: `GET ${prefix}/whoami`, status: 405 }] },
    ]),
  ];
}

/** Methods that this API has. */
const used = ["DELETE", "GET", "PATCH", "PUT"];

const engines = {
  "search-guard-6": { number: "6.5.4", component: "search-guard-6", version: "6.5.4-24.0" },
  "search-guard-7": { number: "7.5.1", component: "search-guard-7", version: "7.5.1-38.0.0" },
  "opensearch-2": { component: "opensearch-security" },
  "opensearch-3": { component: "opensearch-security" },
} as const;

function servers({ families }: Words, { name, product }: Facts): readonly Case[] {
  const { component, ...known } = engines[name];
  const absent = ["blocks", ...(families.some(({ path }) => path === "tenants") ? [] : ["tenants"])];
  return [
    {
      title: "GET / and the list of plugins show product and release",
      steps: [
        {
          ask: "GET /",
          who: "admin",
          status: 200,
          shows: ({ json }: Answered) => {
            const { version } = json as { readonly version: Readonly<Record<string, string>> };
            expect(version.distribution).toBe(product === "opensearch" ? "opensearch" : undefined);
            expect(version.number).toMatch(/^\d+\.\d+\.\d+$/);
            if ("number" in known) expect(version.number).toBe(known.number);
          },
        },
        {
          ask: "GET /_cat/plugins?format=json",
          who: "admin",
          status: 200,
          shows: ({ json }: Answered) => {
            const [plugin] = (json as Readonly<Record<string, string>>[]).filter((one) => one.component === component);
            expect(plugin).toBeDefined();
            if ("version" in known) expect(plugin?.version).toBe(known.version);
          },
        },
      ],
    },
    {
      title: "strangers are not shown what the cluster is",
      steps: [{ ask: "GET /", who: "stranger", status: 401 }],
    },
    {
      title: "a family that is not there has no route to its entries",
      steps: [
        ...absent.map((path) => ({ ask: `GET ${path}/suite_a`, status: 400, shows: /no handler found/ })),
        ...families.map(({ path }) => ({ ask: `GET ${path}/suite_a`, status: 404, shows: /suite_a/ })),
      ],
    },
  ];
}
