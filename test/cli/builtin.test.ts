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

/** Maps a user to a role that is only built in, asks everybody what the user may do, and says what they answered. */
async function answers(product: Product, release: string, role: string) {
  const files = {
    "access/a.yml": `role_mappings: { ${role}: { users: [eve] } }\n`,
    "access/c.yml": `waivers: [{ rule: escalation, addresses: [role_mappings/${role}], reason: she administers }]\n`,
  };
  const reported: Record<string, unknown> = {};
  await onHarness({ product, release, files }, async ({ run, url, emulator }) => {
    const planned = await run("plan --url URL access");
    reported.isKnown = !planned.stderr.includes("unknown-role");
    reported.accessDiff = /^Access +\d+ gained\n +(\+ )?user eve/m.test(planned.stdout);
    const applied = await run("apply --yes --url URL access");
    expect(applied.code, applied.stderr).toBe(0);
    reported.canI = (await run("access can-i --user eve search hr-1 --server --url URL")).code === 0;
    const asked = { user: "eve", action: "search", index: "hr-1" };
    const explained = await fetch(`${url}/_emulator/authorize`, { method: "POST", body: JSON.stringify(asked) });
    reported.authorize = ((await explained.json()) as { verdict: string }).verdict === "yes";
    reported.holds = emulator.state().roles.has(role);
  });
  return reported;
}

describe.concurrent("a user mapped to a built-in role", () => {
  test.for(servers)("has it on %s %s: %s", async ([product, release, role], { expect }) => {
    const yes = { isKnown: true, accessDiff: true, canI: true, authorize: true, holds: true };
    expect(await answers(product, release, role)).toEqual(yes);
  });

  test.for(["6.x-25", "7.x-43.0.0", "FLX"])(
    "has nothing on gate %s, whose API shows none",
    async (release, { expect }) => {
      const no = { isKnown: false, accessDiff: false, canI: false, authorize: false, holds: false };
      expect(await answers("gate", release, "SGS_ALL_ACCESS")).toEqual(no);
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
