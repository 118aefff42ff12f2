// gate-sync doctor as a user runs it: what it prints, in which form, and how it ends.
import { describe, expect, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const fits = createAjv({ isStrict: false }).compile(readSchema("doctor"));

const reader = [{ name: "ci-plan", password: "Tuesday-9", rights: "read" }] as const;
const asReader = { GATE_SYNC_USERNAME: "ci-plan", GATE_SYNC_PASSWORD: "Tuesday-9" };
const products = [
  { product: "gate" },
  { product: "search-guard", release: "6" },
  { product: "search-guard", release: "7" },
  { product: "search-guard", release: "FLX" },
  { product: "opensearch", release: "2.19" },
] as const;

describe.concurrent("gate-sync doctor", () => {
  test.for(products)("of $product $release, as JSON, with GETs alone", (server, { expect }) =>
    onHarness({ ...server, state: { role_mappings: { r: {} } } }, async ({ run, writes }) => {
      const { code, stdout, stderr } = await run("doctor --url URL --format json");
      const value = JSON.parse(stdout);
      expect({ code, stderr, kind: value.kind }).toEqual({ code: 0, stderr: "", kind: "doctor" });
      expect(value.families).toContainEqual(
        expect.objectContaining({ family: "role_mappings", state: "readable", count: 1 }),
      );
      fits(value);
      expect(fits.errors ?? []).toEqual([]);
      expect(writes()).toEqual([]);
    }),
  );

  test("needs neither state files nor gate-sync.yaml, and takes a target of one", () =>
    onHarness({ product: "search-guard", files: {} }, async ({ run, folder, url }) => {
      const { code, stdout } = await run("doctor --url URL");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^server +search-guard 7/m) });
      const { writeFileSync } = await import("node:fs");
      writeFileSync(`${folder}/gate-sync.yaml`, `targets: { prod: { url: "${url}", state: [nowhere/] } }\n`);
      expect(await run("doctor --target prod")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^prod {2}/) });
    }));

  test("of an identity that may only read: the whole picture, then a message, and exit code 1", () =>
    onHarness({ product: "search-guard", users: reader }, async ({ run }) => {
      const { code, stdout, stderr } = await run("doctor --url URL", asReader);
      expect(code).toBe(1);
      expect(stdout).toContain("Usable for plan, not for apply.");
      expect(stderr).toMatch(/^! These credentials may read and not write/);
    }));

  test.for([
    ["INTERNALUSERS", "audit"],
    [undefined, "internal users, audit"],
  ])("of a reader to whom %s is left open besides: it is not called read only", ([closed, open], { expect }) => {
    const denied = ["PUT", "POST", "DELETE", "PATCH"];
    const endpoints = ["ACTIONGROUPS", "CONFIG", "ROLES", "ROLESMAPPING", "TENANTS", ...(closed ? [closed] : [])];
    const disabled = Object.fromEntries(endpoints.map((endpoint) => [endpoint, denied]));
    const users = [{ name: "ci-plan", password: "Tuesday-9", rights: "all", disabled }] as const;
    return onHarness({ product: "opensearch", release: "3.8", users }, async ({ run }) => {
      const { code, stdout, stderr } = await run("doctor --url URL", asReader);
      expect(code).toBe(1);
      expect(stdout).toContain("read only: action groups");
      expect(stdout).not.toContain("read only: everything");
      expect(stdout).toContain(`may write all the same: ${open}`);
      expect(stderr).toMatch(/^! This login is not read only/m);
      expect(stderr.includes("make itself an")).toBe(closed === undefined);
      const json = JSON.parse((await run("doctor --url URL --format json", asReader)).stdout);
      expect(json.writable_besides).toEqual(expect.arrayContaining(["audit", "APITOKENS", "RATELIMITERS"]));
      expect(json.writable_besides).not.toContain("ACCOUNT");
      fits(json);
      expect(fits.errors ?? []).toEqual([]);
    });
  });

  test.for([
    [["ci_plan", "own_index"], "", 0, "ci_plan"],
    [["ci_plan", "logs"], "", 64, "several roles: ci_plan, logs"],
    [["ci_plan", "logs"], " --role logs", 0, "logs"],
    [["own_index"], "", 64, "no role that shows"],
    [["logs", "all_access"], "", 0, "all_access"],
    [["ci_plan"], " --role 'a:b", 0, "'a:b"],
  ] as const)("--hardening of a login with the roles %j%s", ([roles, flags, expected, shown], { expect }) => {
    const users = [{ name: "ci-plan", password: "Tuesday-9", rights: "all", roles }] as const;
    return onHarness({ product: "opensearch", release: "2.19", users }, async ({ run, writes }) => {
      const { code, stdout, stderr } = await run(`doctor --url URL --hardening${flags}`, asReader);
      expect({ code, stderr: stderr.includes("administers") }).toEqual({
        code: expected,
        stderr: shown === "all_access",
      });
      expect(code === 0 ? stdout : stderr).toContain(shown);
      const names = stdout
        .split("\n")
        .flatMap((line) => /\.([A-Z_]+)"?: \["PUT", "POST", "DELETE", "PATCH"\]$/.exec(line)?.[1] ?? []);
      expect(names.length).toBe(code === 0 ? 14 : 0);
      expect(names).not.toContain("APITOKENS");
      expect(writes()).toEqual([]);
    });
  });

  test.for([
    ["--role x --url URL", "--role goes with --hardening"],
    ["--hardening --format json --url URL", "not JSON"],
    ["--hardening --role global --url URL", '"global" names no role'],
    ["--hardening --role= --url URL", '"" names no role'],
    ["--hardening --role x", "No server is named"],
  ] as const)("%s is refused", ([flags, why], { expect }) =>
    onHarness({ product: "opensearch" }, async ({ run }) => {
      const { code, stdout, stderr } = await run(`doctor ${flags}`);
      const shown = (stdout + stderr).replaceAll("\\", "");
      expect({ code, shown }).toEqual({ code: 64, shown: expect.stringContaining(why) });
    }),
  );

  test("--hardening where no role may use the API, or the product has no such settings", () => {
    const users = [{ name: "ci-plan", password: "Tuesday-9", rights: "none", roles: ["x"] }] as const;
    return onHarness({ product: "search-guard", users }, async ({ run }) => {
      const { code, stderr } = await run("doctor --url URL --hardening", asReader);
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("No role of this login") });
      await onHarness({}, async ({ run: ofGate }) =>
        expect((await ofGate("doctor --url URL --hardening --role x")).code).toBe(64),
      );
    });
  });

  test("of a server that does not take our credentials: a message alone", () =>
    onHarness({ product: "search-guard", users: reader }, async ({ run, emulator }) => {
      const { code, stdout, stderr } = await run("doctor --url URL", { ...asReader, GATE_SYNC_PASSWORD: "wrong" });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("(401 to GET /)");
      // A server counts attempts to log in, and locks out who makes too many.
      expect(emulator.requests.filter(({ path }) => path !== "/")).toEqual([]);
    }));

  test.for(["doctor", "status", "export --out y"])(
    "%s in a folder below names the gate-sync.yaml above",
    (line, { expect }) =>
      onHarness(
        { files: { ".git/x": "", "gate-sync.yaml": "targets: { prod: { state: [a.yml] } }\n", "sub/x": "" } },
        async ({ folder }) => {
          const { code, stderr } = await gateSyncWithin(line.split(" "), { cwd: `${folder}/sub`, env: {} });
          expect({ code, stderr }).toEqual({
            code: 64,
            stderr: expect.stringContaining("There is no gate-sync.yaml in this folder. There is ../gate-sync.yaml."),
          });
        },
      ),
  );

  test("of nothing at all: a message", () =>
    onHarness({}, async ({ run }) => {
      const { code, stderr } = await run("doctor --url http://127.0.0.1:1");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^! /) });
    }));

  test("colours only where that is asked for", () =>
    onHarness({}, async ({ run }) => {
      expect((await run("doctor --url URL")).stdout).not.toContain("\u001b");
      expect((await run("doctor --url URL --color always")).stdout).toContain("\u001b[1m");
    }));
});
