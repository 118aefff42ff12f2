import { describe, expect, it } from "vitest";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { addEntryPlaces } from "../../../src/normalise/entry-places.ts";
import { applyOverrides } from "../../../src/normalise/overrides.ts";
import { repositoryOf } from "../../support/nodes.ts";

const base = `roles:
  r:
    description: base
    cluster_permissions: [a, b]
    index_permissions:
      - { index_patterns: [x-*, y-*], allowed_actions: [read] }
      - { index_patterns: [z-*], allowed_actions: [read], dls: q }
  gone: {}
role_mappings:
  r: { users: [ana] }
`;

function overridden(overrides: string, files: Readonly<Record<string, string>> = { "base.yml": base }) {
  const { repository, diagnostics } = applyOverrides(
    repositoryOf({ ...files, "over.yml": `overrides:\n${overrides}\n` }),
  );
  const { desired } = normalise(repository, createDialect("gate", "7.x-43.0.0"), {});
  const messages = diagnostics.map(
    ({ code, range, what }) => `${code} ${range && formatLocation(range)} ${what.replace(/, at \S+\.$/, "")}`,
  );
  const bodyOf = (family: "roles" | "role_mappings", name: string) => desired.resources.get(family)?.get(name)?.value;
  return { desired, repository, messages, role: bodyOf("roles", "r"), mapping: bodyOf("role_mappings", "r") };
}

describe("an override", () => {
  it("replaces a field, adds one, and leaves the others", () => {
    const { role, messages } = overridden(
      "  roles: { r: { description: new, exclude_cluster_permissions: [z], cluster_permissions: [c] } }",
    );
    expect(messages).toEqual([]);
    expect(role).toMatchObject({
      description: "new",
      cluster_permissions: ["c"],
      exclude_cluster_permissions: ["z"],
    });
    expect(role?.index_permissions).toHaveLength(2);
  });
  it("adds to lists and removes from them, also where there was none", () => {
    const { role, mapping, messages } = overridden(
      "  roles: { r: { +cluster_permissions: [c], -cluster_permissions: [a] } }\n  role_mappings: { r: { +hosts: [h], -users: [ana] } }",
    );
    expect(messages).toEqual([]);
    expect([role?.cluster_permissions, mapping]).toEqual([["b", "c"], { hosts: ["h"] }]);
  });
  it("compares elements as they mean", () => {
    const { role, messages } = overridden(
      "  roles: { r: { -index_permissions: [{ allowed_actions: [read, read], index_patterns: [y-*, x-*], fls: [] }], +index_permissions: [{ index_patterns: [n], allowed_actions: [read] }] } }",
    );
    expect(messages).toEqual([]);
    expect(role?.index_permissions).toEqual([
      { index_patterns: ["n"], allowed_actions: ["read"] },
      { index_patterns: ["z-*"], dls: "q", allowed_actions: ["read"] },
    ]);
  });
  it("drops an entry, and says in every place where both are", () => {
    const { desired } = overridden("  roles: { gone: { remove: true }, r: { description: x } }");
    expect([...(desired.resources.get("roles")?.keys() ?? [])]).toEqual(["r"]);
    const origin = desired.resources.get("roles")?.get("r")?.origin;
    expect(origin && [formatLocation(origin), ...(origin.overriddenAt ?? []).map(formatLocation)]).toEqual([
      "base.yml:2:3",
      "over.yml:2:36",
    ]);
  });
  it("of an entry in the words of 6.x is one message, and lays nothing over it", () => {
    const six = {
      "six.yml": "roles: { r: { cluster: [a], indices: {} } }\nrole_mappings: { r: { backendroles: [x] } }\n",
    };
    const { role, mapping, messages } = overridden(
      "  roles: { r: { -cluster_permissions: [a], description: new } }\n  role_mappings: { r: { backend_roles: [y], +users: [z] } }",
      six,
    );
    expect(messages).toEqual([
      'mixed-format over.yml:2:17 "cluster_permissions" is declared in the words of 6.x there, as "cluster".',
      'mixed-format over.yml:3:25 "backend_roles" is declared in the words of 6.x there, as "backendroles".',
    ]);
    expect([role, mapping]).toEqual([
      { description: "new", cluster_permissions: ["a"] },
      { backend_roles: ["x"], users: ["z"] },
    ]);
  });
  it("takes no signs and no positions in lists of the config", () => {
    const { desired, messages } = overridden(
      "  config: { dynamic: { http: { +b: [2], b: { 0: 3 } }, x: { y: { -z: [1] } } } }",
      {
        "config.yml": "config: { dynamic: { http: { b: [1] } } }\n",
      },
    );
    expect(messages).toEqual([
      'wrong-type over.yml:2:44 "b" is a list, and here it is a map.',
      'unknown-field over.yml:2:32 The config has no "+b": nothing is added to its lists or removed from them.',
      'unknown-field over.yml:2:66 The config has no "-z": nothing is added to its lists or removed from them.',
    ]);
    expect(desired.config?.value).toMatchObject({ dynamic: { http: { b: [1] } } });
  });
  it("is laid over the config by path", () => {
    const config = "config: { dynamic: { http: { a: { x: 1, y: 2 }, b: [1] }, other: 1 } }\n";
    const { desired, messages } = overridden("  config: { dynamic: { http: { a: { y: 3 }, b: [2] } } }", {
      "c.yml": config,
    });
    expect(messages).toEqual([]);
    expect(desired.config?.value).toEqual({ dynamic: { http: { a: { x: 1, y: 3 }, b: [2] }, other: 1 } });
    expect(desired.config?.origin.overriddenAt?.map(formatLocation)).toEqual(["over.yml:2:3"]);
  });
  it("may be about entries in the servers' own files, and in several files", () => {
    const native =
      "_meta: { type: roles, config_version: 2 }\nr: { cluster_permissions: [a] }\ns: { cluster_permissions: [b] }\n";
    const files = { "roles.yml": native, "more.yml": "overrides: { roles: { r: { description: x } } }\n" };
    const { desired, messages } = overridden(
      "  roles: { r: { +cluster_permissions: [c] }, s: { remove: true } }",
      files,
    );
    expect(messages).toEqual([]);
    expect([...(desired.resources.get("roles") ?? [])].map(([name, { value }]) => [name, value])).toEqual([
      ["r", { description: "x", cluster_permissions: ["a", "c"] }],
    ]);
  });
});

