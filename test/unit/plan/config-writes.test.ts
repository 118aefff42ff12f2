import { describe, expect, it } from "vitest";
import { dialectFor } from "../../../src/dialects/index.ts";
import type { Change } from "../../../src/model/change.ts";
import { configWrites } from "../../../src/plan/guards/config-writes.ts";

const { config } = dialectFor("search-guard", "7");
const change: Change = { family: "config", name: "config", action: "update", reason: "declared", edits: [] };

function check(pending: readonly Change[], writable: boolean | undefined, refused: boolean) {
  expect(configWrites(pending, config, writable).length > 0).toBe(refused);
}

describe("the guard on the config", () => {
  it("refuses what the server is known to refuse", () => check([change], false, true));
  it("lets it be tried where nobody knows", () => check([change], undefined, false));
  it("has nothing to say where it is allowed, or not to be changed", () => {
    check([change], true, false);
    check([], false, false);
  });
  it("names the node setting", () => expect(configWrites([change], config, false)[0]?.why).toContain(config.setting));
});
