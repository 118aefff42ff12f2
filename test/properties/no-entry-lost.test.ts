// No entry of a state file is skipped as part of another program's file, whatever it is named and whatever its file is
// named: it is loaded in its family, or there is an error. A notice alone would have it deleted on the server.
import { describe, expect, test } from "vitest";
import { isFamilyKey } from "../../src/load/by-family.ts";
import { fieldWords, sharedFields } from "../../src/load/evidence.ts";
import { loadFile } from "../../src/load/file.ts";
import { unreadFiles } from "../../src/load/named-files.ts";
import { families, isSingleEntryFamily, type ResourceFamily, resourceFamilies } from "../../src/model/names.ts";
import { validateShape } from "../../src/validate/shape.ts";
import { everyNth } from "../support/extent.ts";

/** Words of other programs, and dotted names as settings have them. */
const foreign =
  "services image build on jobs steps chapters realm clients users enabled clientId protocol nodes ca defaults root kind apiVersion " +
  "metadata spec heartbeat filebeat metricbeat filebeat.inputs output.elasticsearch output setup rootLogger es.logger.level " +
  "log4j2 logging logger version scrape_configs openapi swagger $schema name dependencies scripts mappings settings template " +
  "aliases index_patterns cluster.name node.name network.host server.port opensearch.hosts elasticsearch kibana searchguard config " +
  "sg_config gate license data wazuh plugins dynamic privileges run_as rules names format format_version made targets body digest";
const words = [
  ...new Set([...foreign.split(" "), ...fieldWords, ...sharedFields, ...families]),
  ...["waivers", "personas", "access_tests", "roles_mapping", "rolesmapping", "role_mapping", "actiongroups", "hr"],
];

const headers: Readonly<Record<ResourceFamily, string>> = {
  roles: "roles",
  role_mappings: "rolesmapping",
  action_groups: "actiongroups",
  tenants: "tenants",
  internal_users: "internalusers",
  blocks: "blocks",
  nodes_dn: "nodesdn",
  audit: "audit",
  whitelist: "whitelist",
  allowlist: "allowlist",
};
const productName: Readonly<Record<ResourceFamily, string>> = {
  roles: "sg_roles.yml",
  role_mappings: "roles_mapping.yml",
  action_groups: "action_groups.yml",
  tenants: "tenants.yaml",
  internal_users: "internal_users.yml",
  blocks: "blocks.yml",
  nodes_dn: "nodes_dn.yml",
  audit: "audit.yml",
  whitelist: "whitelist.yml",
  allowlist: "allowlist.yml",
};
const fieldsOf: Readonly<Record<ResourceFamily, readonly string[]>> = {
  roles: ["{cluster_permissions: [x]}", "{index_permissions: []}", "{indices: {'*': {'*': [READ]}}}"],
  role_mappings: ["{users: [u]}", "{backend_roles: [b]}", "{hosts: [h]}"],
  action_groups: ["{allowed_actions: [READ]}", "{permissions: [READ]}", "[READ]"],
  tenants: ["{description: t}"],
  internal_users: ["{hash: x}", "{password: x, backend_roles: [b]}"],
  blocks: ["{type: ip, value: 10.0.0.1, verdict: disallow}"],
  nodes_dn: ["{nodes_dn: [CN=a]}"],
  audit: ["{enabled: true}", "{audit: {}}"],
  whitelist: ["{requests: {}}"],
  allowlist: ["{enabled: false}"],
};
/** Without a field: the family has to be written, or to be in the name of the file. */
const bare = ["{}", "", "{reserved: false}"];

const setting =
  /^(cluster|node|network|server|opensearch|elasticsearch|kibana|logging|searchguard|wazuh|plugins)(\.|$)/;

const otherNames =
  "team.yml hr_roles.yml logging.yml log4j2.yml docker-compose.yml package.json kibana.yml opensearch.yml audit.yml internal_users.yml " +
  "sg_internal_users.yml nodes_dn.yml allowlist.yml sessions.yml config.yml sg_config.yml values.yaml role_mapping.yml template.json license.yml";

interface Case {
  readonly family: ResourceFamily;
  readonly path: string;
  readonly text: string;
  readonly names: readonly string[];
}

const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;

