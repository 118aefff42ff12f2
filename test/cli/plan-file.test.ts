// A reviewed plan is a contract: `apply plan.json` makes exactly that change, or says why it makes none.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, test } from "vitest";
import { decodeArtifact } from "../../src/artifacts/artifact.ts";
import { computeSavedFingerprint } from "../../src/artifacts/saved-plan/open.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { forge as forgeDigest } from "../support/forge.ts";
import { type Env, type Harness, onHarness, twoFamilies } from "./harness.ts";

const files = {
  "access/a.yml": "tenants:\n  support: { description: Second line }\n  new: { description: New }\n",
};
const state = { tenants: { support: { description: "First line" } } };
const key: Env = { GATE_SYNC_PLAN_KEY: "the key of these tests" };

/** Stated, so that nothing has to be found out by GET /. */
const as = "--product gate --release 7.x-43.0.0";

async function save({ run }: Harness, env: Env = {}, more = ""): Promise<void> {
  const { code, stderr } = await run(`plan --url URL access --out plan.json --quiet${more}`, env);
  if (code !== 0) throw new Error(`plan --out ended with ${code}: ${stderr}`);
}

function textIn({ folder }: Harness): string {
  return readFileSync(join(folder, "plan.json"), "utf8");
}

function edit(harness: Harness, change: (text: string) => string): void {
  const text = textIn(harness);
  if (change(text) === text) throw new Error("Nothing was edited.");
  writeFileSync(join(harness.folder, "plan.json"), change(text));
}

/** Edited with knowledge of how a file without a seal is made. */
function forge({ folder }: Harness, change: (text: string) => string, fingerprint?: string): void {
  const path = join(folder, "plan.json");
  const text = forgeDigest(readFileSync(path, "utf8"), change);
  const own = fingerprint ?? computeSavedFingerprint(decodeArtifact("plan-file", path, text));
  const withOwn = (each: string) => each.replace(/"fingerprint": "\w+"/, `"fingerprint": "${own}"`);
  writeFileSync(path, withOwn(text) === text ? text : forgeDigest(text, withOwn));
}

async function byHand({ url }: Harness, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${url}/_gate/api/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
}

async function heldBy({ url }: Harness, path: string): Promise<unknown> {
  return (await fetch(`${url}/_gate/api/${path}`)).json();
}

/** The same without a process of its own: for what only the file decides. */
function within(
  work: (harness: Harness) => Promise<void>,
  options: Parameters<typeof onHarness>[0] = { files, state },
) {
  return onHarness(options, (harness) =>
    work({
      ...harness,
      run: (line, env = {}) =>
        gateSyncWithin(
          line.split(" ").map((word) => (word === "URL" ? harness.url : word)),
          { cwd: harness.folder, env },
        ),
    }),
  );
}

