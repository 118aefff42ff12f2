// Runs about several targets: which are chosen, whose login goes where, and what is shown once.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { type Files, gateSyncWithin, inFolder, type Run, startGateSync } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";

type Env = Readonly<Record<string, string>>;

interface Fleet {
  readonly emulators: readonly Emulator[];
  readonly folder: string;
  run(line: string, env?: Env): Promise<Run>;
}

const password = { PW: "s3cret" };

/** Three servers that ask for a password, and the files, in which `URL0` to `URL2` represent them. */
async function onFleet(files: Files, work: (fleet: Fleet) => Promise<void>): Promise<void> {
  const users = [{ name: "ci", password: password.PW, rights: "all" } as const];
  const start = (clusterUuid: string) => startEmulator({ product: "gate", users, clusterUuid });
  const emulators = await Promise.all(["one", "two", "three"].map(start));
  const place = (text: string) => emulators.reduce((all, { url }, at) => all.replaceAll(`URL${at}`, url), text);
  try {
    const placed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, place(`${text}`)]));
    await inFolder(placed, (folder) =>
      work({
        emulators,
        folder,
        run: (line, env = password) => gateSyncWithin(line.split(" ").map(place), { cwd: folder, env }),
      }),
    );
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()));
  }
}

const config = `
defaults:
  state: [access/]
  auth: { username: ci, password: "\${env:PW}" }
targets:
  dev: { url: URL0, vars: { where: dev } }
  prod-eu: { url: URL1, vars: { where: prod } }
  prod-us: { url: URL2, vars: { where: prod } }
`;

const files = {
  "gate-sync.yaml": config,
  "access/tenants.yml": "tenants:\n  support: { description: all }\n  own_${var:where}: { description: own }\n",
};

const nowhere = "  gone: { url: 'http://127.0.0.1:1', vars: { where: dev } }\n";

const dead = { ...files, "gate-sync.yaml": config + nowhere };

function linesOf({ stdout }: Run): readonly string[] {
  return stdout.split("\n").map((line) => line.trim().replace(/\s{2,}/g, " | "));
}

function writesOf(emulators: readonly Emulator[]): readonly number[] {
  return emulators.map(({ requests }) => requests.filter(({ method }) => method !== "GET").length);
}

function refuseWrites(emulator: Emulator | undefined, refuses = true): void {
  if (!emulator) throw new Error("There is no such emulator.");
  const refused = { at: "before", answer: { status: 403, body: "{}" } } as const;
  emulator.fault = ({ method }) => (refuses && method !== "GET" ? refused : undefined);
}

