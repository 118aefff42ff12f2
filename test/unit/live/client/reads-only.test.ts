// `plan` cannot write: whatever it finds, nothing but GET leaves the process, through whichever client.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, it } from "vitest";
import { plan, startEmulator } from "../../../../src/index.ts";
import { connectToRead } from "../../../../src/live/client/http.ts";
import { openWorkspace } from "../../../support/workspace.ts";

/** What undici reports of each request before it is sent. */
function methodIn(message: unknown): string {
  return (message as { request: { method: string } }).request.method;
}

it("a plan full of changes sends only GET", async () => {
  const methods: string[] = [];
  const note = (message: unknown) => void methods.push(methodIn(message));
  const state = { roles: { old: {} }, tenants: { t: { description: "old" } } };
  const emulator = await startEmulator({ product: "gate", state, allowConfigModification: true });
  const workspace = openWorkspace();
  subscribe("undici:request:create", note);
  try {
    workspace.write([
      ["roles.json", '{"fresh": {"cluster_permissions": ["cluster:monitor/main"]}}'],
      ["tenants.json", '{"t": {"description": "new"}}'],
    ]);
    const planned = await plan(workspace.request(emulator.url), { connect: connectToRead });
    expect(planned.plan.operations.length).toBeGreaterThan(1);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
    expect(emulator.requests).toHaveLength(methods.length);
  } finally {
    unsubscribe("undici:request:create", note);
    workspace.close();
    await emulator.close();
  }
});