describe.concurrent("a reviewed plan", () => {
  test("is applied as it is, without a question and without state files", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      writeFileSync(join(harness.folder, "access/a.yml"), "tenants: { other: {} }\n");
      const { code, stdout } = await harness.run("apply --url URL plan.json");
      expect({ code, writes: harness.writes() }).toEqual({ code: 0, writes: ["PATCH /_gate/api/tenants"] });
      expect(stdout).toContain("1 created, 1 changed.");
      expect(await heldBy(harness, "tenants")).toMatchObject({
        support: { description: "Second line" },
        new: { description: "New" },
      });
    }));

  test("is one file for its owner alone that fits its schema, and the same whenever it is made", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      const first = JSON.parse(textIn(harness));
      await save(harness);
      const second = JSON.parse(textIn(harness));
      const schemaOf = (name: string) =>
        JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
      const ajv = new Ajv2020.default({ strict: false }).addSchema(schemaOf("artifact"));
      const validate = ajv.compile(schemaOf("plan-file"));
      validate(first);
      expect(validate.errors ?? []).toEqual([]);
      expect(statSync(join(harness.folder, "plan.json")).mode & 0o777).toBe(0o600);
      expect(readdirSync(harness.folder).sort()).toEqual(["access", "plan.json"]);
      expect({ ...second, made: first.made }).toEqual(first);
    }));

  test("is refused where a field that it changes has moved", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      await byHand(harness, "PUT", "tenants/support", { description: "By hand" });
      const { code, stderr } = await harness.run("apply --url URL plan.json");
      expect({ code, writes: harness.writes().slice(1) }).toEqual({ code: 5, writes: [] });
      expect(stderr).toContain("Changed since: tenants/support (description).");
    }));

  test.for([
    ["PUT", "tenants/new", { description: "By hand" }, "tenants/new exists now"],
    ["DELETE", "tenants/support", undefined, "tenants/support is gone"],
  ] as const)("is refused after %s of %s", ([method, path, body, explained], { expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      await byHand(harness, method, path, body);
      const { code, stderr } = await harness.run("apply --url URL plan.json");
      expect({ code, writes: harness.writes().slice(1) }).toEqual({ code: 5, writes: [] });
      expect(stderr).toContain(explained);
    }),
  );

  test("is refused where something is gone that it refers to", ({ expect }) =>
    onHarness(
      {
        files: { "access/a.yml": "role_mappings: { hr: { users: [ana] } }\n" },
        state: { roles: { hr: { cluster_permissions: ["cluster:monitor/main"] } } },
      },
      async (harness) => {
        await save(harness);
        await byHand(harness, "DELETE", "roles/hr");
        harness.emulator.clearRequests();
        const { code, stderr } = await harness.run("apply --url URL plan.json");
        expect({ code, writes: harness.writes() }).toEqual({ code: 5, writes: [] });
        expect(stderr.replace(/\s+/g, " ")).toContain("roles/hr, which role_mappings/hr refers to, is gone");
      },
    ));

  test("is taken back by the line that it ends with, whichever target is the default", ({ expect }) =>
    within(async (harness) => {
      const { run, url, folder } = harness;
      const config = `targets: { prod: { url: "${url}", state: [access/] }, dev: { url: "http://127.0.0.1:9" } }\n`;
      writeFileSync(join(folder, "gate-sync.yaml"), config);
      const was = await heldBy(harness, "tenants");
      await run("plan --target prod --out plan.json --quiet");
      const { code, stdout } = await run("apply plan.json");
      const [, undo = ""] = /Undo: gate-sync (.*)/.exec(stdout) ?? [];
      expect([code, undo]).toEqual([0, expect.stringMatching(/ --target prod$/)]);
      expect((await run(`${undo} --yes`)).code).toBe(0);
      expect(await heldBy(harness, "tenants")).toEqual(was);
    }));

  test("is applied already the second time, and is refused where no record says so", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      await harness.run("apply --url URL plan.json");
      const again = await harness.run("apply --url URL plan.json");
      const elsewhere = await harness.run("apply --url URL plan.json --state-dir other");
      expect(harness.writes()).toEqual(["PATCH /_gate/api/tenants"]);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("The reviewed plan is applied already")]);
      expect([elsewhere.code, elsewhere.stderr]).toEqual([
        5,
        expect.stringContaining("all its changes are made already"),
      ]);
      const { stdout } = await harness.run("apply --url URL plan.json --format json");
      expect(JSON.parse(stdout)).toMatchObject({
        kind: "report",
        operations: [],
        notes: expect.arrayContaining([
          expect.stringContaining("The reviewed plan is applied already"),
          expect.stringContaining("The plan was not compared with the files of today"),
        ]),
      });
    }));

  /** With a target of gate-sync.yaml, whose files are compared. */
  const onTarget = (work: (harness: Harness) => Promise<void>) =>
    onHarness({ files, state }, async (harness) => {
      const target = { url: harness.url, product: "gate", release: "7.x-43.0.0", state: ["access"] };
      writeFileSync(join(harness.folder, "gate-sync.yaml"), JSON.stringify({ targets: { prod: target } }));
      await work(harness);
    });

  const stale = async ({ run, writes }: Harness, env: Env = {}) => {
    const before = writes().length;
    const { code, stderr } = await run("apply plan.json", env);
    return { code, stderr: stderr.replace(/\s+/g, " "), writes: writes().slice(before) };
  };

  test.for([{}, key])("is stale after a rollback, sealed or not (%s)", (env, { expect }) =>
    onTarget(async (harness) => {
      const codes = [];
      for (const line of ["plan --out plan.json", "apply plan.json", "rollback --yes --allow deletions"])
        codes.push((await harness.run(line, env)).code);
      expect(codes).toEqual([0, 0, 0]);
      expect(await stale(harness, env)).toEqual({
        code: 5,
        writes: [],
        stderr: expect.stringMatching(/a later run of rollback wrote to tenants\/new, tenants\/support/),
      });
      // The same change, planned again, is another decision.
      expect((await harness.run("plan --out plan.json", env)).code).toBe(0);
      expect((await stale(harness, env)).code).toBe(0);
    }),
  );

  test("is stale after a rollback, where the clock of the machine that planned is ahead", ({ expect }) =>
    onTarget(async (harness) => {
      await harness.run("plan --out plan.json");
      edit(harness, (text) => text.replace(/"at": "\d+/, '"at": "2999'));
      expect(await stale(harness)).toMatchObject({ code: 0, writes: [expect.any(String)] });
      expect(await stale(harness)).toMatchObject({ code: 0, writes: [] });
      expect((await harness.run("rollback --yes --allow deletions")).code).toBe(0);
      expect(await stale(harness)).toMatchObject({ code: 5, writes: [] });
    }));

  test("is stale where the files no longer declare what it leads to", ({ expect }) =>
    onTarget(async (harness) => {
      const path = join(harness.folder, "access/a.yml");
      await harness.run("plan --out plan.json");
      for (const [text, moved] of [
        ["tenants: { support: { description: Second line } }\n", "tenants/new is not declared any more"],
        [
          "tenants: { support: { description: Other }, new: { description: New } }\n",
          "tenants/support is declared otherwise (description)",
        ],
        ["tenants: [\n", "is stale: whether the files of today still declare"],
      ] as const) {
        writeFileSync(path, text);
        expect(await stale(harness)).toEqual({ code: 5, writes: [], stderr: expect.stringContaining(moved) });
      }
      writeFileSync(path, `${files["access/a.yml"]}  more: {}\n`);
      expect((await stale(harness)).code).toBe(0);
    }));

  test.for([
    ["families: { tenants: { mode: observe } }", undefined, "tenants/new is only compared now"],
    ["families: { tenants: { mode: adopt } }", undefined, "tenants/old is not deleted now: families says so"],
    ["families: { tenants: { exclude: [ol?] } }", undefined, "tenants/old is excluded now"],
    ["", "roles: {}\n", "tenants/old is left now: no file declares tenants any more"],
    ["", `${files["access/a.yml"]}  old: {}\n`, "tenants/old is declared again"],
  ] as const)("is stale for a deletion where today %s %j", ([families, text, moved], { expect }) =>
    onHarness({ files, state: { tenants: { ...state.tenants, old: {} } } }, async (harness) => {
      const configure = (more: string) =>
        writeFileSync(
          join(harness.folder, "gate-sync.yaml"),
          `targets:\n  prod:\n    url: ${harness.url}\n    product: gate\n    state: [access]\n    ${more}\n`,
        );
      configure("");
      expect((await harness.run("plan --out plan.json --allow deletions")).code).toBe(0);
      configure(families);
      if (text !== undefined) writeFileSync(join(harness.folder, "access/a.yml"), text);
      expect(await stale(harness)).toEqual({ code: 5, writes: [], stderr: expect.stringContaining(moved) });
    }),
  );

  test("is not called applied once another run came after it, wherever that wrote", ({ expect }) =>
    onTarget(async (harness) => {
      expect((await harness.run("plan --out plan.json")).code).toBe(0);
      expect((await stale(harness)).code).toBe(0);
      expect(await stale(harness)).toMatchObject({ code: 0, writes: [] });
      writeFileSync(join(harness.folder, "access/a.yml"), `${files["access/a.yml"]}  more: {}\n`);
      expect((await harness.run("apply --yes")).code).toBe(0);
      expect(await stale(harness)).toMatchObject({ code: 5, writes: [] });
    }));

  test("is stale where a later run may have written there, as its journal ends", ({ expect }) =>
    onTarget(async (harness) => {
      await harness.run("plan --out plan.json");
      await harness.run("apply plan.json");
      const other = "tenants: { support: { description: Other }, new: { description: New } }\n";
      for (const text of [other, files["access/a.yml"]]) {
        writeFileSync(join(harness.folder, "access/a.yml"), text);
        if (text === other) expect((await harness.run("apply --yes")).code).toBe(0);
      }
      const journals = join(harness.folder, ".gate-sync/journal");
      const last = join(journals, readdirSync(journals).sort().at(-1) ?? "");
      const lines = readFileSync(last, "utf8").split("\n");
      const intention = lines.findIndex((line) => line.includes('"intention"'));
      writeFileSync(last, `${lines.slice(0, intention + 1).join("\n")}\n`);
      expect(await stale(harness)).toEqual({
        code: 5,
        writes: [],
        stderr: expect.stringContaining("a later run of apply wrote to tenants/support"),
      });
    }));

  const onStopped = (work: (harness: Harness) => Promise<void>) =>
    onHarness({ files: twoFamilies }, async (harness) => {
      const target = { url: harness.url, product: "gate", release: "7.x-43.0.0", state: ["access"] };
      writeFileSync(join(harness.folder, "gate-sync.yaml"), JSON.stringify({ targets: { prod: target } }));
      await harness.run("plan --out plan.json");
      harness.emulator.fault = ({ method, path }) =>
        method !== "GET" && path.includes("/blocks") ? { at: "before", answer: { status: 400 } } : undefined;
      await harness.run("apply plan.json");
      harness.emulator.fault = () => undefined;
      await work(harness);
    });

  test("is not called applied where its run stopped part-way, and the rest was done by hand", ({ expect }) =>
    onStopped(async (harness) => {
      await byHand(harness, "PUT", "blocks/lab", { type: "ip", value: ["192.0.2.7"], verdict: "disallow" });
      expect(await stale(harness)).toMatchObject({ code: 5, writes: [] });
    }));

  test("is stale where its run stopped part-way, and that part was rolled back", ({ expect }) =>
    onStopped(async (harness) => {
      expect((await harness.run("rollback --yes --allow deletions")).code).toBe(0);
      expect(await stale(harness)).toEqual({
        code: 5,
        writes: [],
        stderr: expect.stringMatching(/a later run of rollback wrote to .* It was applied at \S+, in part; the later/),
      });
      // The same change, planned again, is another decision.
      expect((await harness.run("plan --out plan.json")).code).toBe(0);
      expect((await stale(harness)).code).toBe(0);
    }));

  test("is stale by the files that are here, where a state path is gone", ({ expect }) =>
    onHarness({ files: { ...files, "more/b.yml": "blocks: {}\n" }, state }, async (harness) => {
      const target = { url: harness.url, product: "gate", release: "7.x-43.0.0", state: ["access", "more"] };
      writeFileSync(join(harness.folder, "gate-sync.yaml"), JSON.stringify({ targets: { prod: target } }));
      await harness.run("plan --out plan.json");
      rmSync(join(harness.folder, "more"), { recursive: true });
      const path = join(harness.folder, "access/a.yml");
      writeFileSync(path, "tenants: { support: { description: Other } }\n");
      const moved = expect.stringContaining("tenants/support is declared otherwise (description)");
      expect(await stale(harness)).toEqual({ code: 5, writes: [], stderr: moved });
      // What they do not declare may be in what is gone.
      writeFileSync(path, "tenants: {}\n");
      const { code, stdout } = await harness.run("apply plan.json");
      expect([code, stdout.replace(/\s+/g, " ")]).toEqual([
        0,
        expect.stringContaining("The plan was not compared with the files of today: there is no more here"),
      ]);
    }));

  test("is not compared with files that cannot be asked, and says so", ({ expect }) =>
    onTarget(async (harness) => {
      await save(harness);
      const { stdout } = await harness.run("apply plan.json");
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "not compared with the files of today: it was made from standard input, or from paths on the command line. No run on this cluster is on record here, either",
      );
    }));

  test("is applied where something else has moved, which is left alone and named", ({ expect }) =>
    onHarness({ files, state: { tenants: { ...state.tenants, old: {}, kept: {} } } }, async (harness) => {
      writeFileSync(join(harness.folder, "access/b.yml"), "tenants: { kept: {} }\n");
      await save(harness);
      await byHand(harness, "PUT", "tenants/kept", { description: "Moved" });
      await byHand(harness, "PUT", "tenants/later", { description: "New" });
      const { code, stdout } = await harness.run("apply --url URL plan.json");
      expect({ code, writes: harness.writes().slice(2) }).toEqual({ code: 0, writes: ["PATCH /_gate/api/tenants"] });
      expect(stdout).toContain("not decided by it: tenants/later.");
      expect(stdout).toContain("Read back: in sync.");
      const left = await heldBy(harness, "tenants");
      expect(left).toMatchObject({ kept: { description: "Moved" }, later: { description: "New" } });
      expect(left).not.toHaveProperty("old");
    }));

  test("that deletes as was allowed is applied, and takes no further --allow or --family", ({ expect }) =>
    onHarness({ files, state: { tenants: { a: {}, b: {}, c: {}, d: {} } } }, async (harness) => {
      await save(harness, {}, " --allow deletions");
      const refused = [
        await harness.run("apply --url URL plan.json --allow deletions"),
        await harness.run("apply --url URL plan.json --family tenants"),
        await harness.run("apply --url URL plan.json access"),
      ];
      expect(refused.map(({ code }) => code)).toEqual([64, 64, 64]);
      expect((await harness.run("apply --url URL plan.json")).code).toBe(0);
    }));

  test("whose waiver has expired meanwhile is refused", ({ expect }) => {
    const names = ["a", "b", "c", "d"];
    const addresses = names.map((name) => `tenants/${name}`).join(", ");
    const waiver = `waivers: [{ rule: deletions, addresses: [${addresses}], reason: moved, until: 2999-01-01 }]\n`;
    const held = Object.fromEntries(names.map((name) => [name, {}]));
    return within(
      async (harness) => {
        await save(harness);
        const text = textIn(harness);
        forge(harness, (saved) => saved.replace("2999-01-01", "2020-01-01"));
        const { code, stderr } = await harness.run("apply --url URL plan.json");
        expect({ code, writes: harness.writes() }).toEqual({ code: 5, writes: [] });
        expect(stderr).toMatch(/the\s+guard\s+deletions\s+refuses\s+it\s+now/);
        writeFileSync(join(harness.folder, "plan.json"), text);
        expect((await harness.run("apply --url URL plan.json")).code).toBe(0);
      },
      { files: { "access/a.yml": `tenants: { new: {} }\n${waiver}` }, state: { tenants: held } },
    );
  });

  test("that a guard refuses is written, and cannot be applied", ({ expect }) =>
    onHarness({ files, state: { tenants: { a: {}, b: {}, c: {}, d: {} } } }, async (harness) => {
      const planned = await harness.run("plan --url URL access --out plan.json");
      const { code, stderr } = await harness.run("apply --url URL plan.json");
      expect([planned.code, code, harness.writes()]).toEqual([4, 4, []]);
      expect(stderr).toContain("refused by the guard deletions");
      expect(stderr).toContain("Waive the guard where the plan is made");
    }));

  test("is not for another cluster", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      await save(harness);
      const other = await startEmulator({ product: "gate", state, clusterUuid: "another-cluster" });
      try {
        const { code, stderr } = await harness.run(`apply --url ${other.url} plan.json`);
        const writes = other.requests.filter(({ method }) => method !== "GET");
        expect({ code, writes }).toEqual({ code: 64, writes: [] });
        expect(stderr).toContain("The plan is for another cluster");
      } finally {
        await other.close();
      }
    }));

  const shown = { clusterName: "prod", clusterUuid: "uuid-1" };
  test.for<[string, Parameters<typeof startEmulator>[0]]>([
    ["another name", { product: "gate", clusterName: "other", clusterUuid: "uuid-1" }],
    ["another id", { product: "gate", clusterName: "prod", clusterUuid: "uuid-2" }],
    ["403 at /", { product: "gate", ...shown, rootAnswer: "forbidden" }],
    ["404 at /", { product: "gate", ...shown, rootAnswer: "absent" }],
  ])("is refused with 64 where the server shows %s", ([, options], { expect }) =>
    within(async (harness) => {
      const one = await startEmulator({ product: "gate", state, ...shown });
      await harness.run(`plan ${as} --url ${one.url} access --out plan.json`).finally(() => one.close());
      // At the same address, so that nothing else distinguishes the two.
      const other = await startEmulator({ ...options, state, port: Number(new URL(one.url).port) });
      try {
        const { code, stderr } = await harness.run(`apply ${as} --url ${other.url} plan.json`);
        const writes = other.requests.filter(({ method }) => method !== "GET");
        expect({ code, writes }).toEqual({ code: 64, writes: [] });
        expect(stderr).toContain("The plan is for another cluster");
      } finally {
        await other.close();
      }
    }),
  );

  test("says that its login does not see which cluster it is", ({ expect }) =>
    onHarness({ files, state, rootAnswer: "forbidden" }, async (harness) => {
      const { stdout } = await harness.run(`plan ${as} --url URL access --out plan.json`);
      expect(stdout.replace(/\s+/g, " ")).toContain("note: This login does not see which cluster this is;");
      await harness.run(`apply ${as} --url URL --yes access`);
      expect((await harness.run(`plan ${as} --url URL access`)).stdout).not.toContain("which cluster");
    }));

  test.for<[string, (server: Record<string, unknown>) => Record<string, unknown>]>([
    ["another name and no id", ({ cluster_uuid: _, ...rest }) => ({ ...rest, cluster_name: "other" })],
    ["no name and no id", ({ cluster_uuid: _, cluster_name: __, ...rest }) => rest],
    ["the id alone", ({ cluster_name: _, ...rest }) => rest],
    ["the name alone", ({ cluster_uuid: _, ...rest }) => rest],
  ])("is refused with 64 where / shows %s", ([, change], { expect }) =>
    onHarness({ files, state, ...shown }, async (harness) => {
      await harness.run(`plan ${as} --url URL access --out plan.json`);
      const seen: string[] = [];
      const between = createServer(async (request, response) => {
        seen.push(request.method ?? "");
        const answer = await fetch(harness.url + request.url);
        const body = (await answer.json()) as Record<string, unknown>;
        response.writeHead(answer.status).end(JSON.stringify(request.url === "/" ? change(body) : body));
      });
      await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
      try {
        const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
        const { code } = await harness.run(`apply ${as} --url ${url} plan.json`);
        expect({ code, methods: [...new Set(seen)] }).toEqual({ code: 64, methods: ["GET"] });
      } finally {
        between.close();
        between.closeAllConnections();
      }
    }),
  );

  const notPlans = {
    "an empty file": "",
    "an empty object": "{}",
    "an empty list": "[]",
    null: "null",
    "a text": '"plan"',
    "a page": "<html>502</html>",
    "half a plan": '{\n  "format": "gate-sync/plan-file",\n  "format_version"',
    "a plan behind other fields": '{"made": {}, "format": "gate-sync/plan-file", "format_version": 2}',
    "a plan behind a byte order mark": '\ufeff{"format": "gate-sync/plan-file", "format_version": 2}',
    "bytes that are no text": "\0\0\0",
    "state that deletes all": '{"tenants": {}}',
  };
  test.for(
    Object.entries(notPlans).flatMap(([name, text]) =>
      [{}, key].flatMap((env) =>
        ["plan.json", "plan.yaml", "plan.out", "saved", "out.json"].map((path) => ({ name, text, env, path })),
      ),
    ),
  )("$name as $path is not applied ($env)", ({ text, env, path }, { expect }) =>
    within(async (harness) => {
      writeFileSync(join(harness.folder, path), text);
      const { code } = await harness.run(`apply --yes --url URL ${path}`, env);
      const isState = text.includes("tenants") && (!path.includes("plan") || path.endsWith(".yaml"));
      // As YAML, some of it is a state file with a mistake.
      const isRefused = code === 64 || (path.endsWith(".yaml") && code === 3);
      expect({ code: isRefused || isState, writes: isState ? [] : harness.writes() }).toEqual({
        code: true,
        writes: [],
      });
    }),
  );

  test("that was emptied is not applied, whatever it is called", ({ expect }) =>
    within(async (harness) => {
      for (const path of ["plan.yaml", "saved.yml", "next.yaml"]) {
        writeFileSync(join(harness.folder, path), "");
        const { code, stderr } = await harness.run(`apply --yes --url URL ${path}`);
        expect({ code, stderr }).toEqual({
          code: 64,
          stderr: expect.stringContaining(`! ${path} is not a saved plan.`),
        });
        expect(stderr).toContain("It is empty. Nothing was sent.");
      }
    }));

  test("takes its target from gate-sync.yaml, and never sends a login to the URL of the file", ({ expect }) =>
    onHarness({ files, state }, async (harness) => {
      const targets = { other: { url: "http://127.0.0.1:1" }, prod: { url: harness.url, state: ["access"] } };
      writeFileSync(join(harness.folder, "gate-sync.yaml"), JSON.stringify({ targets }));
      await harness.run("plan --target prod --out plan.json");
      expect((await harness.run("apply plan.json")).code).toBe(0);
      writeFileSync(join(harness.folder, "gate-sync.yaml"), "{}");
      const { code, stderr } = await harness.run("apply plan.json");
      expect(code).toBe(64);
      expect(stderr).toContain("No server is named.");
    }));
});

