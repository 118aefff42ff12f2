import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import AjvDraft4 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { type Harness, oneTenant, onHarness } from "./harness.ts";

const schema = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
    "utf8",
  ),
);
// One pattern of the schema is none under the flag that Ajv sets.
const ajv = new AjvDraft4.default({ strict: false, unicodeRegExp: false, allErrors: true });
addFormats.default(ajv);
const validateSarif = ajv.compile(schema);

interface SarifResult {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number; readonly endLine: number };
    };
  }[];
  readonly partialFingerprints?: { readonly primaryLocationLineHash: string };
}

function readSarif(path: string) {
  const log = JSON.parse(readFileSync(path, "utf8"));
  expect(validateSarif(log), JSON.stringify(validateSarif.errors)).toBe(true);
  const [run] = log.runs;
  return {
    id: run.automationDetails.id as string,
    rules: run.tool.driver.rules as readonly { readonly id: string; readonly help: { readonly text: string } }[],
    isDone: run.invocations[0].executionSuccessful as boolean,
    results: run.results as readonly SarifResult[],
  };
}

const placesOf = ({ results }: ReturnType<typeof readSarif>) =>
  results.map(({ ruleId, level, locations: [at] }) => {
    const { artifactLocation, region } = at?.physicalLocation ?? {};
    return `${level} ${ruleId} ${artifactLocation?.uri}:${region?.startLine}`;
  });

const reader = {
  "gate-sync.yaml": "targets:\n  prod:\n    url: http://127.0.0.1:1\n    product: gate\n    state: [access/]\n",
  "access/hr.yml":
    'roles:\n  hr_reader:\n    index_permissions:\n      - index_patterns: [hr-*]\n        allowed_actions: ["indices:data/read/*"]\n' +
    "role_mappings:\n  hr_reader:\n    backend_roles:\n      - staff\n",
};

describe("several formats in one run", () => {
  test("of a plan: the text on standard output, each report in its file, the same plan in all", async () => {
    await onHarness({ files: reader }, async ({ run, folder, emulator }) => {
      const { code, stdout } = await run(
        "plan --url URL --format json=p.json --format sarif=p.sarif --format markdown=p.md --format junit=p.xml",
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("2 to create, in 2 requests.") });
      const { fingerprint, summary } = JSON.parse(readFileSync(join(folder, "p.json"), "utf8"));
      expect(summary).toMatchObject({ create: 2 });
      expect(stdout).toContain(fingerprint);
      expect(readFileSync(join(folder, "p.md"), "utf8")).toContain(fingerprint);
      expect(readFileSync(join(folder, "p.xml"), "utf8")).toContain('<testsuites name="gate-sync plan prod" tests="2"');
      // Each is read once for all formats.
      const reads = emulator.requests.map(({ method, path }) => `${method} ${path}`);
      expect(new Set(reads).size).toBe(reads.length);
    });
  });

  test("standard output gets what has no file, and text where all have one", async () => {
    await onHarness({ files: oneTenant }, async ({ run, folder }) => {
      const { stdout } = await run("plan access/ --url URL --format json --format markdown=p.md");
      expect(JSON.parse(stdout)).toMatchObject({ kind: "plan" });
      expect(readFileSync(join(folder, "p.md"), "utf8")).toContain("1 to create");
    });
  });

  test.each([
    ["plan access/ --format markdown --format text", "Standard output takes one format"],
    ["plan access/ --format yaml=p.txt", "Allowed choices are text, json"],
    ["plan access/ --format json=", "it takes the name of a file"],
    ["plan access/ --format github=x", "github takes no file"],
    ["plan access/ --format json=access/tenants.yml", "A report would replace access/tenants.yml."],
    ["plan access/ --format json=nowhere/p.json", "nowhere/p.json cannot be written to."],
    ["plan access/ --format json=access", "access cannot be written to."],
  ])("%s: a message, and nothing is asked or written", async (line, message) => {
    await onHarness({ files: oneTenant }, async ({ run, folder, emulator }) => {
      const { code, stderr } = await run(`${line} --url URL`);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining(message),
      });
      expect(emulator.requests).toEqual([]);
      expect(readFileSync(join(folder, "access/tenants.yml"), "utf8")).toBe(oneTenant["access/tenants.yml"]);
    });
  });

  test("a report never replaces a file that git keeps", async () => {
    await onHarness({ files: { ...oneTenant, "notes.json": "{}" } }, async ({ run, folder, emulator }) => {
      const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: folder });
      git("init", "-q");
      git("add", "notes.json");
      const { code, stderr } = await run("plan access/ --url URL --format json=notes.json");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("would replace notes.json") });
      expect(readFileSync(join(folder, "notes.json"), "utf8")).toBe("{}");
      expect(emulator.requests).toEqual([]);
    });
  });
});

