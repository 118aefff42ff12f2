// Lists edited in place: each comment stays beside the item that it names, and goes with it.
import { describe, expect, test } from "vitest";
import { editYaml } from "../../src/edit/edit.ts";
import { isObject, type Json } from "../../src/json/value.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { seeds } from "./seed.ts";

/** Strings, or maps of a key and a value; the comment names the string, or the value. */
type Item = string | { readonly a: string; readonly b: string };

function createItems(random: Random): () => Item {
  const areMaps = random.chance(0.35);
  let count = 0;
  return () => {
    const name = `x${count++}`;
    return areMaps ? { a: name, b: `${name}b` } : name;
  };
}

const nameOf = (item: Item) => (typeof item === "string" ? item : item.b);

function writeList(items: readonly Item[], random: Random): string {
  const quote = (text: string) => random.pick([text, text, `'${text}'`, `"${text}"`]);
  const inBraces = (item: Item) =>
    typeof item === "string" ? quote(item) : `{ a: ${quote(item.a)}, b: ${quote(item.b)} }`;
  const comment = (name: string) => (random.chance(0.6) ? `  # ${name}` : "");
  const below = (name: string) => (random.chance(0.2) ? `\n        # ${name}` : "");
  const head = `u:${random.chance(0.2) ? " # of u" : ""}`;
  if (random.chance(0.5)) {
    const lines = items.map((item) => {
      const above = typeof item !== "string" && random.chance(0.3) ? `    # above ${item.a}\n` : "";
      if (typeof item === "string" || random.chance(0.25))
        return `${above}    - ${inBraces(item)}${comment(nameOf(item))}${below(nameOf(item))}`;
      return `${above}    - a: ${quote(item.a)}${comment(item.a)}\n      b: ${quote(item.b)}${comment(item.b)}${below(item.b)}`;
    });
    return `  ${head}\n${lines.join("\n")}\n`;
  }
  const isClosed = random.chance(0.3);
  const parts = items.map((item, index) => {
    const isLast = index === items.length - 1;
    const comma = isLast && !isClosed ? "" : ",";
    if (comma !== "" && random.chance(0.1)) return `${inBraces(item)}  # ${nameOf(item)}\n    , `;
    if (!isLast && random.chance(0.25)) return `${inBraces(item)}, `;
    return `${inBraces(item)}${comma}${comment(nameOf(item))}\n    `;
  });
  return `  u: [${random.chance(0.7) ? "\n    " : " "}${parts.join("")}\n  ]\n`;
}

function changeItems(items: readonly Item[], create: () => Item, random: Random): readonly Item[] {
  const changed = [...items];
  for (let step = random.below(3); step >= 0; step--) {
    const at = random.below(changed.length + 1);
    const item = changed[at];
    const kind = random.below(4);
    if (item === undefined || kind === 0) changed.splice(at, 0, create());
    else if (kind === 1) changed.splice(at, 1);
    else if (kind === 2 && typeof item !== "string") changed[at] = { a: item.a, b: `${item.b}c` };
    else changed.push(create());
  }
  return changed;
}

/** Each comment above an item, with the line that it is above. */
function listAbove(text: string): readonly (readonly [name: string, line: string])[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, name] = / # above (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, lines.slice(at + 1).find((next) => !/^ *#/.test(next)) ?? ""]];
  });
}

/** Each comment with the last item before it. */
function listOwners(text: string): readonly string[] {
  let owner = "";
  return text.split("\n").flatMap((line) => {
    if (line.includes("# above ")) return [];
    const [code = "", comment] = line.split("# ");
    owner = code.match(/x\w+/g)?.at(-1) ?? owner;
    return comment === undefined ? [] : [`${owner}: ${comment}`];
  });
}

const listNames = (item: Json): readonly string[] =>
  isObject(item) ? Object.values(item).map(String) : [String(item)];

describe("an edited list", () => {
  test("has each comment beside the item that it names", () => {
    let [done, refused] = [0, 0];
    for (const each of seeds(20_000, 3_000)) {
      const random = randomFrom(`comments ${each}`);
      const create = createItems(random);
      const items = Array.from({ length: 1 + random.below(5) }, create);
      const list = writeList(items, random);
      const text = `r:\n${list}  v: 1 # of v\n`;
      const value = changeItems(items, create, random);
      const { text: edited } = editYaml(text, [{ path: ["r", "u"], value }]);
      if (edited === undefined) {
        refused++;
        continue;
      }
      done++;
      const about = `seed ${each}: ${JSON.stringify(value)}\n${text}----\n${edited}`;
      const names = new Set(value.flatMap(listNames));
      // A changed value keeps its comment.
      const now = listOwners(edited).map((one) =>
        names.has(one.split(": ")[1] ?? "") ? one : one.replace(/bc+:/, "b:"),
      );
      const kept = (one: string) => {
        const name = one.split(": ")[1] ?? "";
        return !name.startsWith("x") || names.has(name);
      };
      for (const [name, line] of listAbove(edited)) expect(line, about).toMatch(new RegExp(`\\b${name}\\b`));
      for (const [name] of listAbove(text)) if (names.has(name)) expect(edited, about).toContain(`# above ${name}\n`);
      for (const one of now) expect(one, about).toMatch(/^(x\w+): \1$|: of [uv]$/);
      for (const one of listOwners(text).filter(kept)) {
        const comment = one.split(": ")[1] ?? "";
        const count = (all: string) => all.split("\n").filter((line) => line.endsWith(`# ${comment}`)).length;
        expect(count(edited), about).toBe(count(text));
      }
    }
    expect(done / (done + refused)).toBeGreaterThan(0.9);
  });
});
