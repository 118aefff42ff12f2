import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareByCodeUnit } from "../json/canonical.ts";
import { findPackageFolder } from "./package-folder.ts";

export interface Guide {
  /** The name of its folder. */
  readonly topic: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The guides as the package has them: `examples/TOPIC/README.md`. */
export function readGuides(): readonly Guide[] {
  const folder = findPackageFolder("examples");
  return readdirSync(folder)
    .filter((topic) => existsSync(join(folder, topic, "README.md")))
    .sort(compareByCodeUnit)
    .map((topic) => {
      const text = readFileSync(join(folder, topic, "README.md"), "utf8");
      const [, title = topic] = /^# (.*)$/m.exec(text) ?? [];
      return { topic, title, text };
    });
}
