// What servers come with, on the emulator of each release: a plan, a question and the server itself agree about it.
import { describe, expect, test } from "vitest";
import { createBuiltins } from "../../src/dialects/builtin/index.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { connectToRead, plan } from "../../src/index.ts";
import type { Product } from "../../src/model/plan.ts";
import { onHarness } from "./harness.ts";

const servers: readonly [Product, release: string, role: string][] = [
  ["search-guard", "6", "sg_all_access"],
  ["search-guard", "7", "SGS_ALL_ACCESS"],
  ["search-guard", "7.x-38", "SGS_ALL_ACCESS"],
  ["search-guard", "7.x-47", "SGS_ALL_ACCESS"],
  ["search-guard", "FLX", "SGS_ALL_ACCESS"],
  ["opensearch", "odfe-1.x", "all_access"],
  ["opensearch", "1", "all_access"],
  ["opensearch", "2.9", "all_access"],
  ["opensearch", "2.19", "all_access"],
  ["opensearch", "3", "all_access"],
];

const exits = { yes: 0, unknown: 7 };

/** Maps a user to a role that is only built in, asks everybody what the user may do, and says what they answered. */
async function answers(product: Product, release: string, role: string) {
  const files = {
    "access/a.yml": `role_mappings: { ${role}: { users: [eve] } }\n`,
    "access/c.yml": `waivers: [{ rule: escalation, addresses: [role_mappings/${role}], reason: she administers }]\n`,
  };
  const reported: Record<string, unknown> = {};
  // No answer of gate says which release it is of.
  const stated = product === "gate" ? `--product gate --release ${release}` : "";
  await onHarness({ product, release, files }, async ({ run, url, emulator }) => {
    const planned = await run(`plan --url URL ${stated} access`);
    reported.isKnown = !planned.stderr.includes("unknown-role");
    reported.accessDiff = /^Access +\d+ (\w+)\n +([+?] )?user eve/m.exec(planned.stdout)?.[1];
    const applied = await run(`apply --yes --url URL ${stated} access`);
    expect(applied.code, applied.stderr).toBe(0);
    const can = [
      `--server --url URL ${stated}`,
      `--product ${product} --release ${release} --state access --host 10.0.0.1`,
    ];
    const asking = can.map((where) => run(`access can-i --user eve search hr-1 ${where}`));
    [reported.canI, reported.canIOffline] = (await Promise.all(asking)).map(({ code }) => code);
    const asked = { user: "eve", action: "search", index: "hr-1" };
    const explained = await fetch(`${url}/_emulator/authorize`, { method: "POST", body: JSON.stringify(asked) });
    reported.authorize = ((await explained.json()) as { verdict: string }).verdict;
    reported.holds = emulator.state().roles.has(role);
  });
  return reported;
}

describe.concurrent("a user mapped to a built-in role", () => {
  test.for(servers)("has it on %s %s: %s", async ([product, release, role], { expect }) => {
    const yes = {
      isKnown: true,
      accessDiff: "gained",
      canI: exits.yes,
      canIOffline: exits.yes,
      authorize: "yes",
      holds: true,
    };
    expect(await answers(product, release, role)).toEqual(yes);
  });

  test.for(["6.x-25", "7.x-43.0.0", "FLX"])(
    "may have it on gate %s, whose documentation neither names one nor says that there is none",
    async (release, { expect }) => {
      const role = release.startsWith("6") ? "sg_all_access" : "SGS_ALL_ACCESS";
      const unknown = {
        isKnown: true,
        accessDiff: "unknown",
        canI: exits.unknown,
        canIOffline: exits.unknown,
        authorize: "unknown",
        holds: false,
      };
      expect(await answers("gate", release, role)).toEqual(unknown);
    },
  );
});

/** The API of OpenSearch refuses it. */
const mappedByNone = "security_rest_api_full_access";

test.each(servers)("every role that %s %s ships is known", async (product, release) => {
  const names = [...createBuiltins(createDialect(product, release)).roles.keys()].filter(
    (name) => name !== mappedByNone,
  );
  const mappings = Object.fromEntries(names.map((name) => [name, { users: ["eve"] }]));
  const files = { "access/a.yml": JSON.stringify({ role_mappings: mappings }) };
  await onHarness({ product, release, files }, async ({ url, folder }) => {
    const request = { cwd: folder, env: {}, flags: { url, statePaths: ["access"] }, allowed: [] };
    const { diagnostics } = await plan(request, { connect: connectToRead });
    const unknown = diagnostics.filter(({ code }) => code === "unknown-role").map(({ what }) => what);
    // Those of a first configuration are anybody's to change: declare them to keep them.
    const open = product === "search-guard" && release === "6" ? 7 : 0;
    expect(unknown, unknown.join("\n")).toHaveLength(open);
  });
});

test("access tests name the built-in mappings that they rest on, and no others", async () => {
  const tests = (backendRole: string) => `role_mappings: { r: { users: [eve] } }
roles: { r: {} }
access_tests: [{ name: t, as: { backend_roles: [${backendRole}] }, action: health, expect: denied, allow_unknown: true }]
`;
  const files = { "some.yml": tests("admin"), "none.yml": tests("other") };
  await onHarness({ files }, async ({ run }) => {
    const named = (await run("test some.yml --product gate")).stdout.replace(/\s+/g, " ");
    expect(named).toContain("counted as servers may come with it: role mapping SGS_ALL_ACCESS.");
    expect((await run("test none.yml --product gate")).stdout).not.toContain("may come with it");
  });
});
