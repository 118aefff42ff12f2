// What render shows means what the files mean: read again, from standard input as it was printed, it gives the same state.
import { expect, test } from "vitest";
import { openRepository, openTarget } from "../../src/engine/open.ts";
import { checkFiles } from "../../src/engine/pipeline/checked-files.ts";
import type { RunRequest } from "../../src/engine/request.ts";
import { type Fields, reveal, type Value } from "../../src/json/value.ts";
import { escapeReferences } from "../../src/load/reference-text.ts";
import { parseWaivers } from "../../src/normalise/waivers.ts";
import { chooseOffline } from "../../src/validate/offline-product.ts";
import { type Fixture, generateFixture, layOut, quotedTexts, type Random, randomFrom } from "../fixtures/index.ts";
import { type Files, gateSyncWithin, inFolder } from "../support/command.ts";
import { type FamilyName, families as strictFamilies } from "../support/strict/forms.ts";
import { seeds } from "./seed.ts";

const env = {
  SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_HOSTS_1: "ldap://ann:secret-3@h",
  PW: "secret 1",
  SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_CLIENT_SECRET: "secret 2",
};

/** What the files come to, without where it is declared. */
async function readMeaning(request: RunRequest) {
  const target = await openTarget(request);
  const opened = await openRepository(target, request, "resolve");
  const { dialect } = chooseOffline(target, opened.repository);
  const { desired, tests, personas, diagnostics } = checkFiles(opened, dialect, target);
  const { resources, config, license } = desired;
  const errors = [...opened.diagnostics, ...diagnostics].filter(({ severity }) => severity === "error");
  return {
    errors: errors.map(({ code, what }) => [code, what]),
    product: dialect.product,
    resources: strictFamilies.map((family) => {
      const entries = [...(resources.get(family)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
      const declared = entries.map(({ name, value, serverOwned, native = false }) => [
        name,
        ordered(value),
        serverOwned,
        native,
      ]);
      return [family, resources.has(family), declared];
    }),
    config: config && [ordered(config.value), config.native],
    license: license && [license.text.reveal(), license.writeAlways],
    personas: [...personas.values()].map(({ origin: _, ...persona }) => persona),
    tests: tests.map(({ origin: _, who, ...test }) => [test, who.kind === "persona" ? who.name : who]),
    waivers: parseWaivers(opened.whole).map(({ origin: _, ...waiver }) => waiver),
  };
}

/** Keys have no order. */
function ordered(value: Value): unknown {
  return JSON.parse(JSON.stringify(reveal(value)), (_, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))
      : item,
  );
}

async function check(files: Files, what: string): Promise<void> {
  await inFolder(files, async (cwd) => {
    const { code, stdout, stderr } = await gateSyncWithin(["render", "access"], { cwd });
    expect({ code, errors: stderr.match(/^.* error .*\n[\s\S]*?\n {2}.*/gm) }, what).toEqual({ code: 0, errors: null });
    const request = (state: string): RunRequest => ({
      cwd,
      env,
      flags: { statePaths: [state] },
      async *input() {
        yield Buffer.from(stdout);
      },
    });
    const meaning = await readMeaning(request("access"));
    expect(meaning.errors, what).toEqual([]);
    expect(await readMeaning(request("-")), `${what}\n${stdout}`).toEqual(meaning);
  });
}

const others = `personas:
  ana: { user: ana, backend_roles: ["\${var:team}"], attributes: { "557": a, dept: "$\${env:X}" } }
  __proto__: { user: "null" }
access_tests:
  - { name: "557 $\${var:a}", as: ana, action: search, index: ["hr-*", "b"], expect: denied, allow_unknown: true }
  - { only: { backend_roles: [hr] }, action: [search, write], index: pay-1 }
waivers:
  - { rule: deletions, addresses: ["roles/*", "roles/##[a]"], reason: "a # b", until: "2030-01-01" }
`;

const generated = `generate:
  for_each: [{ names: ["x*", "$\${var:y}"], of: "557" }, { names: [z], of: "__proto__" }]
  as: team
  roles:
    team_\${each:team.of}:
      index_permissions: [{ index_patterns: "\${each:team.names}", allowed_actions: ["indices:data/read/get"] }]
`;

const native = `_meta: { type: roles, config_version: 2 }
_theirs: { reserved: true, cluster_permissions: ["cluster:monitor/health"] }
roles: { hidden: true }
copied: { cluster: [a], indices: { "a*": { "*": [b], _dls_: '{"term": {"u": "\${user.name}"}}' } } }
`;

const config = `config:
  dynamic:
    kibana: { multitenancy_enabled: false }
    http: { anonymous_auth_enabled: false, xff: { enabled: "true" } }
    authc:
      ldap:
        order: "1"
        http_authenticator: { type: basic }
        authentication_backend:
          type: ldap
          config: { hosts: ["h:389", "ldap://ann:secret-3@h", "$\${env:X}"], password: "\${env:PW}", client_secret: secret 2, pemkey_content: "\${file:../../key.pem}" }
`;

/** Some of the entries that a fixture declares, changed as a file for one target changes them. */
function overridesFor({ desired }: Fixture, random: Random): string {
  const overrides: Record<string, Record<string, Fields>> = {};
  for (const [family, entries] of desired.resources) {
    const chosen = [...entries].filter(([, value]) => !Array.isArray(value) && random.chance(0.3));
    overrides[family] = Object.fromEntries(
      chosen.map(([name]) => [escapeReferences(name), overrideOf(family, random)]),
    );
  }
  return writeJson({ overrides });
}

/** In which nothing looks like a template. */
function writeJson(value: Value): string {
  return JSON.stringify(value).replaceAll("{{", "\\u007b{").replaceAll("<%", "\\u003c%");
}

const added: Partial<Record<FamilyName, Fields>> = {
  roles: { "+index_permissions": [{ index_patterns: ["##[x]"], allowed_actions: ["indices:data/read/get"] }] },
  role_mappings: { "+backend_roles": ["557", "__proto__"] },
  action_groups: { "+allowed_actions": ["indices:data/read/get"] },
};

function overrideOf(family: FamilyName, random: Random): Fields {
  if (random.chance(0.2)) return { remove: true };
  return {
    ...added[family],
    ...(random.chance(0.5) && { description: random.pick(quotedTexts.map(escapeReferences)) }),
  };
}

test.each(seeds(60, 12))("random files with overrides, seed %i", async (each) => {
  const random = randomFrom(`render ${each}`);
  const product = random.pick(["gate", "search-guard", "opensearch"]);
  const isStated = random.chance(0.7);
  // Where nothing states it, a header in a file may make it the one that has none.
  const families = strictFamilies.filter((family) => family !== "blocks" || (isStated && product !== "opensearch"));
  const size = each % 4 === 0 ? 40 : 6;
  // Other products refuse some of these names.
  const nastyNames = isStated && product === "gate" ? 0.4 : 0;
  const fixture = generateFixture({ seed: each, size, families, nastyNames, drift: 0 });
  const files: Record<string, string> = Object.fromEntries(
    [...layOut(fixture)].map(([path, text]) => [`access/base/${path}`, text]),
  );
  const target = isStated ? { product } : {};
  await check(
    {
      ...files,
      "gate-sync.yaml": JSON.stringify({ targets: { prod: { ...target, vars: { team: "hr" } } } }),
      "access/prod/overrides.json": overridesFor(fixture, random),
      "access/prod/others.yml": others,
      "access/prod/generated.yml": generated,
      ...(random.chance(0.5) && { "access/native/roles.yml": native }),
      ...(random.chance(0.8) && {
        "access/base/config.yml": random.chance(0.5) ? config : `_meta: { type: config, config_version: 2 }\n${config}`,
        "access/prod/config.yml": "overrides: { config: { dynamic: { http: { anonymous_auth_enabled: true } } } }\n",
      }),
      ...(product !== "opensearch" &&
        isStated && { "access/prod/license.yml": "license: { file: ../../l.txt, write: always }\n" }),
      "l.txt": "a license\n\n",
      "key.pem": "a key\n",
    },
    `seed ${each}, ${product}`,
  );
});

test("texts that have to be quoted, as names and as values", async () => {
  const named = (make: (text: string) => Fields) =>
    Object.fromEntries(quotedTexts.map((text, index) => [`n${index}`, make(escapeReferences(text))]));
  const state = {
    tenants: Object.fromEntries(quotedTexts.map((text) => [escapeReferences(text), {}])),
    roles: named((text) => ({
      cluster_permissions: [text],
      index_permissions: [{ index_patterns: ["a"], dls: text }],
    })),
    role_mappings: named((text) => ({ users: [text], description: text })),
  };
  await check({ "access/a.json": writeJson(state), "gate-sync.yaml": "defaults: { product: gate }\n" }, "texts");
});
