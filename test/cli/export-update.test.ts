// `export --update`: what was changed on the cluster goes into the files that declare it, and the next plan has nothing to do.
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitAll } from "../support/committed.ts";
import { onHarness } from "./harness.ts";

/** Without a run on record, HEAD says what the files have changed. */
const onCommitted: typeof onHarness = (options, work) =>
  onHarness(options, (harness) => {
    commitAll(harness.folder);
    return work(harness);
  });

const config = (targets: string) => `defaults: { product: gate }\ntargets:\n${targets}`;
const one = config("  prod: { state: [access/], vars: { team: hr, more: [a, b] } }\n");
const roles = `# Who may do what.
roles:
  # HR reads its own.
  hr_reader: # theirs
    cluster_permissions: ["a", 'b']   # both
    index_permissions:
      - index_patterns: ["\${var:team}-*"]   # by team
        allowed_actions: [read]
      - index_patterns: [pay-*]
        allowed_actions: [read]

  pay: { cluster_permissions: ["\${var:more}", c] }
`;
const live = {
  roles: {
    hr_reader: {
      cluster_permissions: ["a", "c"],
      index_permissions: [
        { index_patterns: ["hr-*"], allowed_actions: ["read", "write"] },
        { index_patterns: ["pay-*"], allowed_actions: ["read"] },
      ],
    },
    pay: { cluster_permissions: ["a", "b", "d"] },
    fresh: { cluster_permissions: ["*"] },
  },
};
const at = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");