describe("a plan of several targets", () => {
  test("shows each change once with the targets that it is for; one that is dead stops no other", () =>
    onFleet(dead, async ({ run }) => {
      const planned = await run("plan --all-targets");
      expect(planned.code).toBe(1);
      const lines = linesOf(planned);
      expect(lines.slice(0, 7)).toEqual([
        "4 targets: 3 with changes, 1 unreachable.",
        "",
        "Tenants",
        "dev | +2 | 1 request | changes",
        "prod-eu | +2 | 1 request | changes",
        "prod-us | +2 | 1 request | changes",
        "gone | unreachable",
      ]);
      const titles = lines.filter((line) => line.startsWith("On "));
      expect(titles).toEqual([
        "On 3 of 4 targets, all but gone",
        "On 2 of 4 targets: prod-eu, prod-us",
        "On dev",
        "On gone",
      ]);
      expect(planned.stdout.match(/\+ support/g)).toHaveLength(1);
      expect(planned.stdout.match(/\+ own_prod/g)).toHaveLength(1);
      expect(Math.max(...planned.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }));

  test("never shows two changes as one that differ in what is there before", () =>
    onFleet(files, async ({ run, emulators }) => {
      for (const [at, description] of ["old", undefined, "older"].entries())
        emulators[at]?.replaceState({ tenants: description === undefined ? {} : { support: { description } } });
      const { stdout } = await run("plan --all-targets --format json");
      const findings: readonly { targets: readonly string[]; changes?: readonly { name: string; action: string }[] }[] =
        JSON.parse(stdout).findings;
      const found = findings.flatMap(({ targets, changes = [] }) =>
        changes.filter(({ name }) => name === "support").map(({ action }) => [targets.join(), action]),
      );
      expect(found.sort()).toEqual([
        ["dev", "update"],
        ["prod-eu", "create"],
        ["prod-us", "update"],
      ]);
    }));

  test("as JSON by its schema, and with exit 2 where that is asked for", () =>
    onFleet(files, async ({ run }) => {
      const { code, stdout } = await run("plan --target prod-* --target dev --detailed-exitcode --format json");
      expect(code).toBe(2);
      const answer = JSON.parse(stdout);
      const ajv = createAjv({ isStrict: true }).addSchema(readSchema("plan")).addSchema(readSchema("diagnostics"));
      ajv.validate(readSchema("fleet"), answer);
      expect(ajv.errors ?? []).toEqual([]);
      expect(answer.targets.map((target: { name: string }) => target.name)).toEqual(["dev", "prod-eu", "prod-us"]);
      const names = answer.findings.map((part: { targets: string[]; changes: { name: string }[] }) => [
        part.targets.join(),
        (part.changes ?? []).map(({ name }) => name).join(),
      ]);
      expect(names).toEqual([
        ["dev,prod-eu,prod-us", "support"],
        ["prod-eu,prod-us", "own_prod"],
        ["dev", "own_dev"],
      ]);
    }));

  test("as Markdown and JUnit, in which no name becomes markup", () => {
    const hostile = "a|b</summary><script>x</script>`c`";
    const written = files["gate-sync.yaml"].replace("  dev:", `  ${JSON.stringify(hostile)}:`);
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run }) => {
      const { stdout } = await run("plan --all-targets --format markdown");
      expect(stdout).toContain("| `` a\\|b</summary><script>x</script>`c` `` |");
      const outsideOfCode = stdout.replace(/```[\s\S]*?```/g, "").replace(/`` .* ``/g, "");
      expect(outsideOfCode).not.toContain("<script>");
      const junit = await run("plan --all-targets --format junit --detailed-exitcode");
      expect(junit.stdout).toContain('<testsuites name="gate-sync plan" tests="3" failures="3"');
      expect(junit.stdout).not.toContain("<script>");
    });
  });

  test("as Markdown, in which no name ends the table", () => {
    const hostile = "a\n\n# b";
    const written = files["gate-sync.yaml"].replace("  dev:", `  ${JSON.stringify(hostile)}:`);
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run }) => {
      const { stdout } = await run("plan --all-targets --format markdown");
      expect(stdout).toContain('| `"a\\n\\n# b"` |');
      expect(stdout).not.toMatch(/^# b/m);
    });
  });

  test("beside lines of files, once, with the targets that it is about", () => {
    const mappings = "role_mappings:\n  ghost: { users: ['${var:where}'] }\n";
    return onFleet({ ...files, "access/mappings.yml": mappings }, async ({ run, folder }) => {
      const { code, stdout } = await run("plan --all-targets --format sarif --format github --format html=all.html");
      expect(code).toBe(0);
      const log = JSON.parse(stdout.split("\n::")[0] ?? "");
      const found: { ruleId: string; message: { text: string } }[] = log.runs[0].results;
      const unknown = found.filter(({ ruleId }) => ruleId === "unknown-role");
      expect(unknown).toHaveLength(1);
      expect(stdout).toMatch(/^::warning file=access\/mappings\.yml/m);
      const page = readFileSync(`${folder}/all.html`, "utf8");
      expect(page.match(/On all 3 targets/g)?.length).toBe(1);
      expect(page).toContain("<title>gate-sync plan</title>");
    });
  });

  test("as a report that the next run replaces", () =>
    onFleet(files, async ({ run }) => {
      const all = ["markdown=a.md", "text=a.txt", "json=a.json", "junit=a.xml", "html=a.html"];
      const line = `plan --all-targets ${all.map((each) => `--format ${each}`).join(" ")}`;
      expect([(await run(line)).code, (await run(line)).code]).toEqual([0, 0]);
    }));

  test("as a page in which no name becomes markup", () => {
    const hostile = "<img src=x onerror=alert(1)>";
    const written = files["gate-sync.yaml"].replace("  dev:", `  ${JSON.stringify(hostile)}:`);
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run }) => {
      const { code, stdout } = await run("plan --all-targets --format html");
      expect([code, stdout.includes("<img"), stdout.includes("&lt;img")]).toEqual([0, false, true]);
    });
  });

  test("not in a format of which a command knows one target only", () =>
    onFleet(files, async ({ run }) => {
      expect(await run("validate --all-targets --format sarif")).toMatchObject({ code: 64, stdout: "" });
    }));
});

describe("which targets are chosen", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["plan --target prod-asia", 'There is no target "prod-asia".'],
    ["plan --target prd-*", "No target matches prd-*."],
    ["plan --all-targets --exclude-target lab", 'There is no target "lab".'],
    ["plan --all-targets --exclude-target *", "Every target that is chosen is excluded again."],
    ["plan --all-targets --target dev", "--all-targets and --target are both given."],
    ["plan --exclude-target dev", "--exclude-target takes away targets, and none are chosen."],
    ["plan --all-targets --url URL0", "--url is about one cluster, and several targets are chosen."],
    ["plan --target dev --target prod-eu --username ci", "--username is about one cluster"],
    ["plan --all-targets --parallel 0", "It takes a number from 1 on."],
    ["render --target prod-*", "This command is about one target, and prod-* is a pattern."],
    ["validate", "Most commands also take several"],
    ["apply --all-targets --yes --format github", "The format github is about one target here"],
  ];
  test.each(cases)("%s", (line, what) =>
    onFleet(files, async ({ run, emulators }) => {
      const { code, stderr } = await run(line);
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([64, expect.stringContaining(what)]);
      expect(emulators.flatMap(({ requests }) => requests)).toEqual([]);
    }),
  );
});

describe("whose login goes where", () => {
  test("that of the environment goes to no target of several", () => {
    const bare = files["gate-sync.yaml"].replace(/ {2}auth.*\n/, "");
    return onFleet({ ...files, "gate-sync.yaml": bare }, async ({ run, emulators }) => {
      const env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: password.PW };
      expect((await run("plan --target dev", env)).code).toBe(0);
      const before = emulators.map(({ requests }) => requests.length);
      const planned = await run("plan --all-targets", env);
      expect(planned.code).toBe(64);
      expect(planned.stdout).toContain('The target "prod-eu" has no login of its own.');
      expect(emulators.map(({ requests }) => requests.length)).toEqual(before);
    });
  });

  test("a program that prints it is started for each, and knows for which", () => {
    const program =
      "const { GATE_SYNC_TARGET: t } = process.env; console.log(JSON.stringify({ username: 'ci', password: t === 'dev' ? 's3cret' : 'other' }))";
    const auth = `  auth: { exec: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(program)}] }\n`;
    const written = files["gate-sync.yaml"].replace(/ {2}auth.*\n/, auth);
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run }) => {
      const { stdout } = await run("plan --all-targets", {});
      expect(stdout).toContain("3 targets: 1 with changes, 2 failed.");
      expect((await run("validate --all-targets", {})).code).toBe(0);
    });
  });
});

