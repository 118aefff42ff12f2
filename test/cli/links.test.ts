// Files outside of the repository are not read through links, special files not at all, and nothing in them is shown.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";

const word = "S3cr3tPassw0rd";
/** Each of them gives an error that would quote the line. */
const outside = {
  "home/.netrc": `machine x login y password: ${word}\n  : [\n`,
  "home/roles.yml": `roles: {r: {${word}: 1}}\n`,
};

async function run(line: string, cwd: string) {
  const { code, stdout, stderr } = await gateSyncWithin(line.split(" "), { cwd, env: {} });
  return { code, text: stdout + stderr };
}

/** @param work gets the folder of the repository; `home` is beside it */
function inRepository(work: (repository: string, home: string) => Promise<void>, isGit = true) {
  return inFolder({ ...outside, "repo/access/tenants.yml": "tenants: {}\n" }, (folder) => {
    if (isGit) mkdirSync(join(folder, "repo/.git"));
    return work(join(folder, "repo"), join(folder, "home"));
  });
}

function link(from: string, to: string): void {
  mkdirSync(dirname(from), { recursive: true });
  symlinkSync(to, from);
}

const config = "targets: {t: {state: [access]}}\n";
const write = (repository: string, name: string, text: string) => writeFileSync(join(repository, name), text);

/** Where programs with logins, and git, keep theirs. */
const hiddenPlaces = [
  ".env",
  "access/.netrc",
  ".git/netrc",
  ".git/modules/a/config",
  ".aws/credentials",
  ".config/gh/hosts.yml",
  ".kube/config",
  "access/.docker/config.json",
];
/** One of each kind of file that is looked for, or that gate-sync.yaml or a state file names. */
const readers = [
  "access/x.yml",
  "access/x.json",
  "access/x.access-test.yaml",
  "access/t.csv",
  "gate-sync.yaml",
  "waivers.yaml",
  "vars.yml",
  ".vars",
  "inventory.yml",
];
const namingAll = `targets_from: inventory.yml
allowed_hosts: [127.0.0.1]
defaults: { state: [access], vars_files: [vars.yml, .vars] }
`;

