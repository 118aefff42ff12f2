// What regular expressions match, held to java.util.regex.Pattern itself: random ones, where there is a `java` that runs a
// source file (11 or later). What is decided is right, nothing that Java refuses is decided, and most is decided.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { matchesPattern } from "../../src/access/patterns/matches.ts";
import { explainRefusedRegex } from "../../src/access/patterns/refused-regex.ts";
import { isOpaque } from "../../src/access/patterns/syntax.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { seed } from "./seed.ts";

const program = `
import java.io.*; import java.util.regex.*;
public class Matches {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    for (String line; (line = in.readLine()) != null; out.println()) {
      String[] words = line.split("\\t", -1);
      try {
        Pattern pattern = Pattern.compile(words[0]);
        for (int at = 1; at < words.length; at++) out.print(pattern.matcher(words[at]).matches() ? 1 : 0);
      } catch (PatternSyntaxException e) { out.print("refused"); }
    }
    out.flush();
  }
}`;

interface Tried {
  readonly expression: string;
  readonly names: readonly string[];
}

/** For each a digit for each name, or "refused". */
function askJava(all: readonly Tried[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-java-"));
  try {
    const file = join(folder, "Matches.java");
    writeFileSync(file, program);
    const input = all.map(({ expression, names }) => [expression, ...names].join("\t")).join("\n");
    const output = execFileSync("java", [file], { input: `${input}\n`, encoding: "utf8", maxBuffer: 1e9 });
    return output.split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ones = [
  ...["a", "b", "c", "x", "A", "1", "-", ".", "_", "/", "]", "}", "é", "🔑", " "],
  ...["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\h", "\\.", "\\-", "\\x61", "\\u0062", "\\t", "\\Qa.\\E"],
  ...["[ab]", "[^a]", "[a-c-]", "[]a]", "[^]a]", "[\\w-]", "[^\\d-]", "[a\\-c]", "[A-_]", "[+--]", "[a&b]", "[$.^]"],
  ...["[\\s\\S]", "[é-🔑]", "[a-\\x63]", "\\p{Alpha}", "\\P{Digit}", "[\\p{Upper}1]"],
];
const rare = ["^", "$", "\\A", "\\z", "\\Z", "(?i)", "(?-i)", "(?s)", "[&&]", "{", "\\b", "*"];
const times = [
  "",
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "{2}",
  "{1,2}",
  "{0,1}",
  "{2,}",
  "*?",
  "+?",
  "??",
  "*+",
  "++",
  "?+",
  "{0}",
];
const groups = ["(", "(", "(?:", "(?:", "(?i:", "(?s-i:", "(?=", "(?!", "(?!", "(?<=", "(?<!", "(?>"];

function madeFrom(random: Random, depth: number): string {
  const part = (): string => {
    if (depth > 0 && random.chance(0.3))
      return `${random.pick(groups)}${madeFrom(random, depth - 1)})${random.chance(0.5) ? random.pick(times) : ""}`;
    if (random.chance(0.06)) return random.pick(rare);
    return random.pick(ones) + random.pick(times);
  };
  const option = () => Array.from({ length: random.below(4) + (depth > 1 ? 0 : 1) }, part).join("");
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, option).join("|");
}

const characters = [..."abcABx1-._é🔑]$ ", "a", "b", "a"];

function triedFrom(random: Random): Tried {
  const name = () => Array.from({ length: random.below(6) }, () => random.pick(characters)).join("");
  return { expression: madeFrom(random, random.below(3)), names: ["", ...Array.from({ length: 14 }, name)] };
}

/** Expressions as variables are filled in, by values that were chosen for something else. */
function filledFrom(random: Random): string {
  const value = () =>
    random.pick([
      ...["*", "a(b", "a)b", "[x", "x]", "a{b", "a{2}", "a{3,1}", "+", "?", "a|*", "(?", "[z-a]", "\\", "${attr.x.y}"],
      Array.from({ length: random.below(5) }, () => random.pick([..."ab*+?(){}[]|\\^$-,1"])).join(""),
    ]);
  return random.pick([
    (one: string) => `(${one})-.*`,
    (one: string) => `${one}.*`,
    (one: string) => `.*${one}`,
    (one: string) => `\\d-(${one}|[ab]{1,2})`,
    (one: string) => `(?:a|${one})?`,
    (one: string) => `[${one}]`,
  ])(value());
}

const hasJava = spawnSync("java", ["--source", "11", "--version"]).status === 0;
if (!hasJava) process.stderr.write("Java's regular expressions: skipped, as there is no java 11 or later.\n");

describe.skipIf(!hasJava)("java.util.regex.Pattern (skipped where there is no java)", () => {
  test(`random expressions, seed ${seed}`, { timeout: 600_000 }, () => {
    const random = randomFrom(`java ${seed}`);
    const all = Array.from({ length: countOf(60_000, 2000) }, () => triedFrom(random));
    const counts = { refused: 0, opaque: 0, decided: 0 };
    const wrong: unknown[] = [];
    const answers = askJava(all);
    for (const [at, { expression, names }] of all.entries()) {
      const answer = answers[at] ?? "";
      const pattern = `/${expression}/`;
      const verdicts = names.map((name) => matchesPattern(pattern, name));
      const relevant = verdicts.map((verdict) => ({ yes: "1", no: "0", unknown: "?" })[verdict]).join("");
      if (answer === "refused") counts.refused++;
      else counts[isOpaque(pattern) ? "opaque" : "decided"]++;
      const expected = isOpaque(pattern) ? "?".repeat(names.length) : answer;
      if (relevant !== expected) wrong.push({ expression, names, answer, relevant });
    }
    expect(wrong).toEqual([]);
    expect(counts.decided).toBeGreaterThan(all.length / 3);
    expect(counts.opaque).toBeLessThan(counts.decided);
  });

  test(`what is called refused, Java refuses, and most of that is found, seed ${seed}`, { timeout: 600_000 }, () => {
    const random = randomFrom(`refused ${seed}`);
    const all = Array.from({ length: countOf(60_000, 4000) }, () => ({ expression: filledFrom(random), names: [""] }));
    const answers = askJava(all);
    const isRefused = (at: number): boolean => answers[at] === "refused";
    const found = all.map(({ expression }) => explainRefusedRegex(expression) !== undefined);
    expect(all.filter((_, at) => found[at] && !isRefused(at))).toEqual([]);
    const refused = found.filter((_, at) => isRefused(at));
    expect(refused.filter((is) => is).length).toBeGreaterThan(refused.length * 0.8);
  });
});
