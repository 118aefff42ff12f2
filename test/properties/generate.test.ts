// What is generated is what would be declared if it were written out, whatever is in the template and whatever in the items.
import { describe, expect, test } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import type { Value } from "../../src/json/value.ts";
import { escapeReferences } from "../../src/load/reference-text.ts";
import { normalise } from "../../src/normalise/desired.ts";
import { validateShape } from "../../src/validate/shape.ts";
import { validateValues } from "../../src/validate/values.ts";
import { onHarness } from "../cli/harness.ts";
import { generateFixture, type Random, randomFrom } from "../fixtures/index.ts";
import { repositoryOf } from "../support/nodes.ts";
import { families as strictFamilies } from "../support/strict/forms.ts";
import { seeds } from "./seed.ts";

const dialect = createDialect("gate", "7.x-43.0.0");

test.each(seeds(300, 40))("seed %i", (seed) => {
  const { written, generated } = makePair(seed);
  const [one, other] = [checked(written), checked(generated)];
  expect(other.state).toEqual(one.state);
  expect(other.codes).toEqual(one.codes);
});

describe.concurrent("a plan", () => {
  test.for(seeds(20, 3))("is the same: seed %i", (seed, { expect }) =>
    onHarness({}, async ({ run, folder }) => {
      const { writeFileSync, mkdirSync } = await import("node:fs");
      const { written, generated } = makePair(seed);
      const plans: unknown[] = [];
      for (const [at, files] of [written, generated].entries()) {
        mkdirSync(`${folder}/${at}`);
        for (const [path, text] of Object.entries(files)) writeFileSync(`${folder}/${at}/${path}`, text);
        const { stdout } = await run(`plan ${at} --url URL --format json`);
        plans.push(withoutPlaces(JSON.parse(stdout)));
      }
      expect(plans[0]).toHaveProperty("kind", "plan");
      expect(plans[1]).toEqual(plans[0]);
    }),
  );
});

type Files = Readonly<Record<string, string>>;

function makePair(seed: number): { readonly written: Files; readonly generated: Files } {
  const random = randomFrom(`generate ${seed}`);
  const { desired } = generateFixture({ seed, size: 6 });
  const written: Record<string, Record<string, Value>> = {};
  const generated: Record<string, string> = {};
  for (const family of strictFamilies) {
    const entries = [...(desired.resources.get(family) ?? [])];
    written[family] = Object.fromEntries(entries.map(([name, body]) => [escapeReferences(name), escaped(body)]));
    // A family is declared where it has no entry, too.
    if (entries.length === 0) generated[`${family}.json`] = JSON.stringify({ [family]: {} });
    while (entries.length > 0) {
      const group = entries.splice(0, 1 + random.below(4));
      const at = Object.keys(generated).length;
      const template = new Template(random);
      const name = template.generalise(group.map(([one]) => one));
      const body = template.generalise(group.map(([, one]) => one));
      const isConditional = isMap(body) && random.chance(0.3);
      const { forEach, files } = template.items(group.length, `items${at}`, isConditional);
      const entry = isConditional ? { ...body, when: "$" + "{each:it.value.on}" } : body;
      generated[`g${at}.json`] = JSON.stringify({
        generate: { for_each: forEach, as: "it", [family]: { [String(name)]: entry } },
      });
      Object.assign(generated, files);
    }
  }
  return { written: { "all.json": JSON.stringify(written) }, generated };
}

/** A value with references, and what each item has for them. */
class Template {
  private readonly keys: (readonly Value[])[] = [];

  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** What all values have in common stays; the rest is of the items. */
  generalise(values: readonly Value[]): Value {
    const [first] = values;
    const isSame = values.every((one) => JSON.stringify(one) === JSON.stringify(first));
    if (isSame && first !== undefined && this.random.chance(0.7)) return escaped(first);
    if (values.every(isText)) return this.text(values);
    if (values.every((one) => Array.isArray(one))) return this.list(values as readonly (readonly Value[])[]);
    if (values.every(isMap) && this.random.chance(0.8)) return this.map(values);
    return this.refer(values);
  }