const attacks: Readonly<Record<string, (repository: string, home: string) => void>> = {
  "a state file": (repository, home) => link(join(repository, "access/x.yml"), join(home, ".netrc")),
  "a state file of JSON": (repository, home) => link(join(repository, "access/x.json"), join(home, ".netrc")),
  "a relative link": (repository) => link(join(repository, "access/x.yml"), "../../home/roles.yml"),
  "a folder": (repository, home) => link(join(repository, "access/more"), home),
  "a link to a link": (repository, home) => {
    link(join(repository, "one"), home);
    link(join(repository, "access/x.yml"), "../one/roles.yml");
  },
  "access tests": (repository, home) => link(join(repository, "access/x.access-test.yaml"), join(home, ".netrc")),
  "gate-sync.yaml": (repository, home) => link(join(repository, "gate-sync.yaml"), join(home, ".netrc")),
  "waivers.yaml": (repository, home) => {
    write(repository, "gate-sync.yaml", config);
    link(join(repository, "waivers.yaml"), join(home, ".netrc"));
  },
  "a state path of gate-sync.yaml": (repository, home) =>
    write(repository, "gate-sync.yaml", JSON.stringify({ state: ["access", join(home, ".netrc")] })),
  "a relative state path of gate-sync.yaml": (repository) =>
    write(repository, "gate-sync.yaml", JSON.stringify({ state: ["../home/.netrc"] })),
  "the license": (repository, home) => {
    write(repository, "access/license.yml", "license: { file: license.txt }\n");
    link(join(repository, "access/license.txt"), join(home, ".netrc"));
  },
  "the environment of the process": (repository) => link(join(repository, "access/x.yml"), "/proc/self/environ"),
  ...Object.fromEntries(
    hiddenPlaces.flatMap((path) =>
      readers.map((from) => [
        `${from} as ${path} of the repository, and so what lies`,
        (repository: string, home: string) => {
          write(repository, "gate-sync.yaml", namingAll);
          write(
            repository,
            "access/teams.yml",
            'generate: { for_each: t.csv, as: t, tenants: { "${each:t.n}": {} } }\n',
          );
          for (const name of ["access/t.csv", "vars.yml", ".vars"]) write(repository, name, "n: a\n");
          write(repository, "inventory.yml", "t: {}\n");
          mkdirSync(dirname(join(repository, path)), { recursive: true });
          write(repository, path, readFileSync(join(home, ".netrc"), "utf8"));
          rmSync(join(repository, from), { force: true });
          link(join(repository, from), join(repository, path));
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    [".aws", ".git/modules", "access/.docker"].map((folder) => [
      `a folder ${folder} of the repository, and so what lies`,
      (repository: string, home: string) => {
        mkdirSync(join(repository, folder), { recursive: true });
        write(repository, `${folder}/x.yml`, readFileSync(join(home, ".netrc"), "utf8"));
        link(join(repository, "access/more"), join(repository, folder));
      },
    ]),
  ),
  ".git as a state path": (repository, home) => {
    mkdirSync(join(repository, ".git"), { recursive: true });
    write(repository, ".git/x.yml", readFileSync(join(home, ".netrc"), "utf8"));
    write(repository, "gate-sync.yaml", "targets: {t: {state: [access, .git/x.yml]}}\n");
  },
  ".GIT as a file of variables": (repository) => {
    mkdirSync(join(repository, ".GIT"));
    write(repository, ".GIT/config", `x: ${word}: [\n`);
    write(repository, "gate-sync.yaml", "targets: {t: {state: [access], vars_files: [.GIT/config]}}\n");
  },
  "a hidden link to a hidden folder as a state path": (repository, home) => {
    mkdirSync(join(repository, ".aws"));
    write(repository, ".aws/x.yml", readFileSync(join(home, ".netrc"), "utf8"));
    link(join(repository, ".more"), ".aws");
    write(repository, "gate-sync.yaml", "targets: {t: {state: [access, .more]}}\n");
  },
  "a named pipe": (repository) => void execFileSync("mkfifo", [join(repository, "access/x.yml")]),
  "a link to a named pipe": (repository) => {
    execFileSync("mkfifo", [join(repository, "pipe")]);
    link(join(repository, "access/x.yml"), "../pipe");
  },
  "a device": (repository) => link(join(repository, "access/x.yml"), "/dev/zero"),
  "gate-sync.yaml, a named pipe": (repository) => void execFileSync("mkfifo", [join(repository, "gate-sync.yaml")]),
};

describe.each([true, false])("in a git work tree: %s", (isGit) => {
  test.for(Object.entries(attacks))("%s out of the repository is not read", ([, prepare], { expect }) =>
    inRepository(async (repository, home) => {
      prepare(repository, home);
      const lines = ["validate access", "validate", "plan access --url http://127.0.0.1:1"];
      const runs = await Promise.all(
        lines.flatMap((line) => ["text", "json"].map((format) => run(`${line} --format ${format}`, repository))),
      );
      expect(runs.filter(({ text }) => text.includes(word))).toEqual([]);
      expect(runs.map(({ code }) => code)).toContain(3);
    }, isGit),
  );
});

const pem = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
const settings: Readonly<Record<string, string>> = {
  "an authority": "tls: { ca: certs/secret }",
  "a client certificate": "tls: { cert: certs/secret, key: own.pem }",
  "a key": "tls: { cert: own.pem, key: certs/secret }",
  "PKCS #12": "tls: { pkcs12: certs/secret }",
  "a token": 'auth: { token: "${file:certs/secret}" }',
  "a password": 'auth: { username: u, password: "${file:certs/secret}" }',
  "a header": 'headers: { x-a: "${file:certs/secret}" }',
};

describe.each(["file", "folder"])("a %s that is a link out of the repository", (kind) => {
  test.for(Object.entries(settings))("is not used as %s", ([, setting], { expect }) =>
    inRepository(async (repository, home) => {
      write(repository, "../home/secret", word);
      write(repository, "own.pem", pem);
      write(repository, "gate-sync.yaml", `targets: {t: {state: [access], url: "http://127.0.0.1:1", ${setting}}}\n`);
      if (kind === "file") link(join(repository, "certs/secret"), join(home, "secret"));
      else link(join(repository, "certs"), home);
      const { code, text } = await run("plan", repository);
      expect({ code, text: text.replace(/\s+/g, " ") }).toEqual({
        code: 3,
        text: expect.stringContaining("a link leads out of the repository; write the path of the file itself"),
      });
      expect(text).not.toContain(word);
    }),
  );

  test("holds no secret of a state file", ({ expect }) =>
    inRepository(async (repository, home) => {
      write(repository, "../home/secret", word);
      if (kind === "file") link(join(repository, "access/certs/secret"), join(home, "secret"));
      else link(join(repository, "access/certs"), home);
      write(repository, "access/license.yml", 'license: { text: "${file:certs/secret}" }\n');
      const { code, text } = await run("plan access --url http://127.0.0.1:1", repository);
      expect({ code, text: text.replace(/\s+/g, " ") }).toEqual({
        code: 3,
        text: expect.stringContaining("The file certs/secret is not read: a link leads out of the repository."),
      });
    }));
});

describe("a secret of a state file", () => {
  const license = (path: string) => `license: { text: "\${file:${path}}" }\n`;
  const targets = 'targets: { t: { state: [access], url: "http://127.0.0.1:1" } }\n';
  const outcomeOf = async (repository: string, path: string, more = "", line = "plan") => {
    write(repository, "access/license.yml", license(path));
    write(repository, "gate-sync.yaml", more + targets);
    const { code, text } = await run(line, repository);
    expect(text).not.toContain(word);
    return [code, /error\s+(outside-repository)/.exec(text)?.[1] ?? /127\.0\.0\.1:1/.exec(text)?.[0]];
  };
  const refused = [3, "outside-repository"];
  const asked = [1, "127.0.0.1:1"];

  test("is read where secret_files lists it, and by no link of the repository", ({ expect }) =>
    inRepository(async (repository, home) => {
      const file = join(home, ".netrc");
      for (const line of ["plan", "validate"]) expect(await outcomeOf(repository, file, "", line)).toEqual(refused);
      expect(await outcomeOf(repository, file, `secret_files: [${home}]\n`)).toEqual(asked);
      expect(await outcomeOf(repository, "../../home/.netrc", "secret_files: [../home/.netrc]\n")).toEqual(asked);
      link(join(repository, "keys"), home);
      expect(await outcomeOf(repository, "../keys/.netrc", "secret_files: [keys]\n")).toEqual(refused);
      link(join(home, "again"), repository);
      const again = "plan --config ../home/again/gate-sync.yaml";
      expect(await outcomeOf(repository, "../keys/.netrc", "secret_files: [keys]\n", again)).toEqual(refused);
      expect(await outcomeOf(repository, "../keys/.netrc", `secret_files: [${home}]\n`)).toEqual(asked);
      // A system takes no such name.
      for (const none of ["a\\0b", "x".repeat(9000), "gate-sync.yaml/x"])
        expect(await outcomeOf(repository, file, `secret_files: ["${none}"]\n`)).toEqual(refused);
      write(repository, ".env", word);
      expect(await outcomeOf(repository, "../.env")).toEqual(refused);
      link(join(repository, "certs"), repository);
      for (const path of ["../.env", "../certs/.env"])
        expect(await outcomeOf(repository, path, "secret_files: [certs]\n")).toEqual(refused);
      expect(await outcomeOf(repository, "../.env", "secret_files: [.env]\n")).toEqual(asked);
      for (const none of ["[]", "['/run/*']", "['${var:x}']", "['~/x']", "x"])
        expect(await outcomeOf(repository, file, `secret_files: ${none}\n`)).toEqual([3, undefined]);
      // Paths are no secrets.
      expect((await run("validate", repository)).text).toContain('"secret_files" must be a list, not the text "x"');
    }));

  test("is read by no link of another repository, either", ({ expect }) =>
    inRepository(async (repository, home) => {
      const other = join(repository, "../other");
      mkdirSync(join(other, ".git"), { recursive: true });
      link(join(other, "keys"), home);
      link(join(home, "keys"), join(other, "keys"));
      link(join(home, "circle"), join(home, "circle"));
      for (const path of ["../other/keys", "../home/keys", "../home/circle"])
        expect(await outcomeOf(repository, join(home, ".netrc"), `secret_files: [${path}]\n`)).toEqual(refused);
      link(join(home, "own"), home);
      expect(await outcomeOf(repository, join(home, ".netrc"), "secret_files: [../home/own]\n")).toEqual(asked);
    }));

  test("of standard input is below the current folder", ({ expect }) =>
    inRepository(async (repository, home) => {
      const text = (path: string) => ({ cwd: repository, env: {}, input: license(path) });
      write(repository, "access/key", word);
      const of = async (path: string) =>
        (await gateSyncWithin(["validate", "-", "--product", "gate"], text(path))).code;
      expect([await of("access/key"), await of(join(home, ".netrc")), await of("../home/roles.yml")]).toEqual([
        0, 3, 3,
      ]);
    }));

  test("and a list of items are in no hidden folder", ({ expect }) =>
    inRepository(async (repository) => {
      mkdirSync(join(repository, ".private"));
      write(repository, ".private/t.csv", `n\n${word}\n`);
      const tenants = 'generate: { for_each: ../.private/t.csv, as: t, tenants: { "${each:t.n}": {} } }\n';
      write(repository, "access/teams.yml", tenants);
      const { code, text } = await run("validate access", repository);
      expect([code, text.includes("outside-repository"), text.includes(word)]).toEqual([3, true, false]);
    }));
});

describe("a setting may name", () => {
  /** Nothing listens there: reaching for the server is enough. */
  const settled = async (setting: string, prepare: (repository: string, home: string) => void) =>
    inRepository(async (repository, home) => {
      write(repository, "../home/ca.pem", pem);
      const path = setting.replace("HOME", home);
      write(repository, "gate-sync.yaml", `targets: {t: {state: [access], url: "http://127.0.0.1:1", ${path}}}\n`);
      prepare(repository, home);
      const { code, text } = await run("plan", repository);
      expect({ code, text: text.replace(/\s+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("127.0.0.1:1"),
      });
    });

  test("a file elsewhere by a path that says so", async () => {
    await settled('auth: { token: "${file:HOME/ca.pem}" }'.replace("ca.pem", "token"), (_, home) =>
      writeFileSync(join(home, "token"), word),
    );
    await settled('headers: { x-a: "${file:../home/token}" }', (_, home) => writeFileSync(join(home, "token"), word));
    await settled('headers: { x-a: "${file:HOME/link}" }', (_, home) => {
      writeFileSync(join(home, "token"), word);
      link(join(home, "link"), "token");
    });
  });

  test("a link within the repository, and one of a volume of Kubernetes", () =>
    settled('headers: { x-a: "${file:token}" }', (repository) => {
      mkdirSync(join(repository, "..2026"));
      write(repository, "..2026/token", word);
      link(join(repository, "..data"), "..2026");
      link(join(repository, "token"), "..data/token");
    }));
});

describe("is read", () => {
  test("a link within the repository, also out of the folder of gate-sync.yaml", () =>
    inRepository(async (repository) => {
      write(repository, "shared.yml", "tenants: { shared: {} }\n");
      mkdirSync(join(repository, "deploy"));
      write(repository, "deploy/gate-sync.yaml", "defaults: { state: [../access] }\n");
      link(join(repository, "access/shared.yml"), "../shared.yml");
      expect(await run("validate", join(repository, "deploy"))).toMatchObject({ code: 0 });
    }));

  test.for([".gate-sync.yaml", ".config/gate-sync.yaml"])(
    "what is named in a hidden folder, a link within that, and gate-sync.yaml as %s",
    (own, { expect }) =>
      inRepository(async (repository) => {
        mkdirSync(join(repository, ".config"));
        mkdirSync(join(repository, ".gate/access"), { recursive: true });
        write(repository, ".gate/.shared.yml", "tenants: { shared: {} }\n");
        write(repository, ".gate/tenants.yml", "tenants: { two: {} }\n");
        link(join(repository, ".gate/access/tenants.yml"), "../tenants.yml");
        write(repository, ".gate/vars.yml", "a: b\n");
        const paths = "state: [.gate/access, .gate/.shared.yml], vars_files: [.gate/vars.yml]";
        write(repository, own, `targets: {t: {${paths}}}\n`);
        link(join(repository, "gate-sync.yaml"), own);
        const { code, text } = await run("validate --product gate", repository);
        expect([code, text]).toEqual([0, expect.stringContaining("No problems in 2 files")]);
      }),
  );

  test("what the command line names, wherever it is", () =>
    inRepository(async (repository, home) => {
      write(repository, "../home/state.yml", "tenants: {}\n");
      write(repository, "../home/.state.yml", "tenants: {}\n");
      link(join(repository, "hidden.yml"), join(home, ".state.yml"));
      expect(await run("validate hidden.yml", repository)).toMatchObject({ code: 0 });
      link(join(repository, "named.yml"), join(home, "state.yml"));
      expect(await run(`validate ${join(home, "state.yml")}`, repository)).toMatchObject({ code: 0 });
      expect(await run("validate named.yml", repository)).toMatchObject({ code: 0 });
      write(repository, "../home/gate-sync.yaml", "defaults: { state: [state.yml] }\n");
      expect(await run(`validate --config ${join(home, "gate-sync.yaml")}`, repository)).toMatchObject({ code: 0 });
    }));

  test("a volume of Kubernetes, whose files are links into a hidden folder", () =>
    inFolder(
      {
        "..2026_11_22/gate-sync.yaml": "defaults: { state: [.] }\n",
        "..2026_11_22/tenants.yml": "tenants: { one: {} }\n",
        "..2026_11_22/license.yml": "license: { file: license.txt }\n",
        "..2026_11_22/license.txt": "text\n",
      },
      async (volume) => {
        symlinkSync("..2026_11_22", join(volume, "..data"));
        for (const name of ["gate-sync.yaml", "tenants.yml", "license.yml", "license.txt"]) {
          symlinkSync(`..data/${name}`, join(volume, name));
        }
        for (const [line, cwd] of [
          ["validate", volume],
          ["validate .", volume],
          [`validate ${volume}`, "/"],
          [`validate --config ${join(volume, "gate-sync.yaml")}`, "/"],
        ] as const) {
          const { code, text } = await run(`${line} --product gate`, cwd);
          expect([line, code, text]).toEqual([line, 0, expect.stringContaining("No problems in 2 files")]);
        }
        expect(readFileSync(join(volume, "license.txt"), "utf8")).toBe("text\n");
      },
    ));
});
