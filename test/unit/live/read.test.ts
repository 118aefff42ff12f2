import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { startEmulator } from "../../../src/emulator/index.ts";
import { connectToRead } from "../../../src/index.ts";
import { memoiseReads } from "../../../src/live/memo.ts";
import { askAhead, readState } from "../../../src/live/read.ts";
import { families as strictFamilies } from "../../support/strict/forms.ts";

it("the families are in the order asked, whichever answers first", async () => {
  const emulator = await startEmulator({ product: "gate" });
  const port = connectToRead({
    name: "t",
    url: emulator.url,
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
  });
  let ahead = strictFamilies.length;
  // The first asked is answered last.
  const slow = { ...port, get: async (path: string) => setTimeout(20 * ahead--, await port.get(path)) };
  try {
    const { resources, paths } = await readState(slow, createDialect("gate", "7.x-43.0.0"), {
      needed: strictFamilies,
      reference: [],
    });
    expect([...resources.keys()]).toEqual(strictFamilies);
    expect([...paths.keys()]).toEqual(strictFamilies);
  } finally {
    await port.close();
    await emulator.close();
  }
});

it("what was asked ahead is not asked again", async () => {
  const emulator = await startEmulator({ product: "gate" });
  const port = connectToRead({
    name: "t",
    url: emulator.url,
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
  });
  const asked: string[] = [];
  const memo = memoiseReads({
    ...port,
    get: (path) => {
      asked.push(path);
      return port.get(path);
    },
  });
  const dialect = createDialect("gate", "7.x-43.0.0");
  try {
    askAhead(memo, dialect, ["tenants", "roles"]);
    expect(asked).toEqual(["/_gate/api/roles", "/_gate/api/tenants"]);
    const { resources } = await readState(memo, dialect, { needed: ["tenants", "roles"], reference: [] });
    expect([...resources.keys()]).toEqual(["tenants", "roles"]);
    expect(asked).toHaveLength(2);
  } finally {
    await port.close();
    await emulator.close();
  }
});

it("a failure of what was asked ahead reaches who reads, and no one else", async () => {
  const gone = memoiseReads({ get: () => Promise.reject(new Error("gone")), close: async () => {} });
  const dialect = createDialect("gate", "7.x-43.0.0");
  askAhead(gone, dialect, ["roles"]);
  // One that is not handled would end the run of the tests.
  await setTimeout(0);
  await expect(readState(gone, dialect, { needed: ["roles"], reference: [] })).rejects.toThrow("gone");
});
