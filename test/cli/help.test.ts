// What the program says of itself, and what it makes of words it does not know.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const commands = [
  "validate",
  "test",
  "plan",
  "apply",
  "status",
  "drift",
  "rollback",
  "access",
  "import",
  "export",
  "targets",
  "render",
  "fmt",
  "diff-targets",
  "doctor",
  "explain",
  "guards",
  "schema",
  "emulator",
  "init",
  "report",
  "convert",
];

/** Words that are not understood: the first line says which, and what was probably meant. */
const unknown: Readonly<Record<string, readonly [line: string, reported: string]>> = {
  "a command": ["plann", "! Unknown command 'plann'. Did you mean plan?"],
  "an option": [
    "plan --detailed-exitcodes",
    "! Unknown option '--detailed-exitcodes'. Did you mean --detailed-exitcode?",
  ],
  "a resource type": ["plan --family role", '! There is no resource type "role". Did you mean "roles"?'],
  "a target": ["plan --target prd", '! There is no target "prd". Did you mean "prod"?'],
  "a release": [
    "plan --target prod --product gate --release 7.x-43.0",
    '! gate-sync does not know the release "7.x-43.0" of gate. Did you mean "7.x-43.0.0"?',
  ],
  "a release, where no server is asked": [
    "validate --target prod --product gate --release 7.x-43.0",
    '! gate-sync does not know the release "7.x-43.0" of gate. Did you mean "7.x-43.0.0"?',
  ],
  "a release that lies between those that are known": [
    "validate --target prod --product opensearch --release 2.91",
    "Releases of opensearch: odfe-1.x, 1.0 to 1.3, 2.0 to 2.19, 3.0 to 3.9 and later, or a line alone: 1, 2, 3.",
  ],
  "a word to explain": ["explain unknow-field", 'called "unknow-field". Did you mean "unknown-field"?'],
  "a schema": ["schema role", '! There is no schema "role". Did you mean "roles"?'],
  "a rule": ["apply --allow deletion", 'is invalid. Did you mean "deletions"?'],
  "a product": ["plan --product gat", "Allowed choices are gate, search-guard, opensearch."],
  "a format": [
    "plan --format yaml",
    "Allowed choices are text, json, markdown, junit, html, sarif, code-quality, github, dotenv.",
  ],
};

const config = { "gate-sync.yaml": "targets: { prod: { url: 'http://127.0.0.1:1', state: [access/] } }\n" };

describe.concurrent("help", () => {
  test.for([...commands, "access can-i", "access who-can", "access what-can", "access map"])(
    "%s --help ends in examples",
    (command, { expect }) =>
      onHarness({}, async ({ run }) => {
        const { code, stdout, stderr } = await run(`${command} --help`);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        const [, examples = ""] = stdout.split("\nExamples:\n");
        const lines = examples.trimEnd().split("\n");
        expect(lines.length).toBeGreaterThan(1);
        expect(lines.filter((line) => !/^ {2}(\$ gate-sync|#) /.test(line))).toEqual([]);
        expect(examples).toContain(`gate-sync ${command}`);
        expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      }),
  );

  test("lsp --help fits into 80 columns", () =>
    onHarness({}, async ({ run }) => {
      const { stdout } = await run("lsp --help");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }));

  test("--help names every command and every exit code", () =>
    onHarness({}, async ({ run }) => {
      const { stdout } = await run("--help");
      expect(commands.filter((command) => !stdout.includes(`\n  ${command} `))).toEqual([]);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      const codes = ["0", "1", "2", "3", "4", "5", "6", "7", "64", "130", "143"];
      expect(codes.filter((code) => !new RegExp(`(^| )${code} `, "m").test(stdout))).toEqual([]);
    }));

  test("--version is that of the package", () =>
    onHarness({ spawned: true }, async ({ run }) => {
      expect(await run("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    }));
});

describe.concurrent("unknown words", () => {
  test.for(Object.entries(unknown))("%s", ([, [line, reported]], { expect }) =>
    onHarness({ files: config }, async ({ run }) => {
      const { code, stdout, stderr } = await run(line);
      expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
      expect(stderr.replace(/\s+/g, " ")).toContain(reported);
    }),
  );
});

describe.concurrent("schema", () => {
  const folder = new URL("../../schemas/", import.meta.url);
  const names = readdirSync(folder)
    .map((file) => file.replace(".schema.json", ""))
    .sort();

  test("lists every schema with its title", () =>
    onHarness({}, async ({ run }) => {
      const { stdout } = await run("schema");
      const listed = stdout.trimEnd().split("\n");
      expect(listed.map((line) => line.split(/ {2,}/)[0])).toEqual(names);
      expect(listed.filter((line) => (line.split(/ {2,}/)[1] ?? "") === "")).toEqual([]);
    }));

  test.for(names)("prints %s", (name, { expect }) =>
    onHarness({}, async ({ run }) => {
      const { code, stdout } = await run(`schema ${name}`);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ $id: `${name}.schema.json` });
    }),
  );
});
