import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { dialectFor } from "../../../src/dialects/index.ts";
import { startEmulator } from "../../../src/emulator/index.ts";
import { connectToRead } from "../../../src/index.ts";
import { readState } from "../../../src/live/read.ts";
import { resourceFamilies } from "../../../src/model/names.ts";

it("the families stand in the order asked, whichever answers first", async () => {
  const emulator = await startEmulator({ product: "gate" });
  const port = connectToRead({ name: "t", url: emulator.url, state: [], vars: {}, families: {}, acceptFields: [] });
  let ahead = resourceFamilies.length;
  // The first asked is answered last.
  const slow = { ...port, get: async (path: string) => setTimeout(20 * ahead--, await port.get(path)) };
  try {
    const { resources, paths } = await readState(slow, dialectFor("gate", "7.x-43.0.0"), {
      needed: resourceFamilies,
      reference: [],
    });
    expect([...resources.keys()]).toEqual(resourceFamilies);
    expect([...paths.keys()]).toEqual(resourceFamilies);
  } finally {
    await port.close();
    await emulator.close();
  }
});