describe("what a report may replace", () => {
  test("a link of its name, never what the link leads to", async () => {
    const tracked = { ...oneTenant, "notes.json": '{ "format_version": 0 }\n' };
    await onHarness({ files: tracked }, async ({ run, folder }) => {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      execFileSync("git", ["add", "."], { cwd: folder });
      symlinkSync("notes.json", join(folder, "soft.json"));
      linkSync(join(folder, "notes.json"), join(folder, "hard.json"));
      const { code } = await run("plan access/ --url URL --format json=soft.json --format json=hard.json");
      expect(code).toBe(0);
      expect(readFileSync(join(folder, "notes.json"), "utf8")).toBe(tracked["notes.json"]);
      for (const name of ["soft.json", "hard.json"]) {
        expect(lstatSync(join(folder, name)).isFile()).toBe(true);
        expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toMatchObject({ kind: "plan" });
      }
    });
  });

  test("an older report, whose mode it keeps, and an empty file; nothing is left beside it", async () => {
    await onHarness({ files: oneTenant }, async ({ run, folder }) => {
      const names = ["json", "sarif", "html", "junit", "code-quality", "dotenv", "markdown", "text"];
      const line = `plan access/ --url URL ${names.map((name) => `--format ${name}=r.${name}`).join(" ")}`;
      writeFileSync(join(folder, "r.json"), "");
      expect((await run(line)).code).toBe(0);
      chmodSync(join(folder, "r.json"), 0o640);
      const left = readdirSync(folder);
      const second = await run(line);
      expect(second).toMatchObject({ code: 0 });
      expect(statSync(join(folder, "r.json")).mode & 0o777).toBe(0o640);
      expect(readdirSync(folder)).toEqual(left);
      for (const command of ["validate access/", "drift access/ --url URL"]) {
        const some = names.filter((name) => !["html", "markdown"].includes(name));
        const formats = some.map((name) => `--format ${name}=r.${name}`).join(" ");
        expect((await run(`${command} ${formats}`)).code).not.toBe(64);
      }
    });
  });

  test("an older report in text or markdown, whatever the run came to", async () => {
    const ana = "roles: { r: { cluster_permissions: [cluster_monitor] } }\nrole_mappings: { r: { users: [ana] } }\n";
    const tests = (expected: string) =>
      `access_tests: [{ name: t, as: { user: ana }, action: health, expect: ${expected} }]\nroles: { r: { cluster_permissions: [cluster_monitor] } }\n`;
    const some = {
      "empty.yml": "tenants: {}\n",
      "ana.yml": ana,
      "passes.yml": tests("denied"),
      "fails.yml": tests("allowed"),
      "wrong.yml": "roles: { r: { cluster_permission: [] } }\n",
      "warned.yml": "roles: { r: { cluster_permissions: [cluster_monitor] } }\n",
    };
    await onHarness({ files: some }, async ({ run, folder }) => {
      const lines = [
        ...["plan empty.yml", "plan ana.yml", "plan wrong.yml", "drift empty.yml", "drift ana.yml", "drift wrong.yml"],
        ...["plan nowhere.yml", "plan ana.yml --password-file nowhere", "plan fails.yml"],
      ].flatMap((line) => [`${line} --url URL --format text=x.txt --format markdown=x.md`]);
      const offline = ["ana", "wrong", "warned", "empty", "nowhere"].map(
        (one) => `validate ${one}.yml --format text=x.txt`,
      );
      const tested = ["passes", "fails", "wrong", "empty"].map((one) => `test ${one}.yml --format text=x.txt`);
      for (const line of [...lines, ...offline, ...tested]) {
        expect(await run(line), line).toBeDefined();
        const { stderr } = await run(line);
        expect([line, stderr.includes("would replace")]).toEqual([line, false]);
        rmSync(join(folder, "x.txt"));
        rmSync(join(folder, "x.md"), { force: true });
      }
    });
  });

  const key = "-----BEGIN PRIVATE KEY-----\n";
  const files = {
    ...oneTenant,
    pw: "",
    "key.pem": key,
    ".env": "PASSWORD=x\n",
    "state.json": "",
    "plan.json": '{ "format": "gate-sync/plan", "format_version": 1 }',
    "any.html": "<p>",
    "notes.md": "# Notes\n\nOf `prod`: **none**\n",
    "notes.txt": "Of prod: 1 error\n  gate\n",
    ".gate-sync/kept": "",
    "records/kept": "",
  };
  test.each([
    ["--password-file pw --format json=pw", "pw", "The same command line names it"],
    ["--password-file pw --format json=link", "link", "The same command line names it"],
    ["--live pw --format json=./pw", "./pw", "The same command line names it"],
    ["--config pw --format json=pw", "pw", "The same command line names it"],
    ["--out p.json --format json=p.json", "p.json", "The same command line names it"],
    ["state.json --format json=state.json", "state.json", "The same command line names it"],
    ["--format json=x.json --format sarif=./x.json", "./x.json", "Another report goes to the same file."],
    ["--format json=.git/HEAD", ".git/HEAD", "the folder that git keeps for itself"],
    ["--format text=.git/hooks/pre-commit", ".git/hooks/pre-commit", "the folder that git keeps for itself"],
    ["--format text=.gate-sync/new", ".gate-sync/new", "the folder of gate-sync's own records"],
    ["--state-dir records --format text=records/new", "records/new", "the folder of gate-sync's own records"],
    ["--format json=plan.json", "plan.json", "does not begin as a report of gate-sync in json does"],
    ["--format html=any.html", "any.html", "does not begin as a report of gate-sync in html does"],
    ["--format sarif=any.html", "any.html", "does not begin as a report of gate-sync in sarif does"],
    ["--format junit=any.html", "any.html", "does not begin as a report of gate-sync in junit does"],
    ["--format code-quality=any.html", "any.html", "does not begin as a report of gate-sync in code-quality does"],
    ["--format dotenv=.env", ".env", "does not begin as a report of gate-sync in dotenv does"],
    ["--format markdown=notes.md", "notes.md", "does not begin as a report of gate-sync in markdown does"],
    ["--format text=notes.txt", "notes.txt", "does not begin as a report of gate-sync in text does"],
    ["--format text=.env", ".env", "does not begin as a report of gate-sync in text does"],
    ["--format markdown=key.pem", "key.pem", "does not begin as a report of gate-sync in markdown does"],
  ])("not with %s: a message, and nothing is asked or written", async (words, path, why) => {
    await onHarness({ files }, async ({ run, folder, emulator }) => {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      mkdirSync(join(folder, ".git/hooks"), { recursive: true });
      symlinkSync("pw", join(folder, "link"));
      const before = readdirSync(folder);
      const { code, stderr } = await run(`plan ${words} --url URL`);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining(`A report would replace ${path}. `),
      });
      expect(stderr.replace(/\s+/g, " ")).toContain(why);
      expect(emulator.requests).toEqual([]);
      expect(readdirSync(folder)).toEqual(before);
      for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    });
  });

  test.skipIf(process.platform === "win32").each(["/dev/full", "/dev/stdout", "/dev/new"])(
    "not %s, which is no file",
    async (path) => {
      await onHarness({ files: oneTenant }, async ({ run }) => {
        const { code, stderr } = await run(`plan access/ --url URL --format json=${path}`);
        expect(code).toBe(64);
        expect(stderr).toContain(`${path} cannot be written to.`);
        expect(stderr).toContain("It is no file.");
      });
    },
  );

  test("where one cannot be written, none of the others stays as it was", async () => {
    await onHarness({ files: oneTenant }, async ({ run, folder }) => {
      const line = `plan access/ --url URL --format json=${"n".repeat(300)} --format html=p.html`;
      writeFileSync(join(folder, "p.html"), "<!doctype html>older");
      const { code, stderr } = await run(line);
      expect(code).toBe(64);
      expect(stderr).toContain("cannot be written to.");
      expect(readFileSync(join(folder, "p.html"), "utf8")).toContain("cannot be written to.");
    });
  });
});

