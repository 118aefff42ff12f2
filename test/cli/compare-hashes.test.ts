// `compare_hashes`: the security index decides whether a hash is the one in the files, and nothing keeps what it shows.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computePasswordHash } from "../../src/emulator/products/internal-users.ts";
import type { Run } from "../support/command.ts";
import { type Harness, onHarness } from "./harness.ts";

const products = [
  { product: "opensearch", release: "2.19", document: "/.opendistro_security/_doc/internalusers" },
  { product: "search-guard", release: "7.x-38", document: "/searchguard/_doc/internalusers" },
  { product: "search-guard", release: "6.x-24", document: "/searchguard/sg/internalusers" },
] as const;

const hash = computePasswordHash("canary-One!77");
const other = computePasswordHash("canary-Two!77");
const secrets = new RegExp(`canary|\\$2y|${Buffer.from(hash).toString("base64").slice(4, 20)}`);

const internal_users = new Map([
  ["ana", { hash }],
  ["bob", { hash }],
  ["cyd", { hash }],
  ["kibanaserver", { hash: other, reserved: true }],
]);
const allSame = { ana: { hash }, bob: { hash: `\${env:BOB}` } };
const env = { BOB: hash, CERTIFICATE: "CN=admin" };

describe.each(products)("on $product $release", ({ product, release, document }) => {
  type Play = Parameters<typeof onHarness>[1];
  const play = (users: object, work: Play, settings = "", mode = "adopt") =>
    onHarness(
      {
        ...{ product, release, adminHeader: "x-admin", users: [], state: { internal_users } },
        files: {
          "gate-sync.yaml": `defaults:\n  families: { internal_users: { mode: ${mode} } }\n${settings}`,
          "access/users.yml": JSON.stringify({ internal_users: users }),
        },
      },
      work,
    );
  const certified = `  headers: { x-admin: "\${env:CERTIFICATE}" }\n  compare_hashes: true\n`;
  const words = (text: string) => text.replace(/\s+/g, " ");

  it("equal hashes are in sync, and nothing is unknown", () =>
    play(
      allSame,
      async ({ run, emulator }) => {
        const plan = await run("plan --url URL access", env);
        expect(plan.code, plan.stderr).toBe(0);
        expect(plan.stdout).toContain("in sync (2 internal users)");
        expect(plan.stdout).not.toMatch(/note:|unknown/i);
        expect(emulator.requests.filter(({ path }) => path === document)).toMatchObject([{ status: 200 }]);
      },
      certified,
    ));

  it("a hash that changed in git, and that the server has already, is in sync", () =>
    play(
      { ana: { hash: other } },
      async ({ run, folder }) => {
        const git = (...args: string[]) =>
          execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: folder });
        git("init", "--quiet");
        git("add", ".");
        git("commit", "--quiet", "--message", "first");
        writeFileSync(join(folder, "access/users.yml"), JSON.stringify({ internal_users: allSame }));
        const plan = await run("plan --url URL access --base HEAD", env);
        expect(plan.stdout).toContain("in sync (2 internal users)");
      },
      certified,
    ));

  it("another hash is named and not written, in every format and command; a password stays unknown", () =>
    play(
      { ana: { hash: other }, bob: { hash: `\${env:BOB}` }, cyd: { password: `\${env:CYD}` } },
      async ({ run, emulator, folder }) => {
        const plan = await run("plan --url URL access --verbose", env);
        expect(plan.code).toBe(0);
        expect(plan.stdout).toContain("1 differs, 1 in sync, 1 in sync but for passwords, 1 reserved");
        expect(plan.stdout).toMatch(/\? ana +hash differs, not written/);
        expect(words(plan.stdout)).toContain(
          "The hash of internal_users/ana is not the one that the server has, and is not written: --rotate internal_users/ana writes it.",
        );
        expect(words(plan.stdout)).toContain("Unknown whether the password of 1 internal user is as declared");
        const drift = await run("drift --url URL access", env);
        expect(drift.code).toBe(2);
        expect(words(drift.stdout)).toContain("Drift: 1 origin unknown.");
        expect(drift.stdout).toContain("hash differs; origin unknown");
        const outputs = [
          plan,
          drift,
          await run("plan --url URL access --format json --out plan.json", env),
          await run("plan --url URL access --format markdown", env),
          await run("drift --url URL access --format json", env),
          await run("apply --url URL access --yes", env),
        ];
        expect(emulator.state().internal_users.get("ana")).toMatchObject({ hash });
        outputs.push(await run("apply --url URL access --yes --rotate internal_users/ana", env));
        expect(emulator.state().internal_users.get("ana")).toMatchObject({ hash: other });
        outputs.push(await run("plan --url URL access", env), await run("rollback --url URL --yes", env));
        expect(outputs.at(-2)?.stdout).not.toContain("--rotate internal_users/ana");
        for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(secrets);
        for (const text of filesOf(folder)) expect(text).not.toMatch(secrets);
      },
      certified,
    ));

  it("of users that are only compared another hash is no drift, and no --rotate is named", () =>
    play(
      { ana: { hash: other } },
      async ({ run }) => {
        const drift = await run("drift --url URL access", env);
        expect(drift.code).toBe(0);
        expect(words(drift.stdout)).toContain("No drift. 1 difference left as it is.");
        expect(drift.stdout).toContain("hash differs; observed only");
        expect(words(drift.stdout)).toContain("and is not written: internal users are only compared.");
      },
      certified,
      "observe",
    ));

  it("a hash whose variable is not set is unknown", () =>
    play(
      allSame,
      async ({ run }) => {
        const plan = await run("plan --url URL access", { CERTIFICATE: "CN=admin" });
        expect(words(plan.stdout)).toContain(
          "The hash of internal_users/bob is not compared: ${env:BOB} has no value here.",
        );
        expect(words(plan.stdout)).toContain("Unknown whether the password of 1 internal user is as declared");
      },
      certified,
    ));

  const ana = { name: "ana", password: "a", rights: "all", roles: ["all_access", "SGS_ALL_ACCESS"] } as const;
  const refused = (settings: string, work: Play) =>
    onHarness(
      {
        ...{ product, release, users: [ana], state: { internal_users } },
        files: {
          "gate-sync.yaml": `defaults: { compare_hashes: true, families: { internal_users: { mode: adopt } }${settings} }\n`,
          "access/users.yml": JSON.stringify({ internal_users: { ana: { hash: other } } }),
        },
      },
      work,
    );
  const login = { GATE_SYNC_USERNAME: "ana", GATE_SYNC_PASSWORD: "a", PROXY: "x" };

  it("without a certificate the index is not asked, and hashes are unknown", () =>
    refused("", async ({ run, emulator }) => {
      const plan = await run("plan --url URL access", login);
      expect(plan.code, plan.stderr).toBe(0);
      expect(words(plan.stdout)).toContain("Hashes are unknown (compare_hashes): they need the admin certificate");
      expect(words(plan.stdout)).toContain("Unknown whether the password of 1 internal user is as declared");
      expect(emulator.requests.filter(({ path }) => path === document)).toEqual([]);
    }));

  it.each([
    ["an index that looks empty", undefined, "the server answers 404 to GET"],
    ["a refusal", { status: 403, body: "{}" }, "the server answers 403 to GET"],
    [
      "no base64 of JSON",
      { status: 200, body: `{"_source":{"internalusers":"${btoa(hash)}"}}` },
      "does not hold internal users",
    ],
    ["another document", { status: 200, body: "{}" }, "does not hold internal users"],
  ])("%s is unknown, not in sync", (_, answer, why) =>
    refused(`, headers: { x-proxy: "\${env:PROXY}" }`, async ({ run, emulator }) => {
      if (answer) emulator.fault = ({ path }) => (path === document ? { answer, at: "before" } : undefined);
      const plan = await run("plan --url URL access", login);
      expect(plan.code, plan.stderr).toBe(0);
      expect(words(plan.stdout)).toContain("Hashes are unknown (compare_hashes):");
      expect(words(plan.stdout)).toContain(why);
      expect(words(plan.stdout)).toContain("Unknown whether the password of 1 internal user is as declared");
      expect(plan.stdout + plan.stderr).not.toMatch(secrets);
    }),
  );
});