describe.concurrent("an edited plan file", () => {
  const edits: Readonly<Record<string, (text: string) => string>> = {
    "a value": (text) => text.replaceAll("Second", "Third"),
    "a space": (text) => text.replace('": ', '":  '),
    "a line break at its end": (text) => `${text}\n`,
    "a key twice": (text) => text.replace('"seen": [', '"seen": [],\n    "seen": ['),
    "half of it": (text) => text.slice(0, text.length / 2),
    "a field more": (text) => text.replace('"format_version": 2,', '"format_version": 2,\n  "more": 1,'),
  };
  const cases = Object.entries(edits).flatMap(([what, change]) =>
    [{}, key].map((env) => ({ what: `${what}, ${env === key ? "sealed" : "unsealed"}`, change, env })),
  );

  test.for(cases)("is refused: $what", ({ change, env }, { expect }) =>
    within(async (harness) => {
      await save(harness, env);
      edit(harness, change);
      const { code, stderr } = await harness.run("apply --url URL plan.json", env);
      expect({ code, writes: harness.writes() }).toEqual({ code: 64, writes: [] });
      expect(stderr).toContain("plan.json was changed since gate-sync wrote it.");
    }),
  );

  test("under the fingerprint of another plan is refused", ({ expect }) =>
    within(async (harness) => {
      await save(harness);
      const agreed = JSON.parse(textIn(harness)).body.fingerprint;
      forge(harness, (text) => text.replaceAll('"New"', '"Worse"'), agreed);
      const { code, stderr } = await harness.run(`apply --url URL plan.json --expect ${agreed}`);
      expect({ code, writes: harness.writes() }).toEqual({ code: 64, writes: [] });
      expect(stderr).toMatch(/fingerprint\s+is\s+not\s+that\s+of\s+its\s+plan/);
    }));

  test.for([
    [
      "an unknown persona",
      (text: string) => text.replace('"persona": "ana"', '"persona": "anna"'),
      "There is no persona",
    ],
    ["an unknown action", (text: string) => text.replace('"search"', '"serch"'), '"serch"'],
    [
      "no principal",
      (text: string) => text.replace('"backend_roles": ["a"]', '"backend_roles": []'),
      "does not say who is meant",
    ],
  ] as const)("is refused where one of its access tests has %s, and so no answer", ([, change, why], { expect }) =>
    within(
      async (harness) => {
        await save(harness);
        const normal = (text: string) => change(text.replace(/\[\s+"a"\s+\]/g, '["a"]'));
        forge(harness, normal);
        const { code, stderr } = await harness.run("apply --url URL plan.json");
        expect({ code, writes: harness.writes() }).toEqual({ code: 64, writes: [] });
        const words = stderr.replace(/\s+/g, " ");
        expect(words).toContain("An access test in it has no answer.");
        expect(words).toContain(why);
      },
      {
        files: {
          ...files,
          "access/tests.yml": `personas: { ana: { backend_roles: [b] } }
access_tests:
  - { as: ana, action: search, index: x, expect: denied }
  - { as: { backend_roles: [a] }, action: get, index: x, expect: denied }
`,
        },
        state,
      },
    ),
  );

  test("is refused for its time too, where it is sealed", ({ expect }) =>
    within(async (harness) => {
      await save(harness, key);
      edit(harness, (text) => text.replace(/"at": "\d+/, '"at": "1999'));
      expect((await harness.run("apply --url URL plan.json", key)).code).toBe(64);
    }));

  test("of another version is refused as that", ({ expect }) =>
    within(async (harness) => {
      await save(harness);
      edit(harness, (text) => text.replace('"format_version": 2', '"format_version": 1'));
      const { code, stderr } = await harness.run("apply --url URL plan.json");
      expect(code).toBe(64);
      expect(stderr).toContain("has format version 1, and this gate-sync reads version 2");
    }));

  test.concurrent.for<[string, Env, boolean]>([
    ["unset", {}, true],
    ["empty, as a pipeline sets a secret that is missing", { GATE_SYNC_PLAN_KEY: "" }, true],
    ["set", key, false],
  ])("a key that is %s: plan and apply say whether the file has a seal", ([, env, isNoted], { expect }) =>
    within(async ({ run }) => {
      const words = "The plan file has no seal, as GATE_SYNC_PLAN_KEY is not set";
      const says = ({ stdout }: { readonly stdout: string }) => stdout.replace(/\s+/g, " ").includes(words);
      expect(says(await run("plan --url URL access", env))).toBe(false);
      for (const format of ["text", "markdown"])
        expect(says(await run(`plan --url URL access --out plan.json --format ${format}`, env))).toBe(isNoted);
      expect(says(await run("apply plan.json --url URL", env))).toBe(isNoted);
    }),
  );

  test.for([
    ["sealed, without the key", key, {}],
    ["sealed, with another key", key, { GATE_SYNC_PLAN_KEY: "another key than that" }],
    ["unsealed, with a key", {}, key],
  ] as const)("counts as edited: %s", ([, one, other], { expect }) =>
    within(async (harness) => {
      await save(harness, one);
      const { code, stderr } = await harness.run("apply --url URL plan.json", other);
      expect({ code, writes: harness.writes() }).toEqual({ code: 64, writes: [] });
      expect(stderr).toContain("GATE_SYNC_PLAN_KEY");
    }),
  );
});

describe.concurrent("a reviewed plan with secrets", () => {
  const configOf = (password: string, hosts: string) =>
    `{ dynamic: { authz: { d: { authorization_backend: { type: ldap, config: { hosts: [${hosts}], password: ${password} } } } } } }`;
  const live = (password: string) => ({
    dynamic: { authz: { d: { authorization_backend: { type: "ldap", config: { hosts: ["a"], password } } } } },
  });
  const server = (password: string) => ({ state: { config: live(password) }, allowConfigModification: true });
  const declared = (hosts: string, reference = "'${env:PW}'") => ({
    "access/c.yml": `config: ${configOf(reference, hosts)}\n`,
    "access/pw.txt": "canary-new\n",
  });

  test("is not sealed with a key that could be guessed", ({ expect }) =>
    within(async ({ run }) => {
      const { code, stderr } = await run("plan --url URL access --out plan.json", {
        GATE_SYNC_PLAN_KEY: "canary-short",
      });
      expect(code).toBe(64);
      expect(stderr).toContain("too short");
      expect(stderr).not.toContain("canary");
    }));

  test("is not saved without a key, and says why", ({ expect }) =>
    within(
      async (harness) => {
        const run = await harness.run("plan --url URL access --out plan.json", { PW: "canary-new" });
        expect(run.code).toBe(4);
        expect(run.stderr).toContain("This plan changes secrets (config) and cannot be saved without a key.");
        expect(readdirSync(harness.folder)).toEqual(["access"]);
        expect(JSON.stringify(run)).not.toContain("canary");
      },
      { files: declared("a"), ...server("canary-old") },
    ));

  test("holds a secret of a state file encrypted, and needs the key for it", ({ expect }) =>
    onHarness({ files: declared("a", "canary-new"), ...server("canary-old") }, async (harness) => {
      const unsaved = await harness.run("plan --url URL access --out plan.json");
      expect(unsaved).toMatchObject({ code: 4, stderr: expect.stringContaining("cannot be saved without a key") });
      await save(harness, key, " --allow plain-secrets --allow authentication");
      const first = textIn(harness);
      await save(harness, key, " --allow plain-secrets --allow authentication");
      const second = textIn(harness);
      expect(/"encrypted": ".+"/.exec(second)?.[0]).toBe(/"encrypted": ".+"/.exec(first)?.[0]);
      writeFileSync(join(harness.folder, "access/c.yml"), `config: ${configOf("canary-later", "a")}\n`);
      const run = await harness.run("apply --url URL plan.json", key);
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
      expect(textIn(harness) + JSON.stringify(run)).not.toContain("canary");
      expect(JSON.stringify(await heldBy(harness, "gate_config"))).toContain("canary-new");
    }));

  test("says of a secret that the change leaves as it is that it needs the key, too", ({ expect }) =>
    within(
      async (harness) => {
        const run = await harness.run("plan --url URL access --out plan.json");
        expect(run.code).toBe(4);
        expect(run.stderr.replace(/\s+/g, " ")).toContain(
          "This plan cannot be saved without a key: a secret of config is written in a state file.",
        );
      },
      { files: declared("b", "canary-old"), ...server("canary-old") },
    ));

  test.for([
    ["the environment", "'${env:PW}'"],
    ["a file", "'${file:pw.txt}'"],
  ] as const)("is applied with the secret from %s, and shows it nowhere", ([, reference], { expect }) =>
    onHarness({ files: declared("a", reference), ...server("canary-old") }, async (harness) => {
      const env = { ...key, PW: "canary-new" };
      await save(harness, env);
      const run = await harness.run("apply --url URL plan.json", env);
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
      expect(textIn(harness) + JSON.stringify(run)).not.toContain("canary");
      expect(JSON.stringify(await heldBy(harness, "gate_config"))).toContain("canary-new");
    }),
  );

  test.for([
    [
      "another secret",
      { PW: "canary-other" },
      5,
      "The secret ${env:PW} of config is not the one of the reviewed plan.",
    ],
    ["no secret", {}, 3, "The environment variable PW is not set."],
  ] as const)("is not applied with %s", ([, env, exit, explained], { expect }) =>
    within(
      async (harness) => {
        await save(harness, { ...key, PW: "canary-new" });
        const { code, stderr } = await harness.run("apply --url URL plan.json", { ...key, ...env });
        expect({ code, writes: harness.writes() }).toEqual({ code: exit, writes: [] });
        expect(stderr).toContain(explained);
      },
      { files: declared("a"), ...server("canary-old") },
    ),
  );

  test("is stale where the live secret that it replaces has moved", ({ expect }) =>
    within(
      async (harness) => {
        const env = { ...key, PW: "canary-new" };
        await save(harness, env);
        await byHand(harness, "PUT", "gate_config", live("canary-hand"));
        const { code, stderr } = await harness.run("apply --url URL plan.json", env);
        expect(code).toBe(5);
        expect(stderr.replace(/\s+/g, " ")).toContain("config (dynamic.authz.d.authorization_backend.config.password)");
      },
      { files: declared("a"), ...server("canary-old") },
    ));

  test("needs no key where the secret stays, and sends the one that is live", ({ expect }) =>
    within(
      async (harness) => {
        const env = { PW: "canary-same" };
        await save(harness, env, " --allow authentication");
        expect(textIn(harness)).not.toMatch(/canary|hmac/);
        const { code } = await harness.run("apply --url URL plan.json", env);
        expect(code).toBe(0);
        expect(JSON.stringify(await heldBy(harness, "gate_config"))).toMatch(/"b".*canary-same/);
      },
      { files: declared("b"), ...server("canary-same") },
    ));

  test("sends no secret that was written into a file without a seal, whatever its digest", ({ expect }) =>
    within(async (harness) => {
      await save(harness);
      forge(harness, (text) => text.replaceAll('"New"', '{"$secret":"${env:PW}"}'));
      const { code, stderr } = await harness.run("apply --url URL plan.json", { PW: "canary-stolen" });
      expect({ code, writes: harness.writes() }).toEqual({ code: 4, writes: [] });
      expect(stderr).toContain("changes secrets, and was made without a key");
    }));

  test("is not saved where the secret could not be had again", ({ expect }) =>
    onHarness({ files: declared("a", "'x-${env:PW}'"), ...server("canary-old") }, async (harness) => {
      const { code, stderr } = await harness.run("plan --url URL access --out plan.json", { ...key, PW: "canary-new" });
      expect(code).toBe(4);
      expect(stderr.replace(/\s+/g, " ")).toContain("is only part of a longer text");
    }));

  test.for([
    ["", "Saved in plan.json, for gate-sync apply plan.json.\n"],
    [" --quiet", ""],
    [" --format json", ""],
  ])("says where it was saved, but not with%s", ([flag, reported], { expect }) =>
    within(async (harness) => {
      const { stderr } = await harness.run(`plan --url URL access --out plan.json${flag}`);
      expect(stderr).toBe(reported);
    }),
  );

  test("that a guard refuses says what it was saved for", ({ expect }) =>
    within(
      async ({ run }) => {
        const { code, stderr } = await run("plan --url URL access --out plan.json");
        expect(code).toBe(4);
        expect(stderr).toContain("Saved in plan.json, for its reviewers; it cannot be applied.\n");
      },
      { files: { "access/a.yml": "tenants: {}\n" }, state },
    ));

  test("that stopped part-way is to be planned again", ({ expect }) =>
    within(
      async (harness) => {
        await save(harness);
        harness.emulator.fault = ({ method, path }) =>
          method !== "GET" && path.includes("blocks") ? { at: "before", answer: { status: 400 } } : undefined;
        const { code, stdout } = await harness.run("apply plan.json --url URL");
        expect(code).toBe(6);
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "then plan again with gate-sync plan --out, and have the new plan reviewed: the old one no longer holds, as a part of it is done.",
        );
      },
      {
        files: { ...files, "access/b.yml": "blocks:\n  lab: { type: ip, value: 192.0.2.7, verdict: disallow }\n" },
        state,
      },
    ));

  test("keeps a backup of every family that it touches, but for what is others'", ({ expect }) => {
    const target = { url: "URL", state: ["access/"] };
    const config = (url: string) =>
      JSON.stringify({
        targets: { only: { ...target, url } },
        defaults: { families: { tenants: { exclude: ["ops_*"] } } },
      });
    const tenants = {
      support: { description: "Second line" },
      same: { description: "Same" },
    };
    const held = {
      support: { description: "First line" },
      same: { description: "Same" },
      ops_a: {},
    };
    const env = key;
    return within(
      async ({ run, folder, url, emulator }) => {
        writeFileSync(join(folder, "gate-sync.yaml"), config(url));
        expect((await run("plan --out plan.json", env)).code).toBe(0);
        expect((await run("apply plan.json", env)).code).toBe(0);
        const [backup = ""] = readdirSync(join(folder, ".gate-sync/backups"));
        const kept = readFileSync(join(folder, ".gate-sync/backups", backup, "state/tenants.yml"), "utf8");
        expect(kept).toContain("First line");
        expect(kept).toContain("same");
        expect(kept).not.toMatch(/ops_a/);
        expect((await run("rollback --yes", env)).code).toBe(0);
        expect(Object.fromEntries(emulator.state().tenants)).toEqual(held);
      },
      { files: { "access/a.yml": JSON.stringify({ tenants }) }, state: { tenants: held } },
    );
  });
});