describe.concurrent("export --update", () => {
  test("writes live values into the file, and keeps comments, order, quotes and references", () =>
    onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state: live },
      async ({ run, folder }) => {
        const { code, stdout } = await run("export --update --url URL");
        expect(at(folder, "access/roles.yml")).toBe(
          roles
            .replace(`["a", 'b']`, `["a", c]`)
            .replace(
              "allowed_actions: [read]\n      - index_patterns: [pay",
              "allowed_actions: [read, write]\n      - index_patterns: [pay",
            )
            .replace(", c] }\n", ', d] }\n\n  fresh:\n    cluster_permissions:\n      - "*"\n'),
        );
        expect({ code, stdout }).toEqual({
          code: 0,
          stdout: expect.stringContaining("3 differences taken into 1 file."),
        });
        expect((await run("plan --no-access --detailed-exitcode --url URL")).code).toBe(0);
        expect((await run("export --update --url URL")).stdout).toBe("Nothing to take into the files.\n");
      },
    ));

  test("--dry-run shows the diff, and writes nothing", () =>
    onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state: live },
      async ({ run, folder }) => {
        const { stdout } = await run("export --update --dry-run --url URL --only roles/pay");
        expect(stdout).toContain(
          `-  pay: { cluster_permissions: ["\${var:more}", c] }\n+  pay: { cluster_permissions: ["\${var:more}", d] }\n`,
        );
        expect(stdout).toContain("1 difference would be taken into 1 file; nothing was written.");
        expect(at(folder, "access/roles.yml")).toBe(roles);
      },
    ));

  test("a reference is not replaced by a value: the edit to make is reported", () => {
    const state = { roles: { ...live.roles, pay: { cluster_permissions: ["a", "${var:team}"] } } };
    return onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state },
      async ({ run, folder }) => {
        const { code, stdout } = await run("export --update --url URL --only roles/pay");
        expect(code).toBe(2);
        expect(stdout).toContain(
          "? roles/pay  access/roles.yml:12\n    Not written: cluster_permissions: ${var:more} is written there.\n",
        );
        expect(stdout).toContain('Make it say cluster_permissions: ["$${var:team}","a"].');
        expect(at(folder, "access/roles.yml")).toBe(roles);
      },
    );
  });

  test("what is gone is removed with --prune alone", () => {
    const state = { roles: { hr_reader: live.roles.hr_reader } };
    return onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state },
      async ({ run, folder }) => {
        const kept = await run("export --update --url URL --only roles/pay");
        expect(kept).toMatchObject({ code: 2, stdout: expect.stringMatching(/--prune removes its\s+declaration/) });
        expect((await run("export --update --prune --url URL")).code).toBe(0);
        expect(at(folder, "access/roles.yml")).not.toContain("pay:");
        expect((await run("plan --no-access --detailed-exitcode --url URL")).code).toBe(0);
      },
    );
  });

  test("what is generated is reported with its template and its item", () => {
    const generated =
      "generate:\n  for_each: [x, y]\n  as: t\n  roles:\n    r_${each:t}: { cluster_permissions: [a] }\n";
    const state = { roles: { r_x: { cluster_permissions: ["b"] }, r_y: { cluster_permissions: ["a"] } } };
    return onCommitted(
      { files: { "gate-sync.yaml": one, "access/g.yml": generated }, state },
      async ({ run, folder }) => {
        const { code, stdout } = await run("export --update --url URL");
        expect(code).toBe(2);
        expect(stdout).toContain("Not written: it is generated, for the item at access/g.yml:2:14.");
        expect(at(folder, "access/g.yml")).toBe(generated);
      },
    );
  });

  test("the config is written by single settings, and secrets are not", () => {
    const text =
      "config:\n  dynamic:\n    # comment\n    do_not_fail_on_forbidden: false # why\n    multi_rolespan_enabled: true\n";
    const state = { config: { dynamic: { do_not_fail_on_forbidden: true, multi_rolespan_enabled: true } } };
    return onCommitted({ files: { "gate-sync.yaml": one, "access/c.yml": text }, state }, async ({ run, folder }) => {
      expect((await run("export --update --url URL")).code).toBe(0);
      expect(at(folder, "access/c.yml")).toBe(text.replace("forbidden: false", "forbidden: true"));
    });
  });

  test("what repeats a secret of the config is not written, nor shown", () => {
    const ldap = { type: "ldap", config: { hosts: ["ldap:389"], bind_dn: "cn=gate", password: "bind-Tuesday-42" } };
    const live = { dynamic: { authc: { a: { http_enabled: true, order: 1, authentication_backend: ldap } } } };
    const text = JSON.stringify({ config: live }).replace("bind-Tuesday-42", "$${env:BIND}");
    const files = {
      "gate-sync.yaml": one,
      "access/c.yml": text,
      "access/t.yml": "tenants: { hr: { description: x } }\n",
    };
    const state = { config: live, tenants: { hr: { description: "bind-Tuesday-42" } } };
    return onCommitted({ files, state }, async ({ run, folder }) => {
      const ran = await run("export --update --url URL", { BIND: "bind-Tuesday-42" });
      expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining("it repeats a secret") });
      expect(ran.stdout + ran.stderr).not.toContain("Tuesday");
      expect(at(folder, "access/t.yml")).toBe(files["access/t.yml"]);
    });
  });

  const two = config("  prod: { state: [base/, prod/] }\n  dev: { state: [base/] }\n");
  const linked = config("  prod: { state: [base/, prod/] }\n  dev: { state: [base/, dev/] }\n");
  const base = "roles:\n  hr: { cluster_permissions: [a], description: x }\n  gone: {}\n";
  const shared = { roles: { hr: { cluster_permissions: ["b"], description: "y" }, fresh: {} } };

  test("a file that other targets read gets no edit: the target gets overrides, and new entries, in files of its own", () =>
    onCommitted(
      { files: { "gate-sync.yaml": two, "base/r.yml": base, "prod/t.yml": "tenants: {}\n" }, state: shared },
      async ({ run, folder }) => {
        const { code } = await run("export --update --prune --target prod --url URL");
        expect(code).toBe(0);
        expect(at(folder, "base/r.yml")).toBe(base);
        expect(at(folder, "prod/overrides.yml")).toBe(
          'overrides:\n  roles:\n    gone:\n      remove: true\n    hr:\n      description: "y"\n      +cluster_permissions:\n        - b\n      -cluster_permissions:\n        - a\n',
        );
        expect(at(folder, "prod/roles.yml")).toBe("roles:\n  fresh: {}\n");
        expect((await run("plan --no-access --detailed-exitcode --target prod --url URL")).code).toBe(0);
      },
    ));

  test("--shared edits it for all of them", () =>
    onCommitted(
      { files: { "gate-sync.yaml": two, "base/r.yml": base, "prod/t.yml": "tenants: {}\n" }, state: shared },
      async ({ run, folder }) => {
        expect((await run("export --update --prune --shared --target prod --url URL")).code).toBe(0);
        expect(at(folder, "base/r.yml")).toBe(
          'roles:\n  hr: { cluster_permissions: [b], description: "y" }\n  fresh: {}\n',
        );
        expect(existsSync(join(folder, "prod/overrides.yml"))).toBe(false);
      },
    ));

  test("an override is edited where it is, and goes where it says nothing any more", () => {
    const over = "overrides:\n  roles:\n    # for prod\n    hr:\n      +cluster_permissions: [b] # more\n";
    const state = { roles: { hr: { cluster_permissions: ["a", "c"], description: "x" }, gone: {} } };
    return onCommitted(
      { files: { "gate-sync.yaml": two, "base/r.yml": base, "prod/o.yml": over }, state },
      async ({ run, folder, emulator }) => {
        expect((await run("export --update --target prod --url URL")).code).toBe(0);
        expect(at(folder, "prod/o.yml")).toBe(over.replace("[b]", "[c]"));
        expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
      },
    );
  });

  test("--into a file that holds nothing but comments writes below them", () => {
    const files = { "gate-sync.yaml": one, "access/roles.yml": roles, "access/new.yml": "# Of team a.\r\n\r\n# New." };
    return onCommitted({ files, state: live }, async ({ run, folder }) => {
      expect((await run("export --update --into access/new.yml --url URL --only roles/fresh")).code).toBe(0);
      expect(at(folder, "access/new.yml")).toBe(
        '# Of team a.\r\n\r\n# New.\r\nroles:\r\n  fresh:\r\n    cluster_permissions:\r\n      - "*"\r\n',
      );
    });
  });

  test("--shared says which other target has errors by what is edited", () => {
    const over = "overrides: { roles: { hr: { -cluster_permissions: [a] } } }\n";
    const files = { "gate-sync.yaml": linked, "base/r.yml": base, "dev/o.yml": over, "prod/t.yml": "tenants: {}\n" };
    return onCommitted({ files, state: shared }, async ({ run, folder }) => {
      const update = (only: string) => run(`export --update --shared --target prod --url URL --only ${only}`);
      const fresh = await update("roles/fresh");
      expect({ code: fresh.code, reported: `${fresh.stdout}${fresh.stderr}` }).toEqual({
        code: 0,
        reported: expect.not.stringContaining("target dev"),
      });
      commitAll(folder);
      const hr = await update("roles/hr");
      expect(`${hr.stdout}${hr.stderr}`).toMatch(
        /The target dev reads what is edited, too, and has errors with that:\s+gate-sync validate\s+--target dev shows them/,
      );
      expect((await run("validate --target dev")).stdout).toContain("missing-element");
    });
  });

  test("--into names the file for new entries", () =>
    onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state: live },
      async ({ run, folder }) => {
        expect((await run("export --update --into access/new.yml --url URL --only roles/fresh")).code).toBe(0);
        expect(at(folder, "access/new.yml")).toBe('roles:\n  fresh:\n    cluster_permissions:\n      - "*"\n');
        expect(at(folder, "access/roles.yml")).toBe(roles);
      },
    ));

  test.each(["elsewhere.yml", "access/.new.yml", "access/new.txt", "access/node_modules/new.yml", "access/new.json"])(
    "--into %s is refused: nothing would read it, or not as YAML",
    (file) =>
      onCommitted(
        { files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state: live },
        async ({ run, folder }) => {
          expect((await run(`export --update --into ${file} --url URL`)).code).toBe(64);
          expect(existsSync(join(folder, file))).toBe(false);
        },
      ),
  );

  test("a new file that other targets would read, too, is not written without --shared", () =>
    onCommitted(
      { files: { "gate-sync.yaml": two, "base/r.yml": base, "prod/t.yml": "tenants: {}\n" }, state: shared },
      async ({ run, folder }) => {
        const into = "export --update --target prod --url URL --only roles/fresh --into base/new.yml";
        const { code, stdout } = await run(into);
        expect({ code, stdout }).toEqual({
          code: 2,
          stdout: expect.stringContaining("base/new.yml is read by other targets, too"),
        });
        expect(existsSync(join(folder, "base/new.yml"))).toBe(false);
        expect((await run(`${into} --shared`)).code).toBe(0);
        expect(existsSync(join(folder, "base/new.yml"))).toBe(true);
      },
    ));

  test("a folder that another target reads by another name is not the target's own", () =>
    onCommitted(
      { files: { "gate-sync.yaml": linked, "base/r.yml": base, "prod/t.yml": "tenants: {}\n" }, state: shared },
      async ({ run, folder }) => {
        symlinkSync("prod", join(folder, "dev"));
        const { code, stdout } = await run("export --update --target prod --url URL");
        expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("no state folder of its own") });
        expect(readdirSync(join(folder, "prod"))).toEqual(["t.yml"]);
      },
    ));

  test("what an owner has no share in is left, and goes to no other team's file", () => {
    const owners = `owners: { access/pay/: { team: pay, names: ["pay_*"], index_patterns: ["pay-*"] } }\n${one}`;
    const pay = 'roles:\n  pay_1: { index_permissions: [{ index_patterns: ["pay-*"], allowed_actions: [read] }] }\n';
    const onServer = {
      roles: { pay_1: { index_permissions: [{ index_patterns: ["*"], allowed_actions: ["read"] }] }, other: {} },
    };
    return onCommitted(
      { files: { "gate-sync.yaml": owners, "access/pay/r.yml": pay }, state: onServer },
      async ({ run, folder }) => {
        const { code, stdout } = await run("export --update --url URL");
        expect(code).toBe(2);
        expect(stdout.replace(/\s+/g, " ")).toMatch(
          /roles\/other .*its file has an owner: .*roles\/pay_1 .*its file has an owner: /,
        );
        expect(at(folder, "access/pay/r.yml")).toBe(pay);
      },
    );
  });

  test("a new entry goes to no file of an older format", () => {
    const old = "hr:\n  cluster: [a]\n  indices: { 'x-*': { '*': [READ] } }\nit: { cluster: [b] }\n";
    return onCommitted(
      {
        files: { "gate-sync.yaml": one, "access/roles.yml": old, "access/new.yml": "roles: { z: {} }\n" },
        state: { roles: { z: {}, fresh: { cluster_permissions: ["*"] } } },
      },
      async ({ run, folder }) => {
        await run("export --update --url URL");
        expect(at(folder, "access/roles.yml")).toBe(old);
        expect(at(folder, "access/new.yml")).toContain("fresh");
      },
    );
  });

  test.each([
    ["export --dry-run --out x --url URL", "--dry-run goes with --update."],
    ["export --update --out x --url URL", "--update edits the files of the target, and --out writes others."],
    ["export --update --url URL --only roles/x", "which no file declares and the server does not have"],
  ])("%s is refused", (line, message) =>
    onCommitted({ files: { "gate-sync.yaml": one, "access/roles.yml": roles }, state: live }, async ({ run }) => {
      const { code, stderr } = await run(line);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining(message),
      });
    }),
  );

  test("files with errors are named before a server is asked, and left alone", () =>
    onCommitted(
      { files: { "gate-sync.yaml": one, "access/roles.yml": "roles: { z: {}, z: {} }\n" }, state: live },
      async ({ run, folder }) => {
        const { code, stderr } = await run("export --update --url http://127.0.0.1:9");
        expect(at(folder, "access/roles.yml")).toBe("roles: { z: {}, z: {} }\n");
        expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
          code: 3,
          stderr: expect.stringContaining("access/roles.yml:1:17"),
        });
        expect(stderr).not.toContain("127.0.0.1");
      },
    ));
});
