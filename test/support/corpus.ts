import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { isResourceFamily, type ResourceFamily } from "../../src/model/names.ts";

/** Real configuration files of other people, no part of this repository: GATE_SYNC_CORPUS says where a copy lies. */
export const corpus = process.env.GATE_SYNC_CORPUS ?? "";
/** Tests that read it are skipped where there is none, and say so. */
export const hasCorpus = corpus !== "" && existsSync(join(corpus, "INDEX.tsv"));

export interface TeamFolder {
  /** Below the corpus. */
  readonly path: string;
  readonly product: keyof typeof corpusProducts;
}

export const corpusProducts = {
  opensearch: ["opensearch", "2.19"],
  seven: ["search-guard", "7.x-38"],
  six: ["search-guard", "6.x-25"],
} as const;

/** What teams keep for a server: no test data of the vendors, no templates, and at least a file of roles. */
export function listTeamFolders(): readonly TeamFolder[] {
  const rows = readFileSync(join(corpus, "INDEX.tsv"), "utf8").trim().split("\n").slice(1);
  const byFolder = new Map<string, (readonly string[])[]>();
  for (const row of rows.map((line) => line.split("\t"))) {
    const [file = ""] = row;
    const folder = file.slice(0, file.lastIndexOf("/"));
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), row]);
  }
  return [...byFolder].flatMap(([path, files]) => {
    const all = files.map((row) => row.join(" ")).join("\n");
    const isTeams = !/(^|\/)(src\/(test|it|main\/resources)|static_config|samples|templates|charts?)(\/|$)/.test(path);
    const isPlain = !/template|embedded|rest-|crd|native-es|helm|k8s|flx|by text/.test(all);
    const kinds = files.map(([, family]) => family);
    // A folder of which the corpus has only a part refers to roles that it has not.
    if (!isTeams || !isPlain || !kinds.includes("roles")) return [];
    const product = /\bv[56]/.test(all) ? "six" : /(^|\/)sg_|sg-v7/m.test(all) ? "seven" : "opensearch";
    return [{ path, product } as const];
  });
}

/** The entries of the files of a folder that the products' own tools read, by another reader of YAML. */
export function listEntriesIn(path: string): readonly string[] {
  const familyOf: Readonly<Record<string, ResourceFamily>> = {
    roles: "roles",
    roles_mapping: "role_mappings",
    action_groups: "action_groups",
    tenants: "tenants",
  };
  return readdirSync(join(corpus, path)).flatMap((file) => {
    const family = familyOf[file.replace(/^sg_/, "").replace(/\.ya?ml$/, "")];
    if (family === undefined || !isResourceFamily(family)) return [];
    const document = load(readFileSync(join(corpus, path, file), "utf8"));
    const names = typeof document === "object" && document !== null ? Object.keys(document) : [];
    return names.filter((name) => !/^_(sg_)?meta$/.test(name)).map((name) => `${family}/${name}`);
  });
}
