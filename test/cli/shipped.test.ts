// What servers come with, on the emulator of each release: a plan, a question and the server itself agree about it.
import { describe, expect, test } from "vitest";
import { dialectFor } from "../../src/dialects/index.ts";
import { shippedWith } from "../../src/dialects/shipped/index.ts";
import { connectToRead, plan } from "../../src/index.ts";
import type { Product } from "../../src/model/plan.ts";
import { onGround } from "./ground.ts";

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

/** Maps a user to a role that is only shipped, asks everybody what the user may do, and says what they answered. */
async function answers(product: Product, release: string, role: string) {
  const files = {
    "access/a.yml": `role_mappings: { ${role}: { users: [eve] } }\n`,
    "access/c.yml": `consents: [{ rule: escalation, addresses: [role_mappings/${role}], reason: she administers }]\n`,
  };
  const said: Record<string, unknown> = {};
  await onGround({ product, release, files }, async ({ run, url, emulator }) => {
    const planned = await run("plan --url URL access");
    said.isKnown = !planned.stderr.includes("unknown-role");
    said.gains = /^Access +\d+ gained\n +(\+ )?user eve/m.test(planned.stdout);
    const applied = await run("apply --yes --url URL access");
    expect(applied.code, applied.stderr).toBe(0);
    said.canI = (await run("access can-i --user eve search hr-1 --server --url URL")).code === 0;
    const asked = { user: "eve", action: "search", index: "hr-1" };
    const told = await fetch(`${url}/_emulator/authorize`, { method: "POST", body: JSON.stringify(asked) });
    said.authorize = ((await told.json()) as { verdict: string }).verdict === "yes";
    said.holds = emulator.state().roles.has(role);
  });
  return said;
}

describe.concurrent("whoever is mapped to a shipped role", () => {
  test.for(servers)("has it on %s %s: %s", async ([product, release, role], { expect }) => {
    const yes = { isKnown: true, gains: true, canI: true, authorize: true, holds: true };
    expect(await answers(product, release, role)).toEqual(yes);
  });

  test.for(["6.x-25", "7.x-43.0.0", "FLX"])(
    "has nothing on gate %s, whose API shows none",
    async (release, { expect }) => {
      const no = { isKnown: false, gains: false, canI: false, authorize: false, holds: false };
      expect(await answers("gate", release, "SGS_ALL_ACCESS")).toEqual(no);
    },
  );
});

/** The API of OpenSearch refuses it. */
const mappedByNobody = "security_rest_api_full_access";

test.each(servers)("every role that %s %s ships is known", async (product, release) => {
  const names = [...shippedWith(dialectFor(product, release)).roles.keys()].filter((name) => name !== mappedByNobody);
  const mappings = Object.fromEntries(names.map((name) => [name, { users: ["eve"] }]));
  const files = { "access/a.yml": JSON.stringify({ role_mappings: mappings }) };
  await onGround({ product, release, files }, async ({ url, folder }) => {
    const request = { cwd: folder, env: {}, flags: { url, statePaths: ["access"] }, allowed: [] };
    const { diagnostics } = await plan(request, { connect: connectToRead });
    const unknown = diagnostics.filter(({ code }) => code === "unknown-role").map(({ what }) => what);
    // Those of a first configuration that are anybody's: whoever keeps them declares them.
    const open = product === "search-guard" && release === "6" ? 7 : 0;
    expect(unknown, unknown.join("\n")).toHaveLength(open);
  });
});
