// What other tools declare, as state files: streams, formats, and no secret on any of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";

const hash = "$2y$12$NonsenseNonsenseNonsens";
const files = {
  "backup/internal_users.yml": `_meta: {type: internalusers, config_version: 2}\nana: {hash: "${hash}", x_token: "${hash}"}\n`,
  "backup/config.yml": `_meta: {type: config, config_version: 2}
config: {dynamic: {authc: {ldap: {authentication_backend: {type: ldap, config: {password: geheim-ldap}}}}}}
`,
  "roles.yml": "roles: {hr: {cluster_permissions: [cluster_monitor]}}\n",
  "broken.yml": `roles: {hr: {cluster_permissions: [a]}\nuser: {password: geheim-ldap}\n`,
  "open.sh": "#!/bin/sh\ncurl -u admin:geheim 'x\n",
  "odd.http": "PUT https://u:geheim@h/\ue000\n",
  "calls.sh": `#!/bin/sh
curl -u admin:geheim -H "Authorization: geheim" https://u:geheim@h/x?token=geheim
curl u:geheim@h/x
curl -u admin:geheim -X PUT https://u:geheim@h/_plugins/_security/api/roles/hr -d '{"cluster_permissions": ["a"]}'
`,
  "nothing.yml": "a: {b: c}\n",
};

