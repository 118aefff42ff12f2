// What lies in the folders of an import, and is read only where it is named itself.
import { readdir } from "node:fs/promises";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isStateFile } from "./file-names.ts";
import { isStateName, type SearchedFolder } from "./files.ts";

/** Scripts, requests, templates and what Terraform keeps. */
const kinds = /\.(?:(?:ba|z|k)?sh|ps1|http|rest|tf|tfstate|py|j2|jinja2?|erb|tpl|tmpl|gotmpl|mustache|template)$/i;

/** Ansible reads files without an ending there. */
function isVariables(path: string): boolean {
  return /(?:^|\/)(?:group|host)_vars\/(?:[^/]+\/)?[^/.]+$/.test(path);
}

/** Their paths as the user will see them, in code-unit order. */
export async function listOtherInputs(folders: readonly SearchedFolder[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { real, path, isMeant } of folders) {
    for (const entry of await readdir(real, { withFileTypes: true })) {
      const { name } = entry;
      const shown = path === "." ? name : `${path.replace(/\/$/, "")}/${name}`;
      if (
        isStateName(name) &&
        (kinds.test(name) || (isVariables(shown) && !entry.isDirectory())) &&
        !isStateFile(name) &&
        (isMeant?.(shown) ?? true)
      )
        found.push(shown);
    }
  }
  return found.sort(compareByCodeUnit);
}
