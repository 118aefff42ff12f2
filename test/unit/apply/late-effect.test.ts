// The server on the wire is the emulator; only its timing is played.
import { expect, test } from "vitest";
import { outcomesOf, play } from "./harness.ts";

test("a write that takes effect after its connection broke is done, though sending it again is refused", async () => {
  const server = { product: "search-guard", release: "7", state: { tenants: { t: {}, u: {} } } } as const;
  const played = await play({
    server,
    files: { "t.yml": "tenants:\n  u: {}\n" },
    // The first request arrives at last, just before it is sent again.
    write: (count, _, emulator) => {
      if (count === 1) return { at: "before", answer: "reset" };
      emulator.replaceState({ tenants: { u: {} } });
      return undefined;
    },
  });
  expect(outcomesOf(played)).toEqual(["done"]);
  expect(played.report.outcomes[0]?.status).toBe(404);
});
