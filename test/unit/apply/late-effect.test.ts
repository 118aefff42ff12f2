// The server on the wire is the emulator; only its timing is played.
import { afterEach, describe, expect, it } from "vitest";
import { perform } from "../../../src/apply/perform.ts";
import { type Emulator, startEmulator } from "../../../src/emulator/index.ts";
import { connectToWrite } from "../../../src/live/http.ts";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

describe("a write that takes effect after its connection broke", () => {
  it("is done, though sending it again is refused", async () => {
    const server = await startEmulator({ product: "gate", state: { tenants: { t: {} } } });
    emulator = server;
    server.fault = ({ method, count }) =>
      method === "DELETE" && count === 1 ? { at: "before", answer: "reset" } : undefined;
    const target = { name: "t", url: server.url, state: [], vars: {}, families: {}, acceptFields: [] };
    const port = connectToWrite(target);
    const path = "/_gate/api/tenants/t";
    const outcome = await perform(
      { family: "tenants", method: "DELETE", path, names: ["t"], bulk: false },
      {
        send: (operation) => port.send(operation),
        look: async () => ((await port.get(path)).status === 404 ? "as-desired" : "as-before"),
        said: (answer) => answer.text,
        // While gate-sync pauses, the first request arrives at last.
        wait: async () => server.replaceState({}),
      },
    );
    await port.close();
    expect(outcome.kind).toBe("done");
  });
});
