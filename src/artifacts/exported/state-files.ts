import { writeYaml } from "../../load/yaml.ts";
import type { NewFile } from "../durable.ts";
import type { Document } from "./entries.ts";

/** Families as state files: one for each, or one for all. */
export function renderStateFiles(documents: readonly Document[], oneFile: boolean): readonly NewFile[] {
  if (documents.length === 0) return [];
  if (oneFile) return [{ name: "access.yml", text: documents.map(textOf).join("\n") }];
  return documents.map((document) => ({ name: `${document.family}.yml`, text: textOf(document) }));
}

function textOf({ family, value }: Document): string {
  return writeYaml(new Map([[family, value]]));
}