describe("what is wrong with one", () => {
  it.each<[overrides: string, messages: readonly string[]]>([
    ["  roles: { quite: { description: x } }", ['unknown-override over.yml:2:12 No role "quite" is declared.']],
    [
      "  roles: { goen: { remove: true } }",
      ['unknown-override over.yml:2:12 No role "goen" is declared. Did you mean "gone"?'],
    ],
    ["  config: { dynamic: {} }", ["unknown-override over.yml:2:3 No config is declared."]],
    ["  roles: { r: x }", ['wrong-type over.yml:2:15 An override of the role "r" is a map of fields.']],
    ["  roles: { gone: { remove: false } }", ['wrong-type over.yml:2:28 "remove" must be true.']],
    [
      "  roles: { r: { +description: [x] } }",
      ['unknown-field over.yml:2:17 "description" of a role is no list: nothing can be added to it or removed.'],
    ],
    [
      "  roles: { r: { +cluster_permission: [x] } }",
      [
        'unknown-field over.yml:2:17 "cluster_permission" of a role is no list: nothing can be added to it or removed. Did you mean "cluster_permissions"?',
      ],
    ],
    [
      "  roles: { r: { +cluster_permissions: x } }",
      ['wrong-type over.yml:2:39 "+cluster_permissions" must be a list.'],
    ],
    [
      "  roles: { r: { -cluster_permissions: [other] } }",
      ['missing-element over.yml:2:40 This is not in cluster_permissions of the role "r".'],
    ],
    [
      "  role_mappings: { r: { -users: [anna] } }",
      ['missing-element over.yml:2:34 This is not in users of the role mapping "r". Did you mean "ana"?'],
    ],
    [
      "  roles: { r: { -index_permissions: [{ index_patterns: [z-*], allowed_actions: [read] }] } }",
      ['missing-element over.yml:2:38 This is not in index_permissions of the role "r".'],
    ],
    [
      "  roles: { r: { description: base } }",
      ['idle-override over.yml:2:17 description of the role "r" is so already'],
    ],
    [
      "  roles: { r: { tenant_permissions: [], description: x } }",
      ['idle-override over.yml:2:17 tenant_permissions of the role "r" is so already'],
    ],
    [
      "  roles: { r: { cluster_permissions: [b, a] } }",
      ['idle-override over.yml:2:17 cluster_permissions of the role "r" is so already'],
    ],
    [
      "  roles: { r: { +cluster_permissions: [c, a] } }",
      ['idle-override over.yml:2:43 This is in cluster_permissions of the role "r" already'],
    ],
    [
      "  roles: { r: { description: x, +description: [y] } }",
      ['override-conflict over.yml:2:33 "+description" is overridden twice; the other is at over.yml:2:17.'],
    ],
    [
      "  roles: { r: { remove: true, description: x } }",
      ['override-conflict over.yml:2:31 "description" is overridden twice; the other is at over.yml:2:17.'],
    ],
  ])("%s", (overrides, messages) => expect(overridden(overrides).messages).toEqual(messages));

  it("names the nearest element that is there", () => {
    const text = "  roles: { r: { -index_permissions: [{ index_patterns: [z-*], allowed_actions: [read] }] } }";
    const { diagnostics } = applyOverrides(repositoryOf({ "base.yml": base, "over.yml": `overrides:\n${text}\n` }));
    expect(diagnostics.flatMap(({ related = [] }) => related.map(({ range }) => formatLocation(range)))).toEqual([
      "base.yml:7:9",
    ]);
  });
  it.each([
    ["action_groups: { G: [a, b] }", "  action_groups: { G: { +allowed_actions: [c] } }", "action group"],
    ["tenants: { T: 'Human resources' }", "  tenants: { T: { description: x } }", "tenant"],
  ])("%s has no fields to lay something over", (declared, overrides, noun) => {
    const { messages } = overridden(overrides, { "base.yml": `${declared}\n` });
    expect(messages).toEqual([
      expect.stringContaining(
        ` The ${noun} "${noun === "tenant" ? "T" : "G"}" is declared in a short form, without names of fields.`,
      ),
    ]);
    const removed = overridden(overrides.replace(/\{ [+a-z_]+: .* \} \}$/, "{ remove: true } }"), {
      "base.yml": `${declared}\n`,
    });
    expect(removed.messages).toEqual([]);
  });
  it("two of one field, of several files, in either order", () => {
    const twice = (one: string, other: string) =>
      overridden(`  roles: { r: ${one} }`, { "base.yml": base, "first.yml": `overrides: { roles: { r: ${other} } }\n` })
        .messages;
    for (const [one, other] of [
      ["{ description: x }", "{ description: y }"],
      ["{ +cluster_permissions: [x] }", "{ -cluster_permissions: [a] }"],
      ["{ remove: true }", "{ description: y }"],
      ["{ description: y }", "{ remove: true }"],
    ] as const)
      expect(twice(one, other)).toEqual([
        expect.stringMatching(/^override-conflict over\.yml:2:17 .* is overridden twice/),
      ]);
    const config = "config: { dynamic: { http: { a: { x: 1 } } } }\n";
    const other = "overrides: { config: { dynamic: { http: { a: { x: 2 } } } } }\n";
    const { messages } = overridden("  config: { dynamic: { http: { a: 3 } } }", { "c.yml": config, "d.yml": other });
    expect(messages).toEqual([expect.stringMatching(/^override-conflict over\.yml:2:32/)]);
  });
  it("messages of either place name the other", () => {
    const { repository } = overridden("  roles: { r: { description: x } }");
    const at = (path: string, text: string) => {
      const file = repository.documents.find((document) => document.file.path === path)?.file;
      const start = file?.text.indexOf(text) ?? 0;
      return (
        file && ({ code: "wrong-type", severity: "error", what: "x", range: { file, start, end: start + 1 } } as const)
      );
    };
    const cited = (found: ReturnType<typeof at>) =>
      addEntryPlaces(found ? [found] : [], repository).flatMap(({ related = [] }) =>
        related.map(({ range, what }) => `${formatLocation(range)} ${what}`),
      );
    expect(cited(at("base.yml", "cluster"))).toEqual(["over.yml:2:12 overridden here"]);
    expect(cited(at("over.yml", "x } }"))).toEqual(["base.yml:2:3 what is overridden is declared here"]);
    expect(cited(at("base.yml", "gone"))).toEqual([]);
  });
});