describe("SARIF", () => {
  test("of a plan names who gains access at the line that gives it, by the target's category", async () => {
    await onHarness({ files: reader }, async ({ run, folder }) => {
      await run("plan --url URL --format sarif=p.sarif");
      const sarif = readSarif(join(folder, "p.sarif"));
      expect(sarif).toMatchObject({ id: "gate-sync/plan/prod/", isDone: true });
      expect(placesOf(sarif)).toEqual(["note access-gained access/hr.yml:9"]);
      expect(sarif.results[0]?.message.text).toContain("backend role staff: ");
      expect(sarif.rules.map(({ id }) => id)).toEqual(["access-gained"]);
    });
  });

  test("of a refused plan has the guard as an error, at the target where no file declares what it is about", async () => {
    await onHarness({ files: { ...reader, "access/none.yml": "tenants: {}\n" } }, async ({ run, folder }) => {
      await run("apply --url URL --yes");
      writeFileSync(join(folder, "access/hr.yml"), "roles: {}\nrole_mappings: {}\n");
      const { code } = await run("plan --url URL --format sarif=p.sarif");
      expect(code).toBe(4);
      const places = placesOf(readSarif(join(folder, "p.sarif")));
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) expect(place).toMatch(/^error \S+ gate-sync\.yaml:2$/);
    });
  });

  test("of a plan after which an access test fails has that at the test", async () => {
    const tests =
      "access_tests:\n  - as: { backend_roles: [staff] }\n    action: search\n    index: hr-1\n    expect: denied\n";
    const files = { ...reader, "access/hr.access-tests.yml": tests };
    await onHarness({ files }, async ({ run, folder }) => {
      const { code, stdout } = await run("plan --url URL --format sarif=p.sarif --format code-quality=q.json");
      expect({ code, stdout }).toMatchObject({ code: 4 });
      expect(placesOf(readSarif(join(folder, "p.sarif")))).toContain("error access-tests access/hr.access-tests.yml:2");
      const issues = JSON.parse(readFileSync(join(folder, "q.json"), "utf8"));
      expect(issues).toContainEqual(
        expect.objectContaining({
          check_name: "access-tests",
          location: { path: "access/hr.access-tests.yml", lines: { begin: 2 } },
        }),
      );
    });
  });

  test("of a run that ends early says why, with what is wrong in the files, and takes the place of an older report", async () => {
    const files = { ...reader, "access/hr.yml": "roles:\n  hr_reader: { index_permission: [] }\n" };
    await onHarness({ files }, async ({ run, folder }) => {
      writeFileSync(join(folder, "p.sarif"), '{\n  "$schema": "https://example.org/sarif.json"\n}\n');
      const { code } = await run("plan --url URL --format sarif=p.sarif --format junit=p.xml --format json=p.json");
      expect(code).toBe(3);
      const sarif = readSarif(join(folder, "p.sarif"));
      expect(sarif).toMatchObject({ id: "gate-sync/plan/prod/", isDone: false });
      expect(placesOf(sarif)).toEqual(["error unknown-field access/hr.yml:2"]);
      expect(readFileSync(join(folder, "p.xml"), "utf8")).toContain('errors="1"');
      expect(JSON.parse(readFileSync(join(folder, "p.json"), "utf8"))).toMatchObject({ kind: "error" });
    });
  });

  test("has paths from the root of the repository, and the same hash of a line that moved", async () => {
    const files = Object.fromEntries(Object.entries(reader).map(([path, text]) => [`clusters/${path}`, text]));
    await onHarness({ files }, async ({ url, folder }) => {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      const cwd = join(folder, "clusters");
      const planned = async (name: string) => {
        const env = { PATH: process.env.PATH ?? "" };
        await gateSyncWithin(["plan", "--url", url, "--format", `sarif=${name}`], { cwd, env });
        return readSarif(join(cwd, name));
      };
      const first = await planned("1.sarif");
      writeFileSync(join(cwd, "access/hr.yml"), `# moved\n\n${reader["access/hr.yml"]}`);
      const second = await planned("2.sarif");
      expect([...placesOf(first), ...placesOf(second)]).toEqual([
        "note access-gained clusters/access/hr.yml:9",
        "note access-gained clusters/access/hr.yml:11",
      ]);
      expect(second.results[0]?.partialFingerprints).toEqual(first.results[0]?.partialFingerprints);
    });
  });

  test("of drift has what was added on the server at the target, and what was changed at its line", async () => {
    await onHarness({ files: reader }, async ({ run, folder, emulator }) => {
      await run("apply --url URL --yes");
      const url = `${emulator.url}/_gate/api/tenants/added`;
      await fetch(url, { method: "PUT", headers: { "content-type": "application/json" }, body: "{}" });
      await fetch(`${emulator.url}/_gate/api/rolesmapping/hr_reader`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ backend_roles: ["everyone"] }),
      });
      const { code } = await run("drift --url URL --format sarif=d.sarif");
      expect(code).toBe(2);
      expect(placesOf(readSarif(join(folder, "d.sarif")))).toEqual(["warning drifted-entry access/hr.yml:7"]);
    });
  });
});