describe("an inventory that another program keeps", () => {
  const inventory = (clusters: object, hosts = '["127.0.0.1"]') => ({
    ...files,
    "clusters.json": JSON.stringify(clusters),
    "gate-sync.yaml": files["gate-sync.yaml"]
      .replace(/ {2}prod.*\n/g, "")
      .replace("defaults:", `targets_from: clusters.json\nallowed_hosts: ${hosts}\ndefaults:`),
  });

  test("names targets like any other, of earlier commits too", () =>
    onFleet(inventory({ "prod-us": { url: "URL2", product: "gate", vars: { where: "prod" } } }), async ({ run }) => {
      const planned = await run("plan --all-targets");
      expect(linesOf(planned)[0]).toBe("2 targets: 2 with changes.");
      expect((await run("plan --target prod-us")).stdout).toContain("own_prod");
      expect((await run("targets --target prod-us")).stdout).toContain("clusters.json:1");
    }));

  const refused: readonly (readonly [string, object, string])[] = [
    ["no login", { x: { url: "URL1", auth: { username: "a" } } }, "An inventory does not say auth"],
    [
      "no reference",
      { x: { url: "URL1", vars: { a: "${env:HOME}" } } },
      "An inventory refers to no environment variable",
    ],
    ["no path that leads out", { x: { url: "URL1", state: ["a/../../b"] } }, "A state path of an inventory is below"],
    ["no path of a variable", { x: { url: "URL1", state: ["${var:a}"] } }, "A state path of an inventory is below"],
    ["no standard input", { x: { url: "URL1", state: ["-"] } }, "A state path of an inventory is below"],
    ["no name twice", { dev: { url: "URL1" } }, 'The target "dev" is in gate-sync.yaml as well.'],
    ["no list", [], "An inventory of targets is a map"],
  ];
  test.each(refused)("says %s", (_, clusters, what) =>
    onFleet(inventory(clusters), async ({ run, emulators }) => {
      const { code, stderr } = await run("plan --all-targets");
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([3, expect.stringContaining(what)]);
      expect(emulators.flatMap(({ requests }) => requests)).toEqual([]);
    }),
  );

  test("reads no standard input by a detour", () =>
    onFleet(inventory({ x: { url: "URL1", state: ["a/../-"] } }), async ({ run }) => {
      const { code, stdout } = await run("plan --target x --target dev");
      expect([code, stdout]).toEqual([3, expect.stringContaining("There is no -: no state file")]);
      expect(stdout).not.toContain("tandard input");
    }));

  test("leads to no host that is not listed", () =>
    onFleet(inventory({ x: { url: "http://localhost:1" } }), async ({ run }) => {
      const planned = await run("plan --target x");
      expect([planned.code, planned.stderr.replace(/\s+/g, " ")]).toEqual([
        3,
        expect.stringContaining('The target "x" is at localhost, which allowed_hosts does not list.'),
      ]);
    }));

  test("needs the hosts", () => {
    const { "gate-sync.yaml": written, ...others } = inventory({ x: { url: "URL1" } });
    const without = written.replace(/allowed_hosts.*\n/, "");
    return onFleet({ ...others, "gate-sync.yaml": without }, async ({ run }) => {
      expect(await run("plan --target x")).toMatchObject({ code: 3, stderr: expect.stringContaining("allowed_hosts") });
    });
  });
});

