import { afterEach, expect, test } from "vitest";
import { type Emulator, type FaultAnswer, startEmulator } from "../../../src/emulator/index.ts";

let emulator: Emulator | undefined;

afterEach(() => emulator?.close());

async function started(): Promise<Emulator> {
  emulator = await startEmulator({ product: "gate", state: { tenants: { t: {} } } });
  return emulator;
}

/** A PUT that a fault hits: what the client saw, and whether the write took effect. */
async function check(at: "before" | "after", answer: FaultAnswer) {
  const server = await started();
  server.fault = ({ method }) => (method === "PUT" ? { at, answer } : undefined);
  const seen = await fetch(`${server.url}/_gate/api/tenants/new`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(300),
  }).then(
    async (response) => ({ status: response.status, text: await response.text().catch(() => "broken") }),
    (problem: Error) => problem.name,
  );
  const written = server.state().tenants.has("new");
  await server.close();
  emulator = undefined;
  return { seen, written };
}

test("a made-up answer, with and without effect", async () => {
  const answer = { status: 500, body: '{"status":"INTERNAL_SERVER_ERROR"}' };
  expect(await check("before", answer)).toEqual({ seen: { status: 500, text: answer.body }, written: false });
  expect(await check("after", answer)).toEqual({ seen: { status: 500, text: answer.body }, written: true });
});

test("a write that is answered and lost", async () => {
  const server = await started();
  server.fault = ({ path }) => (path.endsWith("/earlier") ? { at: "lost" } : undefined);
  const put = (name: string) =>
    fetch(`${server.url}/_gate/api/tenants/${name}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  expect((await put("earlier")).status).toBe(201);
  expect((await put("later")).status).toBe(201);
  expect([...server.state().tenants.keys()]).toEqual(["t", "later"]);
});

test("broken answers of every kind", async () => {
  expect(await check("before", "reset")).toEqual({ seen: "TypeError", written: false });
  expect(await check("after", "reset")).toEqual({ seen: "TypeError", written: true });
  expect(await check("after", "hang")).toEqual({ seen: "TimeoutError", written: true });
  expect(await check("after", "truncate")).toEqual({ seen: { status: 201, text: "broken" }, written: true });
  expect(await check("after", "empty")).toEqual({ seen: { status: 201, text: "" }, written: true });
  const html = await check("before", "not-json");
  expect(html).toMatchObject({ seen: { status: 201, text: expect.stringContaining("<html>") }, written: false });
});

test("the hook sees each request and its number", async () => {
  const server = await started();
  const seen: unknown[] = [];
  server.fault = (request) => {
    seen.push(request);
    return undefined;
  };
  await fetch(`${server.url}/_gate/api/roles`);
  await fetch(`${server.url}/_gate/api/tenants/t`, { method: "DELETE" });
  expect(seen).toEqual([
    { method: "GET", path: "/_gate/api/roles", body: "", count: 1 },
    { method: "DELETE", path: "/_gate/api/tenants/t", body: "", count: 2 },
  ]);
});

test("requests are recorded, shown to other processes, and cleared", async () => {
  const server = await started();
  await fetch(`${server.url}/_gate/api/roles?pretty`);
  const headers = { "content-type": "application/json" };
  await fetch(`${server.url}/_gate/api/tenants/é`, { method: "PUT", headers, body: '{"description":"é"}' });
  await fetch(`${server.url}/`);
  const recorded = [
    { method: "GET", path: "/_gate/api/roles?pretty", status: 200, family: "roles", bytes: 0 },
    { method: "PUT", path: "/_gate/api/tenants/%C3%A9", status: 201, family: "tenants", bytes: 20 },
    { method: "GET", path: "/", status: 200, bytes: 0 },
  ];
  expect(server.requests).toEqual(recorded);
  const control = `${server.url}/_emulator/requests`;
  expect(await (await fetch(control)).json()).toEqual(recorded);
  expect(await (await fetch(control, { method: "DELETE" })).json()).toEqual([]);
  expect(server.requests).toEqual([]);
});

test("the state can be replaced", async () => {
  const server = await started();
  server.replaceState({ roles: new Map([["r", { cluster_permissions: ["a"] }]]) });
  expect(await (await fetch(`${server.url}/_gate/api/tenants`)).json()).toEqual({});
  expect(await (await fetch(`${server.url}/_gate/api/roles`)).json()).toHaveProperty("r");
});

test("what it cannot be, it says", async () => {
  await expect(startEmulator({ product: "opensearch", release: "0" })).rejects.toMatchObject({ kind: "usage" });
  await expect(startEmulator({ product: "search-guard", release: "5" })).rejects.toMatchObject({ kind: "usage" });
  await expect(startEmulator({ product: "gate", release: "8.x" })).rejects.toMatchObject({ kind: "usage" });
  const server = await started();
  const port = Number(new URL(server.url).port);
  await expect(startEmulator({ product: "gate", port })).rejects.toMatchObject({ kind: "failed" });
});
