// Whatever tool holds them, all entries are taken, and mean the same: what import writes is read back as what went in.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../src/diagnostics/source.ts";
import { takeFiles } from "../../src/imports/take.ts";
import { writeEntries } from "../../src/imports/written.ts";
import type { Json } from "../../src/json/value.ts";
import { loadFile } from "../../src/load/file.ts";
import { unreadFiles } from "../../src/load/named-files.ts";
import { writeYaml } from "../../src/load/yaml.ts";
import { toValue } from "../../src/model/node.ts";
import { everyNth } from "../support/extent.ts";

type Entries = ReadonlyMap<string, Json>;
type Families = ReadonlyMap<string, Entries>;

const names = [
  "hr",
  "__proto__",
  "557",
  "a/b c",
  "${env:HOME}",
  "${user.name}",
  'it\'s "quoted"',
  "ünï",
  "config",
  "roles",
  "yes",
  " x ",
];
const texts = [
  "*",
  "${env:SECRET}",
  "$${var:x}",
  "a: b",
  "# no comment",
  "'",
  '"',
  "line\nbreak",
  " ends ",
  "{}",
  "- x",
  "%",
  "::x",
  "=",
  "1.10",
];

const bodies: Readonly<Record<string, (at: number) => Json>> = {
  roles: (at) => ({
    cluster_permissions: [texts[at % texts.length] ?? ""],
    index_permissions: [
      {
        index_patterns: [texts[(at + 3) % texts.length] ?? ""],
        dls: texts[(at + 7) % texts.length] ?? "",
        allowed_actions: ["read"],
      },
    ],
  }),
  role_mappings: (at) => ({ users: [texts[at % texts.length] ?? ""], backend_roles: ["557"] }),
  action_groups: (at) => ({ allowed_actions: [texts[at % texts.length] ?? ""] }),
  tenants: (at) => ({ description: texts[at % texts.length] ?? "" }),
};

const fileNames: Readonly<Record<string, string>> = {
  roles: "roles.yml",
  role_mappings: "roles_mapping.yml",
  action_groups: "action_groups.yml",
  tenants: "tenants.yml",
};
const headers: Readonly<Record<string, string>> = {
  roles: "roles",
  role_mappings: "rolesmapping",
  action_groups: "actiongroups",
  tenants: "tenants",
};

/** Each way in which a tool keeps the same entries, as the text of one input. */
const tools: Readonly<Record<string, (families: Families) => { readonly path: string; readonly text: string }[]>> = {
  "state files": (families) => [{ path: "access.yml", text: writeYaml(families) }],
  backup: (families) =>
    [...families].map(([family, entries]) => ({ path: `backup/${fileNames[family]}`, text: native(family, entries) })),
  ConfigMap: (families) => [
    { path: "cm.yml", text: writeYaml(object("ConfigMap", new Map([["data", data(families)]]))) },
  ],
  Secret: (families) => [
    {
      path: "secret.json",
      text: JSON.stringify({
        apiVersion: "v1",
        kind: "Secret",
        data: Object.fromEntries([...data(families)].map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
      }),
    },
  ],
  "a script with curl": (families) => [
    {
      path: "a.sh",
      text: eachEntry(
        families,
        (family, name, body) =>
          `curl -ku a:b -X PUT ${inQuotes(url(family, name))} -d ${inQuotes(JSON.stringify(body))}\n`,
      ),
    },
  ],
  "a script with here-documents": (families) => [
    {
      path: "a.sh",
      text: eachEntry(
        families,
        (family, name, body) =>
          `curl -T - ${inQuotes(url(family, name))} <<'E O F'\n${JSON.stringify(body, null, 2)}\nE O F\n`,
      ),
    },
  ],
  "patches in a script": (families) => [
    {
      path: "a.sh",
      text: [...families]
        .map(([family, entries]) => {
          const patch = [...entries].map(([name, value]) => ({
            op: "add",
            path: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
            value,
          }));
          return `curl -X PATCH "${url(family, "")}" --data-raw ${inQuotes(JSON.stringify(patch))}\n`;
        })
        .join(""),
    },
  ],
  "an HTTP file": (families) => [
    {
      path: "a.http",
      text: eachEntry(
        families,
        (family, name, body) =>
          `### one\nPUT ${url(family, name)}\nContent-Type: application/json\n\n${JSON.stringify(body, null, 2)}\n\n`,
      ),
    },
  ],
  "Helm values with texts": (families) => [
    {
      path: "values.yaml",
      text: writeYaml(new Map([["securityConfig", new Map([["config", new Map([["data", data(families)]])]])]])),
    },
  ],
  "Helm values with maps": (families) => [
    { path: "values.yaml", text: writeYaml(new Map([["deep", [new Map([["x", new Map([...families])]])]]])) },
  ],
};

const segments: Readonly<Record<string, string>> = {
  roles: "roles",
  role_mappings: "rolesmapping",
  action_groups: "actiongroups",
  tenants: "tenants",
};

const url = (family: string, name: string) =>
  `https://h:9200/_plugins/_security/api/${segments[family]}/${encodeURIComponent(name)}`;

function eachEntry(families: Families, write: (family: string, name: string, body: Json) => string): string {
  return [...families]
    .map(([family, entries]) => [...entries].map(([name, body]) => write(family, name, body)).join(""))
    .join("");
}

const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const native = (family: string, entries: Entries) =>
  writeYaml(new Map<string, Json>([["_meta", { type: headers[family] ?? "", config_version: 2 }], ...entries]));
const data = (families: Families) =>
  new Map([...families].map(([family, entries]) => [fileNames[family] ?? "", native(family, entries)]));
const object = (kind: string, rest: ReadonlyMap<string, ReadonlyMap<string, string>>) =>
  new Map<string, Json | ReadonlyMap<string, string>>([
    ["apiVersion", "v1"],
    ["kind", kind],
    ["metadata", { name: "x" }],
    ...rest,
  ]);

/** Addresses with the values that a run would load, sorted. */
function imported(inputs: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const findings = takeFiles(
    inputs.map(({ path, text }) => createSourceFile(path, text)),
    { cwd: "/nowhere" },
  );
  const { documents } = writeEntries(
    findings.entries,
    ["action_groups", "tenants", "roles", "role_mappings"],
    findings,
  );
  expect([findings.diagnostics, findings.left]).toEqual([[], []]);
  const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;
  const loaded = documents.flatMap(({ family, value }) => {
    const file = createSourceFile(`${family}.yml`, writeYaml(new Map([[family, value]])));
    const { documents: read, diagnostics } = loadFile(file, `/nowhere/${family}.yml`, lookups);
    expect(diagnostics).toEqual([]);
    return read.flatMap(({ sections }) =>
      sections.flatMap((section) =>
        section.entries.map(({ key, value: body }) => `${section.family}/${key} ${JSON.stringify(toValue(body))}`),
      ),
    );
  });
  return loaded.sort();
}

const fixtures: readonly Families[] = texts.map(
  (_, seed) =>
    new Map(
      Object.entries(bodies).map(([family, body]) => [
        family,
        new Map(names.map((name, at) => [name, body(at * 5 + seed)])),
      ]),
    ),
);

describe.each(Object.entries(tools))("%s", (_, write) => {
  test("gives all entries, unchanged", () => {
    for (const families of everyNth(3, fixtures)) {
      const wanted = [...families].flatMap(([family, entries]) =>
        [...entries].map(([name, body]) => `${family}/${name} ${JSON.stringify(body)}`),
      );
      expect(imported(write(families))).toEqual(wanted.sort());
    }
  });
});