describe("on Search Guard 6, which reports success for writes that are lost, too", () => {
  const rotate = (users: object, work: (harness: Harness, apply: () => Promise<Run>) => Promise<void>, settings = "") =>
    onHarness(
      {
        ...{ product: "search-guard", release: "6.x-24", state: { internal_users } },
        files: {
          "gate-sync.yaml": `defaults:\n  families: { internal_users: { mode: adopt } }\n${settings}`,
          "access/users.yml": JSON.stringify({ internal_users: users }),
        },
      },
      (harness) => work(harness, () => harness.run("apply --url URL access --yes --rotate internal_users/ana", env)),
    );
  const certified = `  headers: { x-admin: "\${env:CERTIFICATE}" }\n  compare_hashes: true\n`;

  it("a rotated hash is known to be written by the security index alone", () =>
    rotate(
      { ana: { hash: other } },
      async ({ emulator }, apply) => {
        const done = await apply();
        expect(done.code, done.stdout).toBe(0);
        expect(emulator.state().internal_users.get("ana")).toMatchObject({ hash: other });
      },
      certified,
    ));

  it("one that is lost is unknown, and so is every one without the index, and a password", async () => {
    await rotate(
      { ana: { hash: other } },
      async ({ emulator }, apply) => {
        emulator.fault = ({ method }) => (method === "GET" ? undefined : { at: "lost" });
        expect((await apply()).code).toBe(6);
      },
      certified,
    );
    await rotate({ ana: { hash: other } }, async (_, apply) => {
      const { code, stdout } = await apply();
      expect(code).toBe(6);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "Run gate-sync apply again with --rotate internal_users/ana: without it no password is written.",
      );
    });
    await rotate(
      { ana: { password: `\${env:BOB}` } },
      async (_, apply) => expect((await apply()).code).toBe(6),
      certified,
    );
  });
});

it("where Search Guard FLX keeps hashes is not known", () =>
  onHarness(
    {
      ...{ product: "search-guard", release: "FLX", state: { internal_users } },
      files: {
        "gate-sync.yaml": "defaults: { compare_hashes: true }\n",
        "access/users.yml": JSON.stringify({ internal_users: { ana: { hash } } }),
      },
    },
    async ({ run }) => {
      const plan = await run("plan --url URL access");
      expect(plan.stdout.replace(/\s+/g, " ")).toContain("where search-guard FLX keeps them is not known to gate-sync");
    },
  ));

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "users.yml")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
