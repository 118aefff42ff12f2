// Every flag, key, code, lint rule, guard and exit code is described in exactly one place of README, the guides
// (examples/*/README.md) and `gate-sync explain`:
//
// - flags in README or in a guide. `--help` shows them as well, in the words of the program.
// - all others by `gate-sync explain`, whose texts are those of the program: catalogue, schemas, guards, exit codes.
//
// A page describes a thing where a heading, a list item or the first cell of a table row begins with it in code quotes;
// a table whose first column is called "exit code" describes these. Everything else is mentioning it, as often as it
// helps. Of a flag with two meanings, a row names the command before the flag: `plan --out FILE`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { runProgram } from "../../../src/cli/program.ts";
import { catalogue } from "../../../src/diagnostics/catalogue.ts";
import { exitCodes } from "../../../src/diagnostics/failure.ts";
import { findingTexts } from "../../../src/diagnostics/finding-texts.ts";
import { listReference } from "../../../src/engine/explain.ts";
import { families } from "../../../src/model/names.ts";
import { ioOf } from "../cli/io.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const pages = [
  "README.md",
  ...readdirSync(join(root, "examples")).map((topic) => `examples/${topic}/README.md`),
].filter((page) => existsSync(join(root, page)));
const described = pages.flatMap((page) => describedIn(read(page)).map((text) => ({ page, text })));
const reference = listReference();

describe("flags", () => {
  it("are described each once in README and the guides", async () => {
    const flags = await listFlags();
    expect(flags.length).toBeGreaterThan(150);
    const rows = described.flatMap(({ page, text }) => {
      const [, command = "", flag] = /^(?:([a-z-]+(?: [a-z-]+)?) )?(--[a-z-]+)/.exec(text) ?? [];
      return flag === undefined ? [] : [{ page, command, flag }];
    });
    const rowsOf = (one: Flag) =>
      rows.filter(({ command, flag }) => flag === one.flag && `${one.command} `.startsWith(command && `${command} `));
    const wrong = flags.flatMap((one) => {
      const found = rowsOf(one);
      return found.length === 1
        ? []
        : [`${one.command} ${one.flag}: ${found.map(({ page }) => page).join(", ") || "nowhere"}`];
    });
    expect(wrong).toEqual([]);
    expect(rows.filter((row) => !flags.some((one) => rowsOf(one).includes(row)))).toEqual([]);
  });
});

it("README has a row for each command", async () => {
  const commands = new Set((await listFlags()).map(({ command }) => command.split(" ", 1)[0] ?? ""));
  expect(commands.size).toBeGreaterThan(15);
  const rows = described.filter(({ page }) => page === "README.md").map(({ text }) => text);
  expect([...commands].filter((command) => command !== "" && !rows.includes(command))).toEqual([]);
});

describe("keys, codes, lint rules, guards and exit codes", () => {
  test.each<[what: string, names: readonly string[]]>([
    ["keys", keysInFiles()],
    ["codes", [...Object.keys(catalogue), ...Object.keys(findingTexts)]],
    ["guards", guardsInSources()],
    ["exits", [...new Set(Object.values(exitCodes))].map(String)],
  ])("gate-sync explain has all %s, each once and with its texts", (what, names) => {
    expect(names.length).toBeGreaterThan(10);
    const isOfKind = (group: string) => group === what || (what === "codes" && group === "rules");
    const entries = reference.filter(({ group }) => isOfKind(group));
    const last = (name: string): string => (what === "keys" ? name.slice(name.lastIndexOf(".") + 1) : name);
    expect(names.filter((name) => !entries.some((entry) => last(entry.name) === name))).toEqual([]);
    expect(entries.filter(({ name }) => !names.includes(last(name)))).toEqual([]);
    expect(entries.filter(({ name }, at) => entries.findIndex((other) => other.name === name) !== at)).toEqual([]);
    const texts = what === "keys" ? ["in"] : ["why", "fix"];
    expect(entries.filter(({ title, facts }) => title === "" || texts.some((text) => !facts[text]))).toEqual([]);
  });

  it("are described by no page as well", async () => {
    // README has a table of commands: a command may be called as the key that it lists.
    const commands = new Set((await listFlags()).map(({ command }) => command));
    const names = new Set(
      reference
        .filter(({ group }) => group !== "topics")
        .flatMap(({ name }) => [name, name.slice(name.lastIndexOf(".") + 1)]),
    );
    const again = described.filter(({ text }) => names.has(text.replace(/:.*/, "")) && !commands.has(text));
    expect(again).toEqual([]);
    expect(pages.filter((page) => /^\| *exit codes? *\|/im.test(read(page)))).toEqual([]);
  });
});

test.each(pages)("what %s shows of gate-sync explain is what it prints", async (page) => {
  const shown = [...read(page).matchAll(/^```\n\$ (gate-sync explain [^\n]*)\n(.*?)^```/gms)];
  for (const [, command = "", output] of shown) {
    const [, ...argv] = command.split(" ");
    expect(await outputOf(argv)).toBe(output);
  }
});

interface Flag {
  readonly command: string;
  readonly flag: string;
}

/** Of every command, as its own help has them. */
async function listFlags(): Promise<readonly Flag[]> {
  const commandsIn = (help: string): readonly string[] => {
    const [, list = ""] = /\nCommands:\n(.*?)(\n\n|$)/s.exec(help) ?? [];
    return [...list.matchAll(/^ {2}([a-z-]+) /gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
  };
  const flagsOf = async (words: readonly string[]): Promise<readonly Flag[]> => {
    const help = await outputOf([...words, "--help"]);
    const own = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = ""]) => ({
      command: words.join(" "),
      flag,
    }));
    const below = await Promise.all(commandsIn(help).map((name) => flagsOf([...words, name])));
    return [...own, ...below.flat()];
  };
  return flagsOf([]);
}

async function outputOf(argv: readonly string[]): Promise<string> {
  let written = "";
  const write = (text: string): void => {
    written += text;
  };
  const output = { write, isTTY: false, columns: 80 };
  await runProgram(argv, ioOf({ stdout: output, stderr: output }));
  return written;
}

/** The names of all properties of gate-sync.yaml and of state files, however deep. */
function keysInFiles(): readonly string[] {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (["examples", "default", "header", "lint"].includes(key)) continue;
      if (key === "properties") for (const name of Object.keys(value)) names.add(name);
      collect(value);
    }
  };
  const schemaOf = (name: string) => JSON.parse(read(`schemas/${name}.schema.json`));
  collect([schemaOf("gate-sync"), schemaOf("state")]);
  // What else these describe is in the files of the servers' own tools.
  for (const family of families) collect(schemaOf(family).$defs);
  return [...names];
}

function guardsInSources(): readonly string[] {
  const folder = "src/plan/guards";
  return readdirSync(join(root, folder)).flatMap((file) => {
    const [, rule] = /: Guard = \{\n {2}rule: "([a-z-]+)"/.exec(read(`${folder}/${file}`)) ?? [];
    return rule === undefined ? [] : [rule];
  });
}

/** What headings, list items and first cells of rows begin with in code quotes; of a cell, all of it. */
function describedIn(page: string): readonly string[] {
  return page
    .replace(/^```.*?^```/gms, "")
    .split("\n")
    .flatMap((line) => {
      const [, cell] = /^\| *(`[^|]*`) *\|/.exec(line) ?? [];
      if (cell !== undefined) return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
      const [, text] = /^(?:#+|[*-]|\d+\.) +`([^`]+)`/.exec(line) ?? [];
      return text === undefined ? [] : [text];
    });
}