describe("an apply in waves", () => {
  const waves = { ...files, "gate-sync.yaml": `${config}waves: [dev, prod-eu, "prod-*"]\n` };

  test("begins each when the one before is in sync, and goes on where it was stopped", () =>
    onFleet(waves, async ({ run, emulators }) => {
      refuseWrites(emulators[1]);
      const first = await run("apply --all-targets --yes");
      expect(first.code).toBe(1);
      expect(writesOf(emulators)).toEqual([1, 1, 0]);
      const states = linesOf(first).filter((line) => / \| 1 request \| /.test(line));
      expect(states.slice(-3)).toEqual([
        "dev | +2 | 1 request | applied",
        "prod-eu | +2 | 1 request | failed",
        "prod-us | +2 | 1 request | not attempted",
      ]);
      refuseWrites(emulators[1], false);
      const second = await run("apply --all-targets --yes");
      expect(second.code).toBe(0);
      expect(writesOf(emulators)).toEqual([1, 2, 1]);
      expect(linesOf(await run("plan --all-targets"))[0]).toBe("3 targets: 3 in sync.");
    }));

  test("writes no other plan than the one that was shown", () =>
    onFleet(waves, async ({ run, emulators }) => {
      const [first, second] = emulators as [Emulator, Emulator];
      first.fault = ({ method }) => {
        if (method !== "GET") second.replaceState({ tenants: { support: { description: "by hand" } } });
        return undefined;
      };
      const { code, stdout } = await run("apply --all-targets --yes --quiet");
      expect([code, writesOf(emulators)]).toEqual([5, [1, 0, 0]]);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "The plan for prod-eu that was shown no longer holds: the server or the files changed meanwhile. exit 5 Changed since: tenants/support (description). Nothing was sent to it.",
      );
    }));

  test("begins no wave while a new plan of the one before finds something", () =>
    onFleet(waves, async ({ run, emulators }) => {
      const [first] = emulators as [Emulator];
      let wrote = false;
      first.fault = ({ method, path }) => {
        // Reading back asks for what was written alone; a new plan begins with who the server is.
        if (wrote && path === "/") first.replaceState({ tenants: { support: { description: "by hand" } } });
        wrote ||= method !== "GET";
        return undefined;
      };
      const { code, stdout } = await run("apply --all-targets --yes --quiet");
      expect([code, writesOf(emulators)]).toEqual([1, [1, 0, 0]]);
      expect(stdout).toContain("dev is not in sync after it was applied");
    }));

  test("goes on past as many failures as may be", () =>
    onFleet(waves, async ({ run, emulators }) => {
      refuseWrites(emulators[0]);
      expect((await run("apply --all-targets --yes --max-failures 1")).code).toBe(1);
      expect(writesOf(emulators)).toEqual([1, 1, 1]);
    }));

  const others = { ...files, "bad/roles.yml": "roles:\n  r: { cluster_permissions: 7 }\n" };
  const ofLast = (more: string) => config.replace("{ url: URL2,", `{ url: URL2, ${more},`);
  const lastFails: readonly (readonly [what: string, config: string, code: number, sent: readonly number[]])[] = [
    ["has errors in its files", ofLast("state: [access/, bad/]"), 3, [0, 0, 0]],
    ["is refused by a guard", ofLast("protect: [tenants/support]"), 4, [0, 0, 0]],
    ["is refused by an access test", ofLast("state: [access/, test/]"), 4, [0, 0, 0]],
    ["names a variable that is not there", ofLast("headers: { x: '${env:NONE}' }"), 3, [0, 0, 0]],
    ["states no release that there is", ofLast("product: gate, release: '1.0'"), 64, [0, 0, 0]],
    ["is not reached", config.replace("URL2", "http://127.0.0.1:1"), 1, [1, 1, 0]],
    ["refuses the login", ofLast("auth: { username: ci, password: x }"), 1, [1, 1, 0]],
  ];
  test.each(lastFails)("the last of which %s: what is known before the first write stops all", (_, last, code, sent) =>
    onFleet(
      {
        ...others,
        "gate-sync.yaml": last,
        "test/tests.yml": "access_tests:\n  - { as: { user: u }, action: search, index: x, expect: allowed }\n",
      },
      async ({ run, emulators }) => {
        const applied = await run("apply --all-targets --yes");
        expect([applied.code, writesOf(emulators)]).toEqual([code, sent]);
        const isReported = applied.stdout.includes(
          "Nothing was sent to any target, because prod-us cannot be applied.",
        );
        expect(isReported).toBe(sent[0] === 0);
        const admitted = await run("apply --all-targets --yes --max-failures 1");
        expect([admitted.code, writesOf(emulators)]).toEqual([code, [1, 1, 0]]);
      },
    ),
  );

  test("asks, and sends nothing without an answer", () =>
    onFleet(waves, async ({ run, emulators }) => {
      const { code, stderr } = await run("apply --all-targets");
      expect([code, stderr]).toEqual([64, expect.stringContaining("There is no terminal to ask")]);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
    }));

  test("sends nothing where a target is in no wave, or no target in a wave", () =>
    onFleet(
      { ...files, "gate-sync.yaml": `${config}waves: [dev, prod-eu]\n`, "other.yaml": `${config}waves: [lab, "*"]\n` },
      async ({ run, emulators }) => {
        const left = await run("apply --all-targets --yes");
        expect([left.code, left.stderr]).toEqual([64, expect.stringContaining('The target "prod-us" is in no wave.')]);
        const unused = await run("apply --all-targets --yes --config other.yaml");
        expect([unused.code, unused.stderr]).toEqual([64, expect.stringContaining('No target is in the wave "lab".')]);
        expect(writesOf(emulators)).toEqual([0, 0, 0]);
      },
    ));

  test("runs the check after each wave but the last, and stops where it fails", () => {
    const check = (script: string) => `${config}waves: [dev, "prod-*"]\ncheck: [sh, -c, ${JSON.stringify(script)}]\n`;
    const both = {
      ...files,
      "gate-sync.yaml": check("echo seen $GATE_SYNC_WAVE $GATE_SYNC_TARGETS"),
      "bad.yaml": check("exit 7"),
    };
    return onFleet(both, async ({ run, emulators }) => {
      const failed = await run("apply --all-targets --yes --config bad.yaml", {
        ...password,
        PATH: process.env.PATH ?? "",
      });
      expect(failed.stderr).toContain("The check sh fails with exit code 7.");
      expect([failed.code, writesOf(emulators)]).toEqual([1, [1, 0, 0]]);
      const done = await run("apply --all-targets --yes", { ...password, PATH: process.env.PATH ?? "" });
      expect(done.stderr.match(/seen .*/g)).toEqual(["seen dev dev"]);
      expect([done.code, writesOf(emulators)]).toEqual([0, [1, 1, 1]]);
    });
  });

  test("ends with 1 where the check fails, also where all that is left is in sync", () => {
    const written = `${config}waves: [dev, "prod-*"]\ncheck: [sh, -c, "exit 7"]\n`;
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run }) => {
      await run("apply --target prod-* --yes --quiet", { ...password, PATH: process.env.PATH ?? "" });
      const { code, stdout } = await run("apply --all-targets --yes --format json", {
        ...password,
        PATH: process.env.PATH ?? "",
      });
      const { targets, findings } = JSON.parse(stdout);
      const states = targets.map((target: { state: string; exit_code: number }) => [target.state, target.exit_code]);
      expect([code, states]).toEqual([
        1,
        [
          ["applied", 1],
          ["in-sync", 0],
          ["in-sync", 0],
        ],
      ]);
      expect(JSON.stringify(findings)).toContain("The check sh fails with exit code 7.");
    });
  });

  test("ends like that where the check cannot be started", () =>
    onFleet(
      { ...files, "gate-sync.yaml": `${config}waves: [dev, "prod-*"]\ncheck: ["a\\0b"]\n` },
      async ({ run, emulators }) => {
        const { code, stderr } = await run("apply --all-targets --yes");
        expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be started: ERR_INVALID_ARG_VALUE")]);
        expect(writesOf(emulators)).toEqual([1, 0, 0]);
      },
    ));

  test("ends a check that hangs where the run does not wait for it", () => {
    const check =
      "const tick = () => require('fs').appendFileSync('ticks', '.'); tick(); setInterval(tick, 20); console.log('begun')";
    const written = `${config}waves: [dev, "prod-*"]\ncheck: [${process.execPath}, -e, ${JSON.stringify(check)}]\n`;
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ folder }) => {
      const running = startGateSync(["apply", "--all-targets", "--yes"], { cwd: folder, env: password });
      await running.reported("begun");
      running.child.kill("SIGTERM");
      await running.reported("Interrupt again");
      running.child.kill("SIGTERM");
      expect((await running.ended).code).toBe(6);
      const countTicks = () => readFileSync(`${folder}/ticks`, "utf8").length;
      const ticks = countTicks();
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(countTicks()).toBe(ticks);
    });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "ends with the code of %s where one stops it between two waves, and the JSON says so too",
    (signal, code) => {
      const check = "console.log('begun'); setInterval(() => require('fs').existsSync('go') && process.exit(), 20)";
      const written = `${config}waves: [dev, "prod-*"]\ncheck: [${process.execPath}, -e, ${JSON.stringify(check)}]\n`;
      return onFleet({ ...files, "gate-sync.yaml": written }, async ({ folder }) => {
        const line = ["apply", "--all-targets", "--yes", "--format", "json"];
        const running = startGateSync(line, { cwd: folder, env: password });
        await running.reported("begun");
        running.child.kill(signal);
        await running.reported("Interrupt again");
        writeFileSync(`${folder}/go`, "");
        const ended = await running.ended;
        const { targets, exit_code } = JSON.parse(ended.stdout);
        const rows = targets.map((row: { exit_code: number }) => row.exit_code);
        expect([ended.code, exit_code, rows]).toEqual([code, code, [0, code, code]]);
      });
    },
  );

  test("sends nothing where two targets are one cluster", () => {
    const written = files["gate-sync.yaml"].replace("URL1", "URL0");
    return onFleet({ ...files, "gate-sync.yaml": written }, async ({ run, emulators }) => {
      const { code, stderr } = await run("apply --all-targets --yes");
      expect([code, stderr]).toEqual([64, expect.stringContaining("The targets dev and prod-eu are both at")]);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
    });
  });

  test("are for one run: a part of the targets is refused", () =>
    onFleet(waves, async ({ run, emulators }) => {
      const { code, stderr } = await run("apply --all-targets --yes --shard 0/2");
      expect([code, stderr]).toEqual([64, expect.stringContaining("and gate-sync.yaml has waves")]);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
    }));

  test("without waves takes one target after the other", () =>
    onFleet(files, async ({ run, emulators }) => {
      refuseWrites(emulators[1]);
      await run("apply --all-targets --yes --quiet");
      expect(writesOf(emulators)).toEqual([1, 1, 0]);
    }));
});

