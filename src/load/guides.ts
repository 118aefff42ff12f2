import { compareByCodeUnit } from "../json/canonical.ts";
import { listPackageFiles, readPackageFile } from "./package-files.ts";

export interface Guide {
  /** The name of its folder. */
  readonly topic: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The guides as the package has them: `examples/TOPIC/README.md`. */
export function readGuides(): readonly Guide[] {
  return [...listPackageFiles("examples")].sort(compareByCodeUnit).flatMap((topic) => {
    const text = readPackageFile(`examples/${topic}/README.md`);
    if (text === undefined) return [];
    const [, title = topic] = /^# (.*)$/m.exec(text) ?? [];
    return [{ topic, title, text }];
  });
}
