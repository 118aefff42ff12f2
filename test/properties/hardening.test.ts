// The guide's recipe, doctor and the real servers of the suite, held to the one table of endpoints (`dialects/endpoints.ts`).
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listEndpoints, listHardeningLines } from "../../src/dialects/endpoints.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { getNewestRelease } from "../../src/dialects/release.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { diagnose } from "../../src/engine/doctor.ts";
import type { Fields } from "../../src/json/value.ts";
import { connectToRead } from "../../src/live/client/http.ts";
import { parseDocuments } from "../../src/load/yaml.ts";
import { toValue } from "../../src/model/node.ts";
import { randomFrom } from "../fixtures/random.ts";
import { isWhole } from "../support/extent.ts";
import { seeds } from "./seed.ts";

/** Scripts have no types. */
const { products } = await import(new URL("../conformance/real/products.mjs", import.meta.url).href);

interface RealServer {
  readonly title: string;
  readonly product: "opensearch" | "search-guard";
  readonly release: string;
  readonly settings: (node: { readonly configWritable: boolean }) => readonly string[];
}

const guide = readFileSync(new URL("../../examples/first-pipeline/README.md", import.meta.url), "utf8");
const recipe = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, line = ""]) => line.replaceAll("'", ""));
const every = (product: "opensearch" | "search-guard") =>
  listHardeningLines(
    { product, config: createDialect(product, product === "opensearch" ? "3" : "7").config },
    "ci_plan",
  );

test("the guide's recipe is the table, in each of its three forms", () => {
  expect(recipe(/^(plugins\.security\.restapi\.endpoints_disabled.*)$/gm)).toEqual(every("opensearch"));
  expect(recipe(/^ +(plugins\.security\.restapi\.endpoints_disabled.*)$/gm)).toEqual(every("opensearch"));
  expect(recipe(/^(searchguard\.restapi\.endpoints_disabled.*)$/gm)).toEqual(every("search-guard"));
});

test.each(Object.values<RealServer>(products))(
  "the read-only role of $title has what doctor --hardening prints",
  (server) => {
    const { product, release, settings } = server;
    const line = product === "opensearch" ? release.replace(/\.\d+$/, "") : release.slice(0, 1);
    const lines = settings({ configWritable: true });
    const [, role = ""] = /roles_enabled: \["\w+", "(\w+)"\]/.exec(lines.join("\n")) ?? [];
    expect(lines).toEqual(expect.arrayContaining([...listHardeningLines(createDialect(product, line), role)]));
  },
);

const strange = [
  "x.y",
  "a..b",
  ".x.",
  "a b",
  "a: b",
  "# x",
  "'a'",
  '"a"',
  "a\\b",
  "a\nb",
  "~",
  "- x",
  "${env.X}",
  "ключ",
  "\u{1f600}",
  "\u2028",
  "{a}",
  "global.x",
];

test.each(strange)("the lines for role %j are YAML that the server reads as settings of this role", (role) => {
  for (const product of ["opensearch", "search-guard"] as const) {
    const dialect = createDialect(product, product === "opensearch" ? "3" : "7");
    const [node] = parseDocuments({ path: "node.yml", text: listHardeningLines(dialect, role).join("\n") }).documents;
    const read = Object.entries(node ? (toValue(node) as Fields) : {});
    // What is behind `endpoints_disabled.ROLE.` is an endpoint, whatever dots a role has.
    const prefix = `${dialect.config.setting.split(".unsupported.")[0]}.restapi.endpoints_disabled.${role}.`;
    expect(read.map(([key, methods]) => [key.startsWith(prefix) && key.slice(prefix.length), methods])).toEqual(
      listEndpoints(dialect).flatMap(({ name, isHarmless }) => (isHarmless ? [] : [[name, writing]])),
    );
  }
});

const releases = [
  ...["2.9", "2.11", "2.19", "3.0", "3.4", "3.8"].map((release) => ({ product: "opensearch", release }) as const),
  ...["6", "7", "7.x-47"].map((release) => ({ product: "search-guard", release }) as const),
];
const writing = ["PUT", "POST", "DELETE", "PATCH"];

describe.each(releases)("$product $release", ({ product, release }) => {
  const dialect = createDialect(product, release === "7" ? "7.x-38" : getNewestRelease(product, release));
  const endpoints = listEndpoints(dialect).filter(({ isHarmless }) => !isHarmless);

  async function diagnosed(disabled: Readonly<Record<string, readonly string[]>>) {
    const users = [{ name: "ci", password: "x", rights: "all", roles: ["ci_plan"], disabled }] as const;
    const emulator = await startEmulator({ product, release, users });
    try {
      const env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "x" };
      const found = await diagnose({ cwd: "/", env, flags: { statePaths: [], url: emulator.url } }, connectToRead);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      return found;
    } finally {
      await emulator.close();
    }
  }

  test.each(seeds(isWhole ? 40 : 5))(
    "doctor names what the settings leave open, and nothing else: seed %i",
    async (seed) => {
      const random = randomFrom(`hardening ${seed}`);
      // Of a family PUT is always denied, so that doctor takes the login for one that reads.
      const disabled = Object.fromEntries(
        endpoints.map(({ name, family }) => {
          const open = random.chance(0.5) ? random.shuffled(writing).slice(0, random.below(4)) : [];
          return [name, writing.filter((method) => !open.includes(method) || (family && method === "PUT"))];
        }),
      );
      const open = endpoints
        .filter(({ certificateOnly }) => !certificateOnly)
        .filter(({ name, writes }) => writes.some((request) => !disabled[name]?.includes(request.replace(/ .*/, ""))))
        .map(({ name }) => name);
      const { writableBesides, problems, usable } = await diagnosed(disabled);
      expect(writableBesides.map(({ name }) => name)).toEqual(open);
      const message = problems.find(({ what }) => what.includes("not read only"));
      expect(message?.what.match(/\b[A-Z_]{3,}\b/g) ?? []).toEqual(open);
      expect(usable).toEqual({ plan: true, apply: false });
    },
  );

  test("with the recipe it is read only", async () => {
    const { writableBesides, problems } = await diagnosed(
      Object.fromEntries(endpoints.map(({ name }) => [name, writing])),
    );
    expect({ writableBesides, problems: problems.length }).toEqual({ writableBesides: [], problems: 1 });
  });
});