  /** @param more one item more, of another name, that generates nothing */
  items(count: number, path: string, more: boolean): { readonly forEach: Value; readonly files: Files } {
    const rows = Array.from({ length: count }, (_, at) => this.keys.map((values) => values[at] ?? null));
    const [first = []] = rows;
    const all = [...rows.map((row) => ({ row, on: true })), ...(more ? [{ row: first, on: false }] : [])];
    if (rows.flat().every(fitsCell) && this.random.chance(0.5))
      return { forEach: `${path}.csv`, files: { [`${path}.csv`]: this.toCsv(all) } };
    const items = all.map(({ row, on }, at) => [
      `i${at}`,
      { ...Object.fromEntries(row.map((value, key) => [`k${key}`, escaped(value)])), on },
    ]);
    const forEach = Object.fromEntries(items);
    if (this.random.chance(0.5)) return { forEach, files: {} };
    return { forEach: `${path}.json`, files: { [`${path}.json`]: JSON.stringify(forEach) } };
  }

  private toCsv(rows: readonly { readonly row: readonly Value[]; readonly on: boolean }[]): string {
    const isList = this.keys.map((values) => values.some((one) => Array.isArray(one)));
    const header = [...isList.map((list, at) => `value.k${at}${list ? "[]" : ""}`), "value.on"];
    const cells = rows.map(({ row, on }) => [
      ...row.map((value) => (Array.isArray(value) ? value : [value]).map((one) => escaped(one as Value)).join("|")),
      String(on),
    ]);
    const ending = this.random.chance(0.5) ? "\r\n" : "\n";
    return [header, ...cells]
      .map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + ending)
      .join(this.random.chance(0.2) ? ending : "");
  }

  private refer(values: readonly Value[]): string {
    this.keys.push(values);
    return `\${each:it.value.k${this.keys.length - 1}}`;
  }

  private text(values: readonly string[]): Value {
    const isCut = values.every((one) => !one.includes("$")) && this.random.chance(0.7);
    if (!isCut) return this.refer(values);
    const start = countShared(values);
    const rest = values.map((one) => one.slice(start));
    const tail = countShared(rest.map((one) => [...one].reverse().join("")));
    const cut = Math.min(tail, ...rest.map(({ length }) => length));
    const [before, after] = [values[0]?.slice(0, start) ?? "", cut === 0 ? "" : (rest[0]?.slice(-cut) ?? "")];
    const middle = rest.map((one) => one.slice(0, one.length - cut));
    return before + this.refer(middle) + after;
  }

  private list(values: readonly (readonly Value[])[]): Value {
    const length = Math.min(...values.map((one) => one.length));
    const isNested = values.some((one) => one.some((item) => Array.isArray(item)));
    if (isNested || this.random.chance(0.3)) return this.refer(values);
    const kept = this.random.below(length + 1);
    const shared = Array.from({ length: kept }, (_, at) => this.generalise(values.map((one) => one[at] ?? null)));
    const rest = values.map((one) => one.slice(kept));
    return rest.every((one) => one.length === 0) ? shared : [...shared, this.refer(rest)];
  }

  private map(values: readonly Readonly<Record<string, Value>>[]): Value {
    const keys = Object.keys(values[0] ?? {});
    const isAlike = values.every((one) => Object.keys(one).join() === keys.join());
    if (!isAlike) return this.refer(values);
    return Object.fromEntries(
      keys.map((key) => [escapeReferences(key), this.generalise(values.map((one) => one[key] ?? null))]),
    );
  }
}

/** A text, or a list of them, all of one column. */
function fitsCell(value: Value): boolean {
  if (!Array.isArray(value)) return isText(value);
  return value.every((one) => isText(one) && one !== "" && !one.includes("|"));
}

function isText(value: Value): value is string {
  return typeof value === "string";
}

function isMap(value: Value): value is Readonly<Record<string, Value>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whole characters only. */
function countShared(texts: readonly string[]): number {
  const [first = "", ...others] = texts;
  let shared = 0;
  for (const character of first) {
    if (!others.every((one) => one.startsWith(character, shared))) break;
    shared += character.length;
  }
  return shared;
}

function escaped(value: Value): Value {
  if (typeof value === "string") return escapeReferences(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeReferences(key), escaped(item)]));
}

function checked(files: Files) {
  const repository = repositoryOf(files);
  const { desired, diagnostics } = normalise(repository, dialect, {});
  const found = [
    ...diagnostics,
    ...validateShape(repository, { acceptFields: [] }),
    ...validateValues(repository, dialect, { families: {} }),
  ];
  return {
    state: new Map(
      [...desired.resources].map(([family, entries]) => [
        family,
        new Map([...entries].map(([name, { value }]) => [name, value])),
      ]),
    ),
    codes: new Set(found.map(({ code }) => code)),
  };
}

/** Where it is declared differs, and the messages with it. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !["origin", "generated_for", "warnings", "diagnostics", "files"].includes(key))
      .map(([key, item]) => [key, withoutPlaces(item)]),
  );
}
