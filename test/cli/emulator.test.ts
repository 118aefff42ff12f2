// The emulator as a command: it says where it listens, serves until it is stopped, and ends well.
import { describe, expect, test } from "vitest";
import { gateSync, inFolder, readUrl, startGateSync } from "../support/command.ts";
import { oneTenant, onHarness } from "./harness.ts";

/** Starts one on a free port, lets it be used, and stops it; what it left behind. */
async function serving(
  cwd: string,
  words: string,
  use: (url: string) => Promise<void>,
  signal: NodeJS.Signals = "SIGINT",
) {
  const running = startGateSync(`emulator ${words} --port 0 --format json`.split(" ").filter(Boolean), { cwd });
  try {
    await use(await readUrl(running));
  } finally {
    running.child.kill(signal);
  }
  return running.ended;
}

async function rolesOf(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/_gate/api/roles`, { headers });
  return { status: answer.status, body: answer.ok ? await answer.json() : undefined };
}

describe.concurrent("emulator", () => {
  test("serves users without the secrets that have no value, in attributes too", ({ expect }) => {
    const user = "ana: {hash: '${env:NOT_SET}', backend_roles: [hr], attributes: {token: '${env:NOT_SET}', a: b}}";
    return inFolder({ "access/a.yml": `internal_users: {${user}}` }, async (cwd) => {
      const ended = await serving(cwd, "--product opensearch access", async (url) => {
        const answer = await fetch(`${url}/_plugins/_security/api/internalusers/ana`);
        expect(await answer.json()).toMatchObject({ ana: { backend_roles: ["hr"], attributes: { a: "b" } } });
      });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
    });
  });

  test("of several targets needs none, where paths say what it holds", ({ expect }) => {
    const targets = "targets: {a: {url: 'http://a', state: [x]}, b: {url: 'http://b', state: [y]}}";
    return inFolder({ "gate-sync.yaml": targets, "p/a.yml": "roles: {r: {cluster_permissions: [x]}}" }, async (cwd) => {
      const ended = await serving(cwd, "--product gate p", async (url) => {
        expect(await rolesOf(url)).toMatchObject({ status: 200, body: { r: { cluster_permissions: ["x"] } } });
      });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect((await gateSync(["emulator", "--port", "0"], { cwd })).code).toBe(64);
    });
  });

  test("serves API keys, as drift --api-keys lists them", ({ expect }) => {
    const keys = [{ name: "ci", cluster_permissions: [], index_permissions: [] }];
    const files = { "a.yml": "roles: {}", "keys.json": JSON.stringify(keys), "bad.json": '[{"name": 1}]' };
    return inFolder(files, async (cwd) => {
      await serving(cwd, "--product opensearch --release 3.8 --api-keys-file keys.json a.yml", async (url) => {
        const { code, stdout } = await gateSync(["drift", "--api-keys", "--url", url, "a.yml"], { cwd });
        expect([code, stdout]).toEqual([2, expect.stringContaining("ci")]);
      });
      for (const [release, file] of [
        ["3.8", "bad.json"],
        ["3.8", "none.json"],
        ["2.19", "keys.json"],
      ] as const) {
        const words = `emulator --product opensearch --release ${release} --api-keys-file ${file} --port 0 a.yml`;
        const { code, stderr } = await gateSync(words.split(" "), { cwd });
        expect([code, stderr]).toEqual([64, expect.stringContaining("API keys")]);
      }
    });
  });

  test.for(["SIGINT", "SIGTERM"] as const)(
    "holds what the files declare, and ends with 0 at %s",
    (signal, { expect }) =>
      inFolder({ "access/a.yml": "roles: { r: { cluster_permissions: [a] } }" }, async (cwd) => {
        const ended = await serving(
          cwd,
          "access",
          async (url) => {
            expect(await rolesOf(url)).toMatchObject({ status: 200, body: { r: { cluster_permissions: ["a"] } } });
          },
          signal,
        );
        expect(ended).toMatchObject({ code: 0, stderr: "" });
      }),
  );

  test("asks for credentials where users are given", () =>
    inFolder({}, async (cwd) => {
      await serving(cwd, "--user ana:secret --admin-header x-admin", async (url) => {
        const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
        expect((await rolesOf(url)).status).toBe(401);
        expect((await rolesOf(url, basic("ana:wrong"))).status).toBe(401);
        expect((await rolesOf(url, basic("ana:secret"))).status).toBe(200);
        expect((await rolesOf(url, { "x-admin": "1" })).status).toBe(200);
      });
    }));

  test("answers a user's searches as the state that was applied permits", () => {
    const files = {
      "access/roles.yml":
        'roles: { reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [indices:data/read/search], dls: \'{"term":{"open":true}}\' }] } }',
      "next/roles.yml":
        'roles: { reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [indices:data/read/search], dls: \'{"term":{"open":true}}\' }] } }\nrole_mappings: { reader: { backend_roles: [analysts] } }',
    };
    return inFolder(files, async (cwd) => {
      const product = "--product opensearch --release 2.19";
      await serving(cwd, `${product} --user admin:admin --user ana:ana:analysts,emea access`, async (url) => {
        const search = async () => {
          const answer = await fetch(`${url}/hr-2026/_search`, {
            headers: { authorization: `Basic ${btoa("ana:ana")}` },
          });
          return { status: answer.status, body: await answer.json() };
        };
        expect(await search()).toMatchObject({
          status: 403,
          body: { error: { reason: expect.stringContaining("no permissions for [indices:data/read/search]") } },
        });
        const words = `apply --yes --url ${url} ${product} --username admin --password-env PASSWORD next`.split(" ");
        expect(await gateSync(words, { cwd, env: { PASSWORD: "admin" } })).toMatchObject({ code: 0 });
        expect(await search()).toMatchObject({
          status: 200,
          body: { _emulator: { roles: expect.arrayContaining(["reader"]), documents: ['{"term":{"open":true}}'] } },
        });
      });
    });
  });

  test("runs on the engine of its release, unless another is stated", () =>
    inFolder({}, async (cwd) => {
      const engine = async (url: string) =>
        ((await (await fetch(url)).json()) as { version: { number: string } }).version.number;
      const old = "--product gate --release 6.x-25";
      await serving(cwd, old, async (url) => expect(await engine(url)).toBe("6.8.1"));
      await serving(cwd, `${old} --engine 6.3.2`, async (url) => expect(await engine(url)).toBe("6.3.2"));
    }));

  test.for([
    ["search-guard", "6", "/_searchguard/api/actiongroup", "readonly"],
    ["search-guard", "7.5.1-38.0.0", "/_searchguard/api/actiongroups", "reserved"],
    ["search-guard", "7.x-47", "/_searchguard/api/actiongroups", "reserved"],
    ["search-guard", "FLX", "/_searchguard/api/actiongroups", "reserved"],
    ["opensearch", "odfe-1.x", "/_opendistro/_security/api/actiongroups", "reserved"],
    ["opensearch", "2.9", "/_plugins/_security/api/actiongroups", "reserved"],
    ["opensearch", "3", "/_plugins/_security/api/actiongroups", "reserved"],
  ] as const)(
    "is %s %s, and names what may not be written as that does",
    ([product, release, path, flag], { expect }) =>
      inFolder(
        { "access/a.yml": "action_groups: { g: { reserved: true, type: index, allowed_actions: [a] } }" },
        async (cwd) => {
          await serving(cwd, `--product ${product} --release ${release} access`, async (url) => {
            const { g } = (await (await fetch(`${url}${path}`)).json()) as { g: Record<string, unknown> };
            expect(String(g[flag])).toBe("true");
          });
        },
      ),
  );

  const block = (value: string) => `blocks: { a: { type: name, verdict: disallow, value: ${value} } }`;

  test.for([
    ["gate", "[u1, ua1]", "several-block-values", "The block has 2 values; gate 7.x-43.0.0 takes one."],
    ["search-guard --release 7.5.1-38.0.0", "[u1]", "unsupported-here", "has no blocks."],
    ["opensearch", "[u1]", "unsupported-here", "has no blocks."],
  ] as const)("as %s it refuses blocks of %s, which it could not serve", ([product, value, code, what], { expect }) =>
    onHarness({ files: { "access/a.yml": block(value) } }, async ({ run }) => {
      const words = `--product ${product} --format json access`;
      const [validated, refused] = [await run(`validate ${words}`), await run(`emulator --port 0 ${words}`)];
      const found = ({ stdout }: { stdout: string }) => JSON.parse(stdout).diagnostics;
      expect(found(refused)).toMatchObject([{ code, what: expect.stringContaining(what) }]);
      expect(found(refused)).toEqual(found(validated));
      expect(refused.code).toBe(validated.code);
    }),
  );

  test("a release without a build is the one that is served: blocks came later", () =>
    onHarness({ files: { "access/a.yml": block("[u1]") } }, async ({ run }) => {
      const { code, stdout } = await run("emulator --port 0 --product search-guard --format json access");
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({
        code: 3,
        diagnostics: [{ code: "unsupported-here", what: "search-guard 7.x-38 has no blocks." }],
      });
    }));

  test("holds entries that files should not, as servers do", () =>
    inFolder({ "access/a.yml": block("['10.0.0.1 ']") }, async (cwd) => {
      await serving(cwd, "--product gate access", async (url) => {
        const answer = await fetch(`${url}/_gate/api/blocks`);
        expect(await answer.json()).toMatchObject({ a: { value: "10.0.0.1 " } });
      });
    }));

  test("a port that is taken is a message", () =>
    onHarness({ files: oneTenant }, async ({ run, url }) => {
      const { code, stderr } = await run(`emulator --port ${new URL(url).port}`);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^! The emulator cannot listen on port/),
      });
    }));

  test.for([
    ["a port that is none", "--port 70000", "A port is a number from 0 to 65535."],
    ["a user without a password", "--user ana", "--user takes the name and the password"],
    ["a release that it cannot be", "--port 0 --product opensearch --release 0", "does not know the release"],
  ] as const)("%s", ([, words, reported], { expect }) =>
    onHarness({}, async ({ run }) => {
      const { code, stderr } = await run(`emulator ${words}`);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining(reported),
      });
    }),
  );
});
