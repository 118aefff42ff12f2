// README and the guides in examples/: links lead somewhere, YAML is YAML, and what the program has is described once.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { lintCodes } from "../../../src/diagnostics/catalogue.ts";
import { exitCodes } from "../../../src/diagnostics/failure.ts";
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

  it("the lint rules are described, each once", () => {
    const codes = tableColumn(read("examples/lint/README.md"));
    expect(codes.toSorted()).toEqual([...lintCodes].toSorted());
  });

  it("the guards are described, each once", () => {
    const safety = tableColumn(read("examples/safety/README.md").split("## Waivers")[0] ?? "");
    expect(safety.toSorted()).toEqual(
      listGuards()
        .map(({ rule }) => rule)
        .toSorted(),
    );
  });

  it("the exit codes are described, each once", () => {
    const [, table = ""] = read("examples/ci/README.md").split("## Exit codes");
    const described = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = ""]) => codes.split(", "));
    const all = [...new Set(Object.values(exitCodes))];
    expect(described.map(Number).toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
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

/** The names in code quotes that begin the rows of tables. */
function tableColumn(text: string): readonly string[] {
  const rows = [...text.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, first = ""]) => first);
  return rows.flatMap((first) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}