describe("other commands about several targets", () => {
  test("show an answer that several give once", () =>
    onFleet(files, async ({ run }) => {
      const { code, stdout } = await run("validate --all-targets");
      expect([code, stdout.match(/No problems in 1 file/g)?.length]).toEqual([0, 1]);
      expect(stdout).toContain("3 targets: 3 valid.");
    }));

  test("drift ends with 2 where one has drift", () =>
    onFleet(files, async ({ run, emulators }) => {
      await run("apply --all-targets --yes --quiet");
      expect(await run("drift --all-targets")).toMatchObject({
        code: 0,
        stdout: "3 targets: 3 in sync.\n\nin sync: dev, prod-eu, prod-us\n",
      });
      emulators[2]?.replaceState({ tenants: { support: { description: "other" } } });
      const drifted = await run("drift --target prod-*");
      expect(drifted.code).toBe(2);
      expect(linesOf(drifted)[0]).toBe("2 targets: 1 in sync, 1 with drift.");
    }));

  test("as Markdown, JUnit and without colour, what each answers is a text, no document inside another", () =>
    onFleet(files, async ({ run }) => {
      const drifted = await run("drift --all-targets --format markdown --color always");
      expect(drifted.stdout).toContain("\nDrift: 2 origin unknown.");
      expect(drifted.stdout).not.toContain("**Drift");
      const json = await run("drift --all-targets --format json=drift.json --color always --format text");
      expect(json.stdout).toContain("Drift: 2 origin unknown.");
      expect((await run("report drift.json")).stdout).not.toContain("\u001b");
      const junit = await run("drift --all-targets --format junit");
      expect(junit.stdout.match(/<testsuites/g)).toHaveLength(1);
      expect(junit.stdout).not.toContain("&lt;testsuites");
    }));

  test("as JSON is one document, also where a server refuses PATCH", () =>
    onFleet(files, async ({ run, emulators }) => {
      await run("apply --all-targets --yes --quiet");
      const refused = { at: "before", answer: { status: 405, body: "{}" } } as const;
      for (const emulator of emulators) emulator.fault = ({ method }) => (method === "PATCH" ? refused : undefined);
      const { code, stdout } = await run("rollback --all-targets --yes --format json");
      expect(code).toBe(0);
      const { findings } = JSON.parse(stdout);
      expect(findings[0]).toMatchObject({ targets: ["dev", "prod-eu", "prod-us"] });
      expect(findings[0].outputs.join()).toContain("The server refuses PATCH");
    }));

  test("export writes a folder for each", () =>
    onFleet(files, async ({ run }) => {
      await run("apply --all-targets --yes --quiet");
      expect((await run("export --target prod-* --out out")).code).toBe(0);
      expect((await run("validate out/prod-eu out/prod-us --target dev")).stdout).toContain("duplicate");
    }));

  test("as JSON with the document of each", () =>
    onFleet(files, async ({ run }) => {
      const { stdout } = await run("doctor --target prod-* --format json");
      const { findings } = JSON.parse(stdout);
      expect(findings.flatMap((part: { targets: string[] }) => part.targets).sort()).toEqual(["prod-eu", "prod-us"]);
      expect(findings[0].result.kind ?? "doctor").toBeDefined();
    }));
});

