// What is shown where nothing answers as the API of the stated product does: which of URL, product and rights is wrong.
import { expect, test } from "vitest";
import { assumedRelease, createDialect, products } from "../../../../src/dialects/index.ts";
import { startEmulator } from "../../../../src/emulator/index.ts";
import { connectToRead } from "../../../../src/index.ts";
import { explainNoFamily } from "../../../../src/live/detect/no-family.ts";
import type { Product } from "../../../../src/model/plan.ts";
import type { HttpAnswer, ReadPort } from "../../../../src/model/ports.ts";

async function ask(url: string, product: Product): Promise<string | undefined> {
  const port = connectToRead({ name: "t", url, state: [], vars: new Map(), families: {}, acceptFields: [] });
  try {
    return await explain(port, product);
  } finally {
    await port.close();
  }
}

async function explain(port: ReadPort, product: Product): Promise<string | undefined> {
  return (await explainNoFamily(port, createDialect(product, assumedRelease[product])))?.userMessage.what;
}

test.each(products)("every other product than %s, and a path that leads nowhere", async (served) => {
  const emulator = await startEmulator({ product: served });
  try {
    for (const product of products) {
      const what = await ask(emulator.url, product);
      if (product === served) expect(what).toBeUndefined();
      else expect(what).toMatch(`no API of ${product} answers here, and that of ${served} does`);
      expect(await ask(`${emulator.url}/search`, product)).toMatch(/^The URL leads to no search engine/);
    }
  } finally {
    await emulator.close();
  }
});

const reply = (status: number, body: HttpAnswer["body"] = {}): HttpAnswer => ({
  status,
  body,
  text: JSON.stringify(body),
  milliseconds: 1,
});

test.each<[about: string, root: HttpAnswer, others: HttpAnswer, reported: string | undefined]>([
  ["a web page", reply(200), reply(404), "The URL leads to no search engine"],
  [
    "an engine without the plugin",
    reply(200, { version: { number: "2.19.1", distribution: "opensearch" } }),
    reply(400, { error: "no handler found for uri [/_plugins/_security/api/roles] and method [GET]" }),
    "The search engine answers, and no security plugin",
  ],
  ["a login that may read nothing of it", reply(403), reply(404), "We may not read GET / (403)"],
  ["an API that refuses", reply(200), reply(403, { status: "FORBIDDEN", message: "no" }), undefined],
  ["a server that fails", reply(200), reply(503), undefined],
])("%s", async (_, root, others, reported) => {
  const port: ReadPort = { get: async (path) => (path === "/" ? root : others), close: async () => {} };
  const what = await explain(port, "opensearch");
  if (reported === undefined) expect(what).toBeUndefined();
  else expect(what?.startsWith(reported)).toBe(true);
});