describe("what GitHub Actions reads", () => {
  test("annotations below the text, a summary of the step, and outputs for later steps", async () => {
    await onHarness({ files: reader }, async ({ run, folder }) => {
      const env = { GITHUB_OUTPUT: join(folder, "outputs"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
      const { stdout } = await run("plan --url URL --format github", env);
      const lines = stdout.trimEnd().split("\n");
      expect(lines.at(-1)).toMatch(
        /^::notice file=access\/hr\.yml,line=9,endLine=9,col=9,endColumn=14,title=access-gained::backend role staff/,
      );
      expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(1);
      const [, fingerprint = ""] = /Fingerprint (\w+)/.exec(stdout) ?? [];
      expect(readFileSync(env.GITHUB_OUTPUT, "utf8")).toBe(`changes=2\nfingerprint=${fingerprint}\nresult=pending\n`);
      expect(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")).toContain("2 to create");
    });
  });

  test("a name cannot become a command, nor end one", async () => {
    const files = { "access/t.yml": 'tenants:\n  t: { "a\\n::error::b%0A::c": 1 }\n' };
    await onHarness({ files }, async ({ run }) => {
      const { stdout } = await run("validate access/ --format github");
      const commands = stdout.split("\n").filter((line) => line.startsWith("::"));
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) expect(command).toMatch(/^::(error|warning|notice) file=access\/t\.yml,line=/);
      // What follows a command is a line of the log: each sentence of a message is within it.
      expect(commands.join("\n")).toContain("%0A");
      expect(commands.join("\n")).not.toMatch(/b%0A/);
    });
  });

  test("ten annotations of a level, the last of which counts the rest", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `  t${at}: { descriptio: x }\n`).join("");
    await onHarness({ files: { "access/t.yml": `tenants:\n${names}` } }, async ({ run }) => {
      const { stdout } = await run("validate access/ --format github");
      const commands = stdout.split("\n").filter((line) => line.startsWith("::error"));
      expect(commands).toHaveLength(10);
      expect(commands.at(-1)).toContain("16 more errors");
    });
  });
});

