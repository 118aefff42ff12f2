// Values that the inputs give to variables of templates: filled in where there is exactly one, and never a secret.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { takeFiles } from "../../../src/imports/take.ts";
import { writeEntries } from "../../../src/imports/written.ts";
import { families } from "../../../src/model/names.ts";

interface Row {
  readonly inputs: Readonly<Record<string, string>>;
  /** By resource type, the entries as they are written. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
  readonly left?: readonly string[];
  readonly secrets?: readonly string[];
  readonly variables?: readonly string[];
}

const template = 'hr:\n  cluster_permissions: ["{{ team }}_x"]\n';
const hr = (permission: string) => ({ roles: { hr: { cluster_permissions: [permission] } } });
const open = { written: hr("${var:team}_x"), variables: ["team"] };
const filled = (place: string) => `Filled in, as the inputs have it: team is ops (${place}).`;
const unsure = (...places: readonly string[]) =>
  `team stays a variable: the inputs give it no single value (${places.join(", ")}).`;
const user = (fields: string) => `opensearch_internal_users:\n  ana: {${fields}}\n`;
const nested = (...names: readonly string[]) =>
  `roles: {hr: {cluster_permissions: ["${names.map((name) => `{{ .Values.${name} }}`).join("_")}_x"]}}\n`;
const uri = (name: string) =>
  `uri: {url: "h/_plugins/_security/api/roles/hr", method: PUT, body: {cluster_permissions: ["{{ ${name} }}_x"]}}`;

const rows: Readonly<Record<string, Row>> = {
  "of the same file, in names too": {
    inputs: { "v.yml": 'team: ops\nopensearch_roles:\n  "{{ team }}": {cluster_permissions: ["{{ team }}_x"]}\n' },
    written: { roles: { ops: { cluster_permissions: ["ops_x"] } } },
    notes: [filled("v.yml:1")],
  },
  "of another file, which may be read later": {
    inputs: { "roles.yml.j2": template, "vars.yml": "team: ops\nport: 9200\n" },
    written: hr("ops_x"),
    notes: [filled("vars.yml:1")],
    left: [],
  },
  "of a chart, in a text of its values": {
    inputs: {
      "values.yaml":
        'team: ops\nsize: 3\nfiles:\n  roles.yml: |\n    hr: {cluster_permissions: ["{{ .Values.team }}_x"]}\n',
    },
    written: hr("ops_x"),
    notes: [filled("values.yaml:1")],
    left: ["size"],
  },
  "instead of a default": {
    inputs: {
      "v.yml": "team: ops\nopensearch_roles: {hr: {cluster_permissions: [\"{{ team | default('x') }}_x\"]}}\n",
    },
    written: hr("ops_x"),
    notes: [filled("v.yml:1")],
  },
  "that is a number, or in quotes": {
    inputs: { "v.yml": 'a: 30\nb: "yes"\nopensearch_roles: {hr: {cluster_permissions: ["{{ a }}{{ b }}"]}}\n' },
    written: hr("30yes"),
    notes: ["Filled in, as the inputs have it: a is 30 (v.yml:1), b is yes (v.yml:2)."],
  },
  "that two files have": {
    inputs: {
      "a.yml": `team: ops\nopensearch_roles:\n  ${template.replace("\n", "\n  ")}`,
      "b.yml": "team: dev\n",
    },
    ...open,
    notes: [unsure("a.yml:1", "b.yml:1")],
  },
  "that two files have alike": {
    inputs: { "a.yml": `team: ops\nopensearch_roles:\n  ${template.replace("\n", "\n  ")}`, "b.yml": "team: ops\n" },
    written: hr("ops_x"),
    notes: [filled("a.yml:1")],
  },
  "that tools read differently, or that is another template": {
    inputs: {
      "v.yml":
        'a: yes\nb: 0644\nf: 12:30\nc: "{{ d }}"\ne: [x]\nopensearch_roles: {hr: {cluster_permissions: ["{{ a }}{{ b }}{{ c }}{{ e }}{{ f }}"]}}\n',
    },
    written: hr("${var:a}${var:b}${var:c}${var:e}${var:f}"),
    variables: ["a", "b", "c", "e", "f"],
  },
  "of a map in values of a chart": {
    inputs: {
      "values.yaml": `global: {env: prod}\nimage: {tag: 3, name: x}\n${nested("global.env", "image.tag")}`,
    },
    written: hr("prod_3_x"),
    notes: ["Filled in, as the inputs have it: global.env is prod (values.yaml:1), image.tag is 3 (values.yaml:2)."],
    left: ["image"],
  },
  "of a map that another file may replace": {
    inputs: {
      "values.yaml": `global: {env: prod}\n${nested("global.env", "global.other")}`,
      "b.yaml": "global: dev\n",
    },
    written: hr("${var:global.env}_${var:global.other}_x"),
    variables: ["global.env", "global.other"],
    notes: ["global.env", "global.other"].map(
      (name) =>
        `${name} stays a variable: the inputs give it no single value (${name.endsWith("v") ? "values.yaml:1, " : ""}b.yaml:1).`,
    ),
  },
  "below the key of a secret, in a map": {
    inputs: {
      "values.yaml": `token: {env: geheim}\nauth: {x: geheim}\nglobal: {password: geheim}\n${nested("token.env", "auth.x", "global.password")}`,
    },
    written: hr("${var:token.env}_${var:auth.x}_${var:global.password}_x"),
    variables: ["token.env", "auth.x", "global.password"],
  },
  "that a task may set": {
    inputs: {
      "v.yml": `team: ops\nopensearch_tenants: {t: {description: d}}\n`,
      "t.yml": `- set_fact: {team: dev}\n  when: x\n- ${uri("team")}\n`,
    },
    written: { ...hr("${var:team}_x"), tenants: { t: { description: "d" } } },
    variables: ["team"],
    notes: [unsure("v.yml:1", "t.yml:1")],
  },
  "that a script does not set": {
    inputs: {
      "v.yml": "team: ops\n",
      "a.http": `PUT h/_plugins/_security/api/roles/hr\n\n{"cluster_permissions": ["{{team}}_x"]}\n`,
    },
    ...open,
  },
  "of a hash or a password": {
    inputs: { "v.yml": `pw: geheim\n${user('hash: "{{ pw }}"')}` },
    written: { internal_users: { ana: { hash: "${env:PW}" } } },
    secrets: ["PW"],
  },
  "that a hash has, too": {
    inputs: { "v.yml": `pw: geheim\n${user('hash: "{{ pw }}", description: "{{ pw }}"')}` },
    written: { internal_users: { ana: { hash: "${env:PW}" } } },
    secrets: ["PW"],
  },
  "that repeats a password": {
    inputs: { "v.yml": `team: geheim\n${user('password: geheim, description: "{{ team }}"')}` },
    written: {
      internal_users: { ana: { password: "${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}", description: "${var:team}" } },
    },
    secrets: ["SECRET_INTERNAL_USERS_ANA_PASSWORD"],
    variables: ["team"],
  },
  "below the key of a secret, or with a login": {
    inputs: {
      "v.yml": `api_token: geheim\nsite: https://u:geheim@h\n${user('backend_roles: [a], hash: "", description: "{{ api_token }} {{ site }}"')}`,
    },
    written: { internal_users: { ana: { backend_roles: ["a"], description: "${var:api_token} ${var:site}" } } },
    variables: ["api_token", "site"],
    notes: ["site stays a variable: the inputs give it no single value (v.yml:2)."],
  },
};

function take({ inputs }: Row) {
  const files = Object.entries(inputs).map(([path, text]) => createSourceFile(path, text));
  const findings = takeFiles(files, { cwd: "/nowhere" });
  const { documents, secrets, variables } = writeEntries(findings.entries, families, findings);
  const names = (all: typeof secrets) => all.map(({ name }) => name);
  return { findings, documents, secrets: names(secrets), variables: names(variables) };
}

describe("import fills in a value", () => {
  test.each(Object.entries(rows))("%s", (_, row) => {
    const { findings, documents, secrets, variables } = take(row);
    expect(findings.diagnostics).toEqual([]);
    const written = documents.map(({ family, value }) => [family, Object.fromEntries(value)]);
    expect(Object.fromEntries(written)).toEqual(row.written);
    expect({ secrets, variables }).toEqual({ secrets: row.secrets ?? [], variables: row.variables ?? [] });
    const notes = [...findings.notes].filter((note) => /stays a variable|Filled in/.test(note));
    if (row.notes) expect(notes).toEqual(row.notes);
    else expect(notes.join()).not.toContain("Filled in");
    expect(JSON.stringify(notes)).not.toContain("geheim");
    if (row.left) expect(findings.left.map(({ what }) => what)).toEqual(row.left);
  });
});

const vars = `base: {hr: {cluster_permissions: [a]}}
extra: {it: {cluster_permissions: [b]}}
opensearch_roles: "{{ base | combine(extra) }}"
opensearch_tenants: {t: {description: T}}
`;
const each = (segment: string, loop: string, body = "{{ item.value }}") =>
  `- uri: {url: "{{ os_url }}/_plugins/_security/api/${segment}/{{ item.key }}", method: PUT, body: "${body}"}\n  ${loop}\n`;
const take2 = (inputs: Readonly<Record<string, string>>) => {
  const files = Object.entries(inputs).map(([path, text]) => createSourceFile(path, text));
  const { entries, left, urls } = takeFiles(files, { cwd: "/nowhere" });
  return {
    names: entries.map(({ name }) => name),
    left: left.map(({ what, why }) => `${what}: ${why}`),
    ...(urls.size > 0 && { urls: [...urls] }),
  };
};
const unknownBody = "its body is a variable or a template, whose value is not in this file, or no JSON";

describe("import of Ansible", () => {
  test("does not call left what it took where it is set: combined variables, and tasks that send each entry", () => {
    const tasks = [
      each("roles", 'loop: "{{ opensearch_roles | dict2items }}"'),
      each("tenants", 'with_dict: "{{ opensearch_tenants }}"', "{{ item.value | to_json }}"),
    ];
    const block = `- name: all\n  become: true\n  block:\n${tasks.join("").replace(/^/gm, "  ").trimEnd()}\n`;
    const fact = "- name: x\n  set_fact: {opensearch_action_groups: {u: {allowed_actions: [x]}}}\n";
    const inputs = { "tasks.yml": block + fact, "vars.yml": vars, "host.yml": "os_url: https://os.corp\nother: 1\n" };
    expect(take2(inputs)).toEqual({ names: ["u", "hr", "it", "t"], left: [], urls: ["https://os.corp"] });
  });

  test("names tasks that send something else, and variables that it does not know", () => {
    const tasks = [
      each("roles", 'loop: "{{ opensearch_roles | dict2items }}"', "{{ item.value | combine(x) }}"),
      each("tenants", 'with_dict: "{{ opensearch_roles }}"'),
      each("roles", 'with_dict: "{{ unknown }}"'),
    ];
    expect(take2({ "vars.yml": vars.replace(/^extra.*\n/m, ""), "tasks.yml": tasks.join("") })).toEqual({
      names: ["hr", "t"],
      left: [
        "opensearch_roles: it combines variables of which the inputs lack some: give the files that set them, too",
        ...["roles", "tenants", "roles"].map(
          (segment) => `PUT /_plugins/_security/api/${segment}/$item.key: ${unknownBody}`,
        ),
      ],
    });
  });

  test("fills in loops over the entries of a map in the same file", () => {
    const play = `- hosts: all\n  vars: {mine: {t: {description: T}}}\n  tasks:\n${each("tenants", 'loop: "{{ mine | dict2items }}"').replace(/^(?=.)/gm, "    ")}`;
    expect(take2({ "play.yml": play })).toEqual({
      names: ["t"],
      left: ["item.vars: no entries of the security plugin"],
    });
  });
});