describe("runs that share the targets", () => {
  const parts = [0, 1, 2, 3];

  /** Each run as one of four, in files of its own. */
  async function runParts(run: Fleet["run"], some: readonly number[] = parts): Promise<readonly Run[]> {
    const runs: Run[] = [];
    for (const part of some)
      runs.push(await run(`plan --all-targets --detailed-exitcode --shard ${part}/4 --format json=part-${part}.json`));
    return runs;
  }

  test("are together what one run about all is, with its exit code", () =>
    onFleet(dead, async ({ run }) => {
      const direct = await run("plan --all-targets --detailed-exitcode");
      expect((await runParts(run)).filter(({ code }) => code !== 0)).not.toEqual([]);
      const joined = await run(`report ${parts.map((part) => `part-${part}.json`).join(" ")}`);
      expect(joined.code).toBe(direct.code);
      expect(await run("report part-*.json")).toEqual(joined);
      // The lines of files that warnings point at are not in the parts.
      const shown = (text: string) => text.split("\n").filter((line) => !/^ *\d*\|/.test(line));
      expect(shown(joined.stdout)).toEqual(shown(direct.stdout));
    }));

  test("show refusals and renamed entries as one run does, each for its own targets", () => {
    const roles = "roles:\n  new_name: { cluster_permissions: ['cluster:monitor/main'] }\n";
    return onFleet({ ...files, "access/roles.yml": roles }, async ({ run, emulators }) => {
      const some = Array.from({ length: 30 }, (_, at) => [`t${at}`, { description: "x" }]);
      emulators[0]?.replaceState({ roles: { old_name: { cluster_permissions: ["cluster:monitor/main"] } } });
      emulators[2]?.replaceState({ tenants: Object.fromEntries(some) });
      const direct = await run("plan --all-targets --full --detailed-exitcode");
      const { findings } = JSON.parse((await run("plan --all-targets --format json")).stdout);
      const created = findings.filter((part: { changes?: { name: string }[] }) =>
        part.changes?.some(({ name }) => name === "new_name"),
      );
      expect(created.map(({ targets }: { targets: string[] }) => targets.join()).sort()).toEqual([
        "dev",
        "prod-eu,prod-us",
      ]);
      const short = await run("plan --all-targets");
      expect(short.stdout).toContain("30 tenants");
      expect(short.stdout).toContain("renamed: created and deleted");
      await runParts(run);
      for (const flag of ["", " --full"]) {
        const joined = await run(`report part-0.json part-1.json part-2.json part-3.json${flag}`);
        expect(joined.stdout).toEqual(flag === "" ? short.stdout : direct.stdout);
        expect(joined.code).toBe(direct.code);
      }
    });
  });

  test("say that an answer is there where it was written as JSON only", () =>
    onFleet(files, async ({ run, folder }) => {
      const { stdout } = await run("drift --all-targets --format json");
      writeFileSync(`${folder}/drift.json`, stdout);
      const { code, stdout: text } = await run("report drift.json");
      expect([code, text.match(/The answer is a JSON document/g)?.length]).toEqual([2, 3]);
      expect(JSON.parse((await run("report drift.json --format json")).stdout)).toEqual(JSON.parse(stdout));
    }));

  test("of which one is missing are reported as that", () =>
    onFleet(files, async ({ run }) => {
      const runs = await runParts(run);
      const full = parts.find((part) => !runs[part]?.stdout.startsWith("0 targets")) ?? 0;
      const others = parts.filter((part) => part !== full).map((part) => `part-${part}.json`);
      const { code, stdout } = await run(`report ${others.join(" ")}`);
      expect(code).toBe(1);
      expect(stdout).toContain(`Part ${full} of the parts 0 to 3 is missing`);
      expect(stdout).toMatch(/\d not reported/);
    }));

  const wrong: readonly (readonly [string, string])[] = [
    ["report part-0.json part-0.json", "part 0 is in part-0.json and in part-0.json"],
    ["report access/tenants.yml", "is not what a run about several targets writes as JSON"],
    ["report nothing.json", "cannot be read"],
    ["report nothing-*.json", "No file matches nothing-*.json"],
    ["report part-0.json other.json", "divide the targets otherwise"],
    ["plan --all-targets --shard 4/4", "It takes a part from 0 on"],
    ["plan --shard 0/4", "--shard divides targets, and none are chosen"],
  ];
  test.each(wrong)("%s", (line, what) =>
    onFleet(files, async ({ run }) => {
      await runParts(run, [0]);
      await run("plan --all-targets --shard 1/2 --format json=other.json");
      const { code, stderr } = await run(line);
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([64, expect.stringContaining(what)]);
    }),
  );
});