/** `loaded`, `error`, or what became of it: nothing else may happen. */
function outcomeOf({ family, path, text, names }: Case): string {
  const { documents, diagnostics, notices } = loadFile({ path, text }, `/nowhere/${path}`, lookups);
  const repository = { documents, notices, fileCount: 1 };
  if ([...diagnostics, ...validateShape(repository, { acceptFields: [] })].some(({ severity }) => severity === "error"))
    return "error";
  const loaded = documents.flatMap(({ sections }) =>
    sections.flatMap((section) => section.entries.map(({ key }) => `${section.family}/${key}`)),
  );
  const lost = names.filter((name) => !loaded.includes(`${family}/${name}`));
  return lost.length === 0 ? "loaded" : `lost ${lost.join(", ")} (loaded ${loaded.join(", ")}): ${notices.join(" ")}`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

/** The entries in every form that says their family. */
function* statedForms(names: readonly string[], family: ResourceFamily, body: string): Iterable<Case> {
  const entries = names.map((name) => `${quoted(name)}: ${body}\n`).join("");
  const indented = names.map((name) => `  ${quoted(name)}: ${body}\n`).join("");
  for (const path of [...Object.values(productName), ...otherNames.split(" ")]) {
    yield { family, path, names, text: `${family}:\n${indented}` };
    yield { family, path, names, text: `_meta: {type: ${headers[family]}, config_version: 2}\n${entries}` };
  }
  // `roles: {}` declares that there are none, also in a file that is called roles.yml.
  if (bare.includes(body) && names.some((name) => isFamilyKey(name))) return;
  yield { family, path: productName[family], names, text: entries };
}

/** Entries with fields, in files that say nothing of their family, or something else. */
function* unstatedForms(names: readonly string[], family: ResourceFamily, body: string): Iterable<Case> {
  const entries = names.map((name) => `${quoted(name)}: ${body}\n`).join("");
  for (const path of otherNames.split(" ")) {
    // A user has backend roles and a description as well, and settings of a node have lists of hosts.
    if (/internal_users/.test(path) && /backend_roles|description/.test(body)) continue;
    if (/kibana|opensearch|log4j2/.test(path) && /hosts/.test(body) && names.every((name) => setting.test(name)))
      continue;
    // A bare list may be a setting of a node, and a description says nothing: there the name of the file decides.
    if (body.startsWith("[") && !/^(team|hr_roles|role_mapping|values|template|license|package|docker)/.test(path))
      continue;
    if (body.includes("description") && /role/.test(path)) continue;
    yield { family, path, names, text: entries };
  }
}

function broken(cases: Iterable<Case>): readonly string[] {
  return [...cases].flatMap((tried) => {
    const outcome = outcomeOf(tried);
    return outcome === "loaded" || outcome === "error"
      ? []
      : [`${tried.path} ${JSON.stringify(tried.text)}: ${outcome}`];
  });
}

/** Every word by itself, and with neighbours. */
const groups = everyNth(
  17,
  words.flatMap((word, at) => [[word], [word, "hr_reader"], [word, words[(at * 7 + 3) % words.length] ?? ""]]),
);

/** Those whose entries have names of their own: of the others it is held where they are recognised. */
const named = resourceFamilies.filter((family) => !isSingleEntryFamily(family));

describe.each(named)("%s", (family) => {
  test("that their files state are loaded, or there is an error", () => {
    const bodies = [...fieldsOf[family], ...bare];
    expect(groups.flatMap((names) => bodies.flatMap((body) => broken(statedForms(names, family, body))))).toEqual([]);
  });
  test("with fields of their own are loaded, or there is an error", () => {
    expect(
      groups.flatMap((names) => fieldsOf[family].flatMap((body) => broken(unstatedForms(names, family, body)))),
    ).toEqual([]);
  });
});

test("entries that are named like words of other programs are loaded", () => {
  for (const names of [
    ["heartbeat"],
    ["swagger", "openapi"],
    ["ca", "nodes"],
    ["settings", "template"],
    ["realm", "clients"],
  ]) {
    for (const family of named) {
      const [body = ""] = fieldsOf[family];
      for (const stated of statedForms(names, family, body)) expect(outcomeOf(stated)).toBe("loaded");
    }
  }
});
