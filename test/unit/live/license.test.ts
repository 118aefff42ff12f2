import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Json } from "../../../src/json/value.ts";
import { readState } from "../../../src/live/read.ts";

/** What a server's answer to GET of its license says: whether there is one. */
async function check(status: number, body: Json | undefined, installed: boolean) {
  const answers = {
    "/_gate/api/license/": { status, body },
    "/_gate/api/gate_config": { status: 404, body: undefined },
  };
  const reader = {
    get: async (path: string) => ({ ...answers[path as keyof typeof answers], text: "", milliseconds: 0 }),
    close: async () => {},
  };
  const dialect = createDialect("gate", "7.x-43.0.0");
  const { license } = await readState(reader, dialect, { needed: ["license"], reference: [] });
  expect(license?.installed).toBe(installed);
}

test.each<[status: number, body: Json | undefined, installed: boolean]>([
  [404, undefined, false],
  [404, { message: "none" }, false],
  [200, {}, false],
  [200, { gate_license: {} }, false],
  [200, { gate_license: { msgs: ["No license required"], license_required: false } }, false],
  [200, { gate_license: { uid: "u", license_required: false } }, true],
  [200, { gate_license: { uid: "u", expiry_date: "2030-01-01" } }, true],
  [200, { uid: "u" }, true],
  // The documentation does not say what is shown: anything is one, rather than to write again and again.
  [200, { installed: true }, true],
])("%i %j: %s", check);

test("an answer that is no JSON says nothing of a license, and is not taken for none", async () => {
  await expect(check(200, undefined, false)).rejects.toThrow("is not what the API calls license");
});