describe("a saved plan of several targets", () => {
  test("is applied as it was reviewed, and goes on where it was stopped", () =>
    onFleet(
      { ...files, "gate-sync.yaml": `${config}waves: [dev, prod-eu, "prod-*"]\n` },
      async ({ run, emulators, folder }) => {
        const planned = await run("plan --all-targets --out plans.json");
        expect([planned.code, planned.stderr]).toEqual([
          0,
          "Saved in plans.json: plans of 3 targets, for gate-sync apply plans.json.\n",
        ]);
        const [, fingerprint] = /Fingerprint ([0-9a-f]{32})/.exec(planned.stdout) ?? [];
        const saved = JSON.parse(readFileSync(`${folder}/plans.json`, "utf8"));
        expect([saved.format, saved.targets.length, saved.body.fingerprint]).toEqual([
          "gate-sync/fleet-plan",
          3,
          fingerprint,
        ]);
        const ajv = createAjv({ isStrict: false }).addSchema(readSchema("plan-file"));
        ajv.validate(readSchema("fleet-plan"), saved);
        expect(ajv.errors ?? []).toEqual([]);

        refuseWrites(emulators[1]);
        const first = await run("apply plans.json");
        expect([first.code, linesOf(first)[0]]).toEqual([1, "3 targets: 1 applied, 1 failed, 1 not attempted."]);
        refuseWrites(emulators[1], false);
        const second = await run(`apply plans.json --expect ${fingerprint}`);
        expect([second.code, linesOf(second)[0]]).toEqual([0, "3 targets: 1 in sync, 2 applied."]);
        expect(writesOf(emulators)).toEqual([1, 2, 1]);
        expect(linesOf(await run("plan --all-targets"))[0]).toBe("3 targets: 3 in sync.");
      },
    ));

  test("is applied already where the run of its plan is the newest on record, and is stale without a record", () =>
    onFleet({ ...files, "gate-sync.yaml": `${config}waves: ["*"]\n` }, async ({ run, emulators }) => {
      await run("plan --all-targets --out plans.json");
      expect((await run("apply plans.json")).code).toBe(0);
      const again = await run("apply plans.json");
      expect([again.code, linesOf(again)[0]]).toEqual([0, "3 targets: 3 in sync."]);
      const elsewhere = await run("apply plans.json --state-dir other");
      expect([elsewhere.code, linesOf(elsewhere)[0]]).toEqual([5, "3 targets: 3 failed."]);
      expect(elsewhere.stdout.replace(/\s+/g, " ")).toContain("all its changes are made already");
      expect(writesOf(emulators)).toEqual([1, 1, 1]);
    }));

  test("of which one is refused is sent to none, unless as many may fail", () =>
    onFleet(
      { ...files, "gate-sync.yaml": config.replace("{ url: URL2,", "{ url: URL2, protect: [tenants/support],") },
      async ({ run, emulators }) => {
        expect((await run("plan --all-targets --out plans.json")).code).toBe(4);
        const applied = await run("apply plans.json");
        expect([applied.code, linesOf(applied)[0], writesOf(emulators)]).toEqual([
          4,
          "3 targets: 1 refused, 2 not attempted.",
          [0, 0, 0],
        ]);
        expect((await run("apply plans.json --max-failures 1")).code).toBe(4);
        expect(writesOf(emulators)).toEqual([1, 1, 0]);
      },
    ));

  const stateOfLast = config.replace("{ url: URL2,", "{ url: URL2, state: [access/, own/],");
  const own = "tenants:\n  own: { description: last }\n";
  const knownStale: readonly (readonly [
    what: string,
    code: number,
    spoil: (fleet: Fleet, write: (path: string, edit: (text: string) => string) => void) => unknown,
  ])[] = [
    ["has errors in its files today", 5, (_, write) => write("own/own.yml", () => "tenants: 7\n")],
    ["is declared otherwise by its files", 5, (_, write) => write("own/own.yml", (text) => text.replace("last", "x"))],
    [
      "has a variable that is not there",
      3,
      (_, write) =>
        write("gate-sync.yaml", (text) => text.replace(/(prod-us: \{)/, "$1 headers: { x: '${env:NONE}' },")),
    ],
    [
      "has a secret that is not there",
      3,
      (_, write) =>
        write("gate-sync.yaml", (text) =>
          text.replace("prod-us: {", "prod-us: { auth: { username: ci, password: '${env:NO}' },"),
        ),
    ],
    [
      "is a plan that a later run wrote over",
      5,
      async ({ run }, write) => {
        await run("apply plans.json");
        write("own/own.yml", (text) => text.replace("last", "x"));
        await run("apply --target prod-us --yes");
        write("own/own.yml", (text) => text.replace("x", "last"));
      },
    ],
  ];
  test.each(knownStale)("of which the last %s is sent to none, unless as many may fail", (_, code, spoil) =>
    onFleet({ ...files, "gate-sync.yaml": stateOfLast, "own/own.yml": own }, async (fleet) => {
      const { run, emulators, folder } = fleet;
      await run("plan --all-targets --out plans.json");
      await spoil(fleet, (path, edit) =>
        writeFileSync(`${folder}/${path}`, edit(readFileSync(`${folder}/${path}`, "utf8"))),
      );
      for (const emulator of emulators.slice(0, 2)) emulator.replaceState({});
      const before = emulators.map(({ requests }) => requests.length);
      const applied = await run("apply plans.json");
      expect([applied.code, emulators.map(({ requests }) => requests.length)]).toEqual([code, before]);
      expect(applied.stdout).toContain("2 not attempted.");
      expect(applied.stdout.replace(/\s+/g, " ")).toContain(
        "Nothing was sent to any target, because prod-us cannot be applied. Plan again once that is corrected,",
      );
      const admitted = await run("apply plans.json --max-failures 1");
      expect([admitted.code, admitted.stdout.split(".")[0]]).toEqual([code, expect.stringContaining("2 applied")]);
    }),
  );

  test("is stale for the target that has changed since, and for no other", () =>
    onFleet({ ...files, "gate-sync.yaml": `${config}waves: ["*"]\n` }, async ({ run, emulators }) => {
      await run("plan --all-targets --out plans.json");
      emulators[1]?.replaceState({ tenants: { support: { description: "by hand" } } });
      const applied = await run("apply plans.json");
      expect([applied.code, writesOf(emulators)]).toEqual([5, [1, 0, 1]]);
      expect(applied.stdout.replace(/\s+/g, " ")).toContain("On prod-eu ! The reviewed plan no longer holds");
    }));

  test.for([
    [
      "has changed",
      5,
      (emulator: Emulator) => emulator.replaceState({ tenants: { support: { description: "by hand" } } }),
    ],
    ["fails", 1, (emulator: Emulator) => refuseWrites(emulator)],
  ] as const)("ends as the target that %s, of which the others are not begun", ([, exit, spoil], { expect }) =>
    onFleet(
      { ...files, "gate-sync.yaml": `${config}waves: [dev, prod-eu, "prod-*"]\n` },
      async ({ run, emulators: [first, ...others] }) => {
        await run("plan --all-targets --out plans.json");
        spoil(first as Emulator);
        const applied = await run("apply plans.json");
        expect([applied.code, linesOf(applied)[0]]).toEqual([exit, "3 targets: 1 failed, 2 not attempted."]);
        expect(writesOf(others)).toEqual([0, 0]);
      },
    ),
  );

  test("is sealed as a whole, and refused where anything in it was edited", () =>
    onFleet(files, async ({ run, emulators, folder }) => {
      const key = { ...password, GATE_SYNC_PLAN_KEY: "a long random text, 32 characters" };
      await run("plan --all-targets --out plans.json", key);
      const text = readFileSync(`${folder}/plans.json`, "utf8");
      const { seal: _, ...unsealed } = JSON.parse(text);
      const edited: readonly (readonly [string, Env])[] = [
        [text.replaceAll('"all"', '"none"'), key],
        [`${JSON.stringify(unsealed, null, 2)}\n`, key],
        [text, password],
        [text, { ...password, GATE_SYNC_PLAN_KEY: "another long random text, as long" }],
      ];
      for (const [other, env] of edited) {
        writeFileSync(`${folder}/plans.json`, other);
        expect((await run("apply plans.json", env)).code).toBe(64);
      }
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
      writeFileSync(`${folder}/plans.json`, text);
      expect((await run("apply plans.json", key)).code).toBe(0);
    }));

  test("leaves out a target that could not be planned, and needs each of its targets in gate-sync.yaml", () =>
    onFleet(dead, async ({ run, folder, emulators }) => {
      const planned = await run("plan --all-targets --out plans.json");
      expect(planned.stderr).toContain("plans of 3 of 4 targets");
      writeFileSync(
        `${folder}/gate-sync.yaml`,
        readFileSync(`${folder}/gate-sync.yaml`, "utf8").replace("prod-us:", "prod-xx:"),
      );
      const applied = await run("apply plans.json");
      expect([applied.code, applied.stderr]).toEqual([
        64,
        expect.stringContaining('gate-sync.yaml has no target "prod-us"'),
      ]);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
    }));

  test("goes to its own targets, by their own logins, whatever the flags say", () =>
    onFleet(files, async ({ run, emulators }) => {
      await run("plan --all-targets --out plans.json");
      const asked = emulators.map(({ requests }) => requests.length);
      for (const flag of ["--url URL0", "--username other", "--product gate", "--target dev", "--live live.json"]) {
        const { code, stderr } = await run(`apply plans.json ${flag}`);
        expect([code, stderr]).toEqual([64, expect.stringMatching(/is about one cluster|none are chosen|snapshot/)]);
      }
      expect(emulators.map(({ requests }) => requests.length)).toEqual(asked);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
    }));

  test("by its fingerprint alone", () =>
    onFleet(files, async ({ run, emulators }) => {
      const { stdout } = await run("plan --all-targets --format json");
      const { fingerprint } = JSON.parse(stdout);
      const other = await run(`apply --all-targets --expect ${"0".repeat(32)}`);
      expect([other.code, other.stderr.replace(/\s+/g, " ")]).toEqual([
        5,
        expect.stringContaining(
          "The plans of now: dev: create tenants/own_dev, create tenants/support; prod-eu: create tenants/own_prod, create tenants/support; prod-us: create tenants/own_prod, create tenants/support. Nothing was sent.",
        ),
      ]);
      expect(writesOf(emulators)).toEqual([0, 0, 0]);
      expect((await run(`apply --all-targets --expect ${fingerprint}`)).code).toBe(0);
      expect(writesOf(emulators)).toEqual([1, 1, 1]);
    }));

  test("by its fingerprint alone, says first which target has no plan now", () =>
    onFleet(dead, async ({ run }) => {
      const { code, stderr } = await run(`apply --all-targets --expect ${"0".repeat(32)}`);
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
        5,
        expect.stringContaining("The plans of now: gone: unreachable; dev: create tenants/own_dev, "),
      ]);
    }));
});
