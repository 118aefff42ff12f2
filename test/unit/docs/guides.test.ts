// README and the guides in examples/: README is short, links lead somewhere, YAML is YAML.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { lintCodes } from "../../../src/diagnostics/catalogue.ts";
import { listGuards } from "../../../src/plan/guards/listed.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const guides = readdirSync(join(root, "examples"))
  .map((topic) => `examples/${topic}/README.md`)
  .filter((file) => existsSync(join(root, file)));
const pages = ["README.md", ...guides];

describe("README and the guides", () => {
  it("README is short", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(220);
  });

  it("every guide is linked from README", () => {
    const readme = read("README.md");
    expect(guides.length).toBeGreaterThan(10);
    expect(guides.filter((guide) => !readme.includes(`](${guide}`))).toEqual([]);
  });

  it.each(pages)("%s links to files and headings that exist", (page) => {
    const broken = [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(
      ([link, path = "", anchor]) => {
        const target = path === "" ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(root, target))) return [link];
        return anchor === undefined || anchorsIn(read(target)).includes(anchor) ? [] : [link];
      },
    );
    expect(broken).toEqual([]);
  });

  it.each(pages)("%s shows YAML that parses", (page) => {
    const blocks = [...read(page).matchAll(/```yaml\n(.*?)```/gs)].map(([, block = ""]) => block);
    const problems = blocks.flatMap((block) => parseAllDocuments(block).flatMap(({ errors }) => errors));
    expect(problems).toEqual([]);
  });

  it("no line, of the program neither, has npx fetch a package of our name", () => {
    const listFiles = (folder: string) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(md|ya?ml|ts|mjs|json)$/.test(entry.name))
        .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
    const files = [
      "README.md",
      ".pre-commit-hooks.yaml",
      ...["src", "examples", "templates", ".github"].flatMap(listFiles),
    ];
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((file) => /\bnpx["', ]+gate-sync\b/.test(read(file)))).toEqual([]);
  });

  // What they mean is explained elsewhere: reference.test.ts.
  it.each<[page: string, what: string, names: readonly string[]]>([
    ["examples/lint/README.md", "lint rule", lintCodes],
    ["examples/safety/README.md", "guard", listGuards().map(({ rule }) => rule)],
  ])("%s names every %s", (page, _, names) => {
    expect(names.filter((name) => !read(page).includes(`\`${name}\``))).toEqual([]);
  });
});

function withoutCode(text: string): string {
  return text.replace(/```.*?```/gs, "").replace(/`[^`]*`/g, "");
}

/** As forges make them from headings. */
function anchorsIn(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutFences(text: string): string {
  return text.replace(/```.*?```/gs, "");
}
