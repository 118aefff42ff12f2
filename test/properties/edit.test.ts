// Files edited in place: what is parsed afterwards is exactly what was wanted, and nothing else in the file changes a byte.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../src/diagnostics/source.ts";
import { editYaml, type YamlEdit } from "../../src/edit/edit.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { parseDocuments } from "../../src/load/yaml.ts";
import { findMapEntry, type MapEntry, toValue } from "../../src/model/node.ts";
import type { Random } from "../fixtures/index.ts";
import { randomFrom } from "../fixtures/index.ts";
import { inventMap, inventValue, writeWildYaml } from "../fixtures/wild-yaml.ts";
import { seeds } from "./seed.ts";

const parse = (text: string) => parseDocuments(createSourceFile("", text.replace(/^\ufeff/, "")));

/** An edit somewhere in the value, made in it, too. */
function inventEdit(whole: JsonObject, random: Random): { readonly edit: YamlEdit; readonly value: JsonObject } {
  const path: string[] = [];
  let at: Json = whole as Json;
  for (;;) {
    const isMap = typeof at === "object" && at !== null;
    const keys: readonly string[] = isMap ? Object.keys(at as object) : [];
    if (path.length > 0 && (keys.length === 0 || random.chance(0.3))) break;
    const key: string =
      keys.length > 0 && !random.chance(0.15) ? random.pick(keys) : Array.isArray(at) ? String(at.length) : "new key";
    path.push(key);
    const next: Json | undefined = (at as JsonObject)[key];
    if (next === undefined) return set(whole, path, inventValue(random, 1));
    at = next;
  }
  if (random.chance(0.3)) return set(whole, path, undefined);
  if (Array.isArray(at) && random.chance(0.7)) return set(whole, path, editList(at, random));
  return set(whole, path, inventValue(random, 1));
}

function editList(list: readonly Json[], random: Random): Json {
  const kept = list.filter(() => random.chance(0.7));
  const at = random.below(kept.length + 1);
  const added = Array.from({ length: random.below(3) }, () => inventValue(random, 2));
  return [...kept.slice(0, at), ...added, ...kept.slice(at)];
}

function set(whole: JsonObject, path: readonly string[], value: Json | undefined) {
  const copy = structuredClone(whole) as Record<string, Json>;
  // biome-ignore lint/suspicious/noExplicitAny: any depth, maps and lists alike.
  let parent: any = copy;
  for (const key of path.slice(0, -1)) parent = parent[key];
  const last = path.at(-1) as string;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return { edit: value === undefined ? { path } : { path, value }, value: copy as JsonObject };
}

/** The text of an entry, and of the comments directly above it. */
function textOf(text: string, { keyRange, value }: MapEntry): string {
  return text.slice(keyRange.start, Math.max(value.end, keyRange.end));
}

describe("an edit in place", () => {
  test("comes to what was wanted, and touches no other entry", () => {
    let [refused, done] = [0, 0];
    for (const each of seeds(10_000, 2_000)) {
      const random = randomFrom(`edit ${each}`);
      const value = inventMap(random, 0, 2);
      const plain = writeWildYaml(value, random);
      const text = random.chance(0.2) ? `\ufeff${plain.replaceAll("\n", "\r\n")}` : plain;
      const { edit, value: wanted } = inventEdit(value, random);
      const about = `seed ${each}: ${JSON.stringify(edit)}\n${text}`;
      const { text: edited, problem } = editYaml(text, [edit]);
      if (edited === undefined) {
        refused++;
        if (process.env.SHOW) console.log(problem, about);
        continue;
      }
      done++;
      const [after] = parse(edited).documents;
      expect(after && toValue(after), `${about}\n----\n${edited}`).toEqual(wanted);
      const [before] = parse(text).documents;
      if (before?.kind !== "map" || !after) continue;
      for (const entry of before.entries) {
        if (entry.key === edit.path[0]) continue;
        const same = findMapEntry(after, entry.key);
        const [old, now] = [text.replace(/^\ufeff/, ""), edited.replace(/^\ufeff/, "")];
        expect(same && textOf(now, same), `${about}\n----\n${edited}`).toBe(textOf(old, entry));
      }
      if (text.includes("\r\n")) expect(edited.replaceAll("\r\n", ""), about).not.toContain("\n");
      expect(edited.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
    }
    expect(done / (done + refused)).toBeGreaterThan(0.9);
  });
});