test("Code Quality of GitLab: paths, lines and fingerprints that stay when lines move", async () => {
  await onHarness({ files: reader }, async ({ run, folder }) => {
    const read = () => JSON.parse(readFileSync(join(folder, "q.json"), "utf8"));
    await run("plan --url URL --format code-quality=q.json");
    const before = read();
    expect(before).toEqual([
      {
        description: expect.stringContaining("backend role staff: "),
        check_name: "access-gained",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: "info",
        location: { path: "access/hr.yml", lines: { begin: 9 } },
      },
    ]);
    writeFileSync(join(folder, "access/hr.yml"), `# moved\n${reader["access/hr.yml"]}`);
    await run("plan --url URL --format code-quality=q.json");
    expect(read()[0]).toMatchObject({ fingerprint: before[0].fingerprint, location: { lines: { begin: 10 } } });
  });
});

describe("the dotenv report of GitLab", () => {
  const planned = async ({ run, folder }: Harness, more = "") => {
    const { code, stdout } = await run(`plan --url URL --format dotenv=p.env ${more}`);
    return { code, stdout, lines: readFileSync(join(folder, "p.env"), "utf8").trimEnd().split("\n") };
  };

  test("has the counts of a plan for later jobs, without quotes, spaces and empty values", async () => {
    await onHarness({ files: reader }, async (harness) => {
      const { stdout, lines } = await planned(harness);
      const [, fingerprint = ""] = /Fingerprint (\w+)/.exec(stdout) ?? [];
      expect(lines).toEqual([
        "GATE_SYNC_RESULT=pending",
        "GATE_SYNC_CHANGES=2",
        `GATE_SYNC_FINGERPRINT=${fingerprint}`,
      ]);
      await harness.run("apply --url URL --yes");
      // In sync, too: what later jobs have does not depend on it.
      const inSync = await planned(harness, "--format json=p.json");
      const { fingerprint: ofNothing } = JSON.parse(readFileSync(join(harness.folder, "p.json"), "utf8"));
      expect(inSync.lines).toEqual([
        "GATE_SYNC_RESULT=done",
        "GATE_SYNC_CHANGES=0",
        `GATE_SYNC_FINGERPRINT=${ofNothing}`,
      ]);
    });
  });

  test("of a refused plan, and of a run that ends early, says so in the place of the older one", async () => {
    await onHarness({ files: { ...reader, "access/none.yml": "tenants: {}\n" } }, async (harness) => {
      await harness.run("apply --url URL --yes");
      writeFileSync(join(harness.folder, "access/hr.yml"), "roles: {}\nrole_mappings: {}\n");
      expect(await planned(harness)).toMatchObject({ code: 4, lines: { 0: "GATE_SYNC_RESULT=refused" } });
      writeFileSync(join(harness.folder, "access/hr.yml"), "roles: { hr: { a: 1 } }\n");
      expect(await planned(harness)).toMatchObject({ code: 3, lines: ["GATE_SYNC_RESULT=invalid"] });
    });
  });

  test("of the other commands has their result", async () => {
    await onHarness({ files: reader }, async ({ run, folder }) => {
      const results: string[] = [];
      for (const command of ["validate", "test", "drift --url URL"]) {
        await run(`${command} --product gate --format dotenv=r.env`);
        results.push(readFileSync(join(folder, "r.env"), "utf8"));
      }
      expect(results).toEqual([
        "GATE_SYNC_RESULT=done\n",
        "GATE_SYNC_RESULT=done\n",
        "GATE_SYNC_RESULT=pending\nGATE_SYNC_CHANGES=2\n",
      ]);
    });
  });
});