describe.concurrent("import", () => {
  test("shows no secret, in no format and no file", ({ expect }) =>
    inFolder(files, async (cwd) => {
      const runs = [
        await gateSyncWithin(["import", "backup", "--product", "opensearch", "--out", "a", "--full"], { cwd }),
        await gateSyncWithin(["import", "backup", "--product", "opensearch", "--out", "b", "--format", "json"], {
          cwd,
        }),
        await gateSyncWithin(["import", "broken.yml", "--out", "c"], { cwd }),
        await gateSyncWithin(["import", "open.sh", "--out", "c"], { cwd }),
        await gateSyncWithin(["import", "odd.http", "--out", "c"], { cwd }),
        await gateSyncWithin(["import", "calls.sh", "--out", "c", "--full"], { cwd }),
      ];
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 3, 3, 3, 0]);
      const written = ["a", "b"].flatMap((folder) =>
        readdirSync(join(cwd, folder)).map((name) => readFileSync(join(cwd, folder, name), "utf8")),
      );
      expect(written).toHaveLength(4);
      for (const text of [...written, ...runs.flatMap(({ stdout, stderr }) => [stdout, stderr])]) {
        expect(text).not.toContain(hash);
        expect(text).not.toContain("geheim");
      }
    }));

  test("prints JSON as its schema says", ({ expect }) =>
    inFolder(files, async (cwd) => {
      const { code, stdout } = await gateSyncWithin(["import", "roles.yml", "--out", "a", "--format", "json"], { cwd });
      const printed = JSON.parse(stdout);
      const validate = createAjv({ isStrict: true }).compile(readSchema("import"));
      expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
      expect({ code, taken: printed.taken, plan: printed.plan.kind }).toEqual({
        code: 0,
        taken: [{ family: "roles", name: "hr" }],
        plan: "plan",
      });
    }));

  test("prints as JSON why there is no plan, beside the account", ({ expect }) =>
    inFolder({ ...files, "odd.yml": "roles: {hr: {cluster_permission: [a]}}\n" }, async (cwd) => {
      const validate = createAjv({ isStrict: true }).compile(readSchema("import"));
      const run = async (...words: readonly string[]) => {
        const { code, stdout } = await gateSyncWithin(["import", ...words, "--format", "json"], { cwd });
        const printed = JSON.parse(stdout);
        expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
        return { code, ...printed };
      };
      expect(await run("odd.yml", "--out", "b")).toMatchObject({
        code: 3,
        taken: [{ family: "roles", name: "hr" }],
        not_planned: { failure: { kind: "error", diagnostics: [{ code: "unknown-field" }] } },
      });
      expect(await run("nothing.yml", "--out", "c")).toMatchObject({
        code: 3,
        left: [{ path: "nothing.yml" }],
        not_planned: { failure: { error: { what: "No entry was taken, and nothing was written." } } },
      });
    }));

  test("ends without a server in one line, and the next command", ({ expect }) =>
    inFolder(files, async (cwd) => {
      const run = async (folder: string) => {
        const line = ["import", "roles.yml", "--product", "opensearch", "--out", folder];
        return (await gateSyncWithin(line, { cwd })).stdout.split("\n\n").at(-1);
      };
      const end = `The files plan without an error: 1 entry to create on an empty server.
Next:
  npx --no -- gate-sync init --url https://search.example:9200 --ca ca.pem`;
      expect([await run("access"), await run("./b/")]).toEqual([`${end}\n`, `${end} --out b\n`]);
    }));

  test("says where the password of a user of the operator is, and what plan deletes only where init is not next", ({
    expect,
  }) => {
    const write = (kind: string, spec: string) =>
      `apiVersion: opensearch.org/v1\nkind: ${kind}\nmetadata: {name: ana}\nspec: {${spec}}\n`;
    const inputs = {
      "ana.yml": write("OpensearchUser", "passwordFrom: {name: ana-pw, key: password}"),
      "open.yml": write("OpensearchActionGroup", "allowedActions: [read], type: '{{ kind }}'"),
    };
    return inFolder(inputs, async (cwd) => {
      const run = async (...words: readonly string[]) =>
        (await gateSyncWithin(["import", ...words, "--product", "opensearch"], { cwd })).stdout;
      const text = await run("ana.yml", "--out", "a");
      expect(text).toContain(
        "  SECRET_INTERNAL_USERS_ANA_PASSWORD  internal_users/ana\n    Secret ana-pw, key password\n",
      );
      expect(text).toContain("npx --no -- gate-sync init");
      expect(text).not.toContain("gate-sync deletes");
      const printed = JSON.parse(await run("ana.yml", "--out", "b", "--format", "json"));
      const validate = createAjv({ isStrict: true }).compile(readSchema("import"));
      expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
      expect(printed.secrets).toMatchObject([{ used_in: [{ from: "Secret ana-pw, key password" }] }]);
      expect(printed.notes.join(" ")).toContain("gate-sync deletes what no file declares");
      const line = ["--url", "http://127.0.0.1:1", "--out", "c"];
      expect(await run("ana.yml", ...line)).toContain("note: gate-sync deletes what no file declares");
      const stopped = (await run("open.yml", "--out", "d")).split("\n\n").slice(-2);
      expect(stopped).toEqual([
        expect.stringMatching(/^note: gate-sync deletes what no file declares/),
        expect.stringMatching(/^Not planned yet/),
      ]);
    });
  });

  test("names resources of Terraform that are one entry twice, in a file of one line", ({ expect }) => {
    const resource = (address: string, permission: string) => ({
      mode: "managed",
      type: "opensearch_role",
      address,
      values: { role_name: "payments_reader", cluster_permissions: [permission] },
    });
    const resources = [resource("opensearch_role.payments", "a"), resource("module.old.opensearch_role.payments", "b")];
    const state = JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
    return inFolder({ "state.json": state }, async (cwd) => {
      const { code, stderr } = await gateSyncWithin(["import", "state.json", "--out", "access"], { cwd });
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
        3,
        expect.stringContaining(
          "roles/payments_reader is in the inputs twice, as opensearch_role.payments and as module.old.opensearch_role.payments",
        ),
      ]);
    });
  });

  test("makes variables of attributes that are called like secrets, which the target can give", ({ expect }) =>
    inFolder(
      {
        "users.yml": `internal_users: {ana: {hash: "${hash}", attributes: {api_token: geheim}}}\n`,
        "gate-sync.yaml":
          "targets: {prod: {product: opensearch, families: {internal_users: {mode: adopt}}, vars: {ana_api_token: public}}}\n",
      },
      async (cwd) => {
        const { code, stdout } = await gateSyncWithin(["import", "users.yml", "--out", "access"], { cwd });
        expect([code, stdout.replace(/\s+/g, " ")]).toEqual([
          0,
          expect.stringContaining("before you plan: ana_api_token internal_users/ana"),
        ]);
        const env = { SECRET_INTERNAL_USERS_ANA_HASH: hash };
        expect(await gateSyncWithin(["validate", "access"], { cwd, env })).toMatchObject({ code: 0 });
      },
    ));

  test("lists what may be missing first, and what declares nothing in short", ({ expect }) =>
    inFolder(
      {
        "a.sh": `curl https://h/_cat\ncurl $X/_plugins/_security/api/roles
[ -f x ] && curl -X PUT $X/_plugins/_security/api/roles/b -d '{}'
curl -X PUT $X/_plugins/_security/api/roles/hr -d '{"cluster_permissions": ["a"]}'\n`,
      },
      async (cwd) => {
        const { stdout } = await gateSyncWithin(["import", "a.sh", "--out", "access"], { cwd });
        const title =
          "Left 1 part: check each, as no file has it\n  It is sent only if the command before it succeeds:\n";
        const idle =
          "\n\nLeft 2 parts that declare nothing\n  No request to the security plugin: GET /_cat\n  It changes nothing: GET /_plugins/_security/api/roles\n";
        expect(stdout).toMatch(/Left 1 part[\s\S]*a\.sh:3\n\nLeft 2 parts/);
        expect(stdout).toContain(title);
        expect(stdout).toContain(idle);
        const full = await gateSyncWithin(["import", "a.sh", "--out", "b", "--full"], { cwd });
        expect(full.stdout).toMatch(/ {4}GET \/_cat +a\.sh:1\n/);
      },
    ));

  test("ends with the URL that the input has", ({ expect }) =>
    inFolder(files, async (cwd) => {
      const { stdout } = await gateSyncWithin(["import", "calls.sh", "--out", "access"], { cwd });
      expect(stdout).toMatch(/\n {2}npx --no -- gate-sync init --url https:\/\/h --ca ca\.pem\n$/);
    }));

  test("counts warnings without a server, as the plan of one shows them", ({ expect }) =>
    inFolder(
      { "roles.yml": "roles: {hr: {index_permissions: [{index_patterns: [x], allowed_actions: [raed]}]}}\n" },
      async (cwd) => {
        const line = ["import", "roles.yml", "--product", "opensearch", "--out", "access"];
        const { stdout, stderr } = await gateSyncWithin(line, { cwd });
        expect(stderr).toBe("");
        expect(stdout).toMatch(/plan without an error, with \d+ warnings? that each plan shows: 1\sentry/);
        expect((await gateSyncWithin(["validate", "--product", "opensearch", "access"], { cwd })).stdout).toContain(
          "raed",
        );
      },
    ));

  test("into a folder with files says that one command takes all inputs", ({ expect }) =>
    inFolder({ ...files, "access/a.yml": "" }, async (cwd) => {
      const { code, stderr } = await gateSyncWithin(["import", "roles.yml", "--out", "access"], { cwd });
      expect([code, stderr]).toEqual([64, expect.stringContaining("Give all inputs of one cluster to one command")]);
    }));

  test("takes the newest release of Search Guard 7 without a server, and says what it assumed", ({ expect }) => {
    const role = (fields: string) => `_sg_meta: {type: roles, config_version: 2}\nhr: {${fields}}\n`;
    const index = (pattern: string) => `[{index_patterns: ["${pattern}"], allowed_actions: [SGS_READ]}]`;
    const backup = {
      "new/roles.yml": role(
        `index_permissions: ${index("hr-${user.attrs.team}")}, exclude_index_permissions: [{index_patterns: [hr-x], actions: [SGS_READ]}]`,
      ),
      "open.yml": 'roles: {hr: {exclude_index_permissions: [{index_patterns: [hr-x], actions: ["*"]}]}}\n',
    };
    return inFolder(backup, async (cwd) => {
      const run = (...words: readonly string[]) => gateSyncWithin(["import", ...words], { cwd });
      const { code, stdout, stderr } = await run("new", "--out", "a");
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("The files plan without an error: 1 entry to create");
      const assumed = "The release is assumed: none is stated";
      const shown = async (...words: readonly string[]) =>
        (await run("open.yml", "--product", "opensearch", ...words)).stderr.replace(/\s+/g, " ");
      expect(await shown("--out", "b")).toContain(assumed);
      expect(await shown("--out", "c", "--release", "2.19")).not.toContain("assumed");
    });
  });

  test("takes mappings of roles that only a cluster may have", ({ expect }) =>
    inFolder({ "all.yml": "role_mappings: {snapshots: {users: [ana]}, all_access: {users: [bo]}}\n" }, async (cwd) => {
      const line = ["import", "all.yml", "--product", "opensearch", "--out", "a"];
      const { code, stdout, stderr } = await gateSyncWithin(line, { cwd });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout.replace(/\s+/g, " ")).toContain("2 entries to create on an empty server.");
    }));

  test("leaves to the plan of a server what guards would refuse", ({ expect }) =>
    inFolder({ "all.yml": 'role_mappings: {all_access: {users: ["*"]}}\n' }, async (cwd) => {
      const line = ["import", "all.yml", "--product", "opensearch", "--out", "a"];
      const { code, stdout } = await gateSyncWithin(line, { cwd });
      expect([code, stdout]).toEqual([0, expect.not.stringMatching(/refused|would come to/)]);
      expect(stdout.replace(/\s+/g, " ")).toContain("1 entry to create on an empty server. Next:");
    }));

  test("lists up to ten names of a file, and where variables are needed", ({ expect }) => {
    const names = "abcdefghijkl".split("").map((name) => `"${name}_{{ .Values.team }}"`);
    const roles = names.map((name) => `  ${name}: {cluster_permissions: [cluster_monitor]}\n`);
    return inFolder({ "values.yaml": `roles:\n${roles.join("")}` }, async (cwd) => {
      const run = async (...words: readonly string[]) =>
        (await gateSyncWithin(["import", "values.yaml", "--product", "opensearch", ...words], { cwd })).stdout;
      const short = (await run("--out", "a")).replace(/\s+/g, " ");
      expect(short).toContain("a/roles.yml 12 roles: a_${var:team}, b_${var:team}, ");
      expect(short).toContain(", j_${var:team} and 2 more (--full shows all)");
      expect(short).toContain("before you plan: team roles/a_$team values.yaml:2 roles/b_$team values.yaml:3");
      expect((await run("--out", "b", "--full")).replace(/\s+/g, " ")).toContain("k_${var:team}, l_${var:team} Set");
    });
  });

  test("plans users whose product nothing shows", ({ expect }) =>
    inFolder({ "users.json": '{"ana": {"hash": "x", "backend_roles": ["hr"]}}' }, async (cwd) => {
      const line = ["import", "users.json", "--family", "internal_users", "--out", "a"];
      const { code, stdout } = await gateSyncWithin(line, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringContaining("note: Nothing says which product")]);
    }));

  test("names variables of Ansible that have no ending", ({ expect }) => {
    const vars = {
      "group_vars/all": "a: 1\n",
      "group_vars/search/x.yml": "opensearch_tenants: [{name: t, description: d}]\n",
    };
    return inFolder(vars, async (cwd) => {
      const { code, stdout } = await gateSyncWithin(["import", "group_vars", "--out", "a"], { cwd });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/Left 1 part: check each, as no file has it\n.*\n {4}group_vars\/all /),
      ]);
    });
  });

  test("reads standard input", ({ expect }) =>
    inFolder({}, async (cwd) => {
      const { code, stdout } = await gateSyncWithin(["import", "-", "--out", "a"], { cwd, input: files["roles.yml"] });
      expect([code, stdout]).toEqual([0, expect.stringContaining("Took 1 entry:\n  a/roles.yml  1 role: hr\n")]);
      const any = await gateSyncWithin(["import", "-", "--out", "b"], { cwd, input: "roles: {hr: {}}" });
      expect(any.stdout).toContain("note: Nothing says which product the entries are for");
      const input = 'resource "opensearch_role" "hr" {\n  role_name = "hr"\n}\n';
      const terraform = await gateSyncWithin(["import", "-", "--out", "c"], { cwd, input });
      expect([terraform.code, terraform.stderr]).toEqual([
        3,
        expect.stringContaining("standard input is Terraform code."),
      ]);
    }));

  test("says one thing of a state of Terraform as it is stored", ({ expect }) =>
    inFolder(
      { "terraform.tfstate": '{"version": 4, "terraform_version": "1.9.0", "lineage": "x", "resources": []}' },
      async (cwd) => {
        const { code, stdout, stderr } = await gateSyncWithin(["import", "terraform.tfstate", "--out", "a"], { cwd });
        expect([code, stdout]).toEqual([3, expect.stringContaining("Run terraform show -json")]);
        expect(stderr).not.toContain("None of the inputs");
      },
    ));

  test("takes the state of a chart that holds files of other programs, too", ({ expect }) => {
    const data = {
      "log4j2.properties": "x=1",
      "opensearch.yml": "cluster.name: {{ name }}",
      "audit.yml": "a: [",
      "roles.yml": "hr: {cluster_permissions: [cluster_monitor]}",
    };
    const chart = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "search" }, data };
    return inFolder({ "chart.yaml": JSON.stringify(chart) }, async (cwd) => {
      const { code, stdout } = await gateSyncWithin(["import", "chart.yaml", "--out", "a"], { cwd });
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(
          "Took 1 entry:\n  a/roles.yml  1 role: hr\n\nLeft 3 parts: check each, as no file has it\n",
        ),
      ]);
    });
  });

  test("checks a folder of sgctl as of FLX, unless the target says otherwise", ({ expect }) => {
    const sgctl = {
      "sgctl/sg_authc.yml": "auth_domains: [{type: basic/internal_users_db}]\n",
      "sgctl/sg_license_key.yml": "key: x\n",
      "sgctl/sg_action_groups.yml":
        "_sg_meta: {type: actiongroups, config_version: 2}\nbi: {allowed_actions: [SGS_READ]}\n",
    };
    return inFolder(sgctl, async (cwd) => {
      const flx = await gateSyncWithin(["import", "sgctl", "--out", "a"], { cwd });
      expect([flx.code, flx.stdout]).toEqual([3, expect.stringContaining("note: sgctl/sg_authc.yml is a file of")]);
      expect(flx.stdout).toContain("the license of newer releases");
      expect(flx.stderr).toContain("search-guard FLX");
      const of7 = ["--product", "search-guard", "--release", "7"];
      expect((await gateSyncWithin(["import", "sgctl", "--out", "b", ...of7], { cwd })).code).toBe(0);
    });
  });

  test("fails where it takes nothing, and where no folder is named", ({ expect }) =>
    inFolder(files, async (cwd) => {
      const none = await gateSyncWithin(["import", "nothing.yml", "--out", "a"], { cwd });
      expect([none.code, none.stdout, none.stderr]).toEqual([
        3,
        expect.stringContaining("Took nothing, and wrote nothing."),
        expect.stringContaining("No entry was taken, and nothing was written."),
      ]);
      expect((await gateSyncWithin(["import", "roles.yml"], { cwd })).code).toBe(64);
    }));
});
