import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";

let emulator: Emulator | undefined;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterEach(() => emulator?.close());

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** One request on the connection that all requests of this file share. */
function ask(server: Emulator, { method = "GET", path, headers = {}, body }: Asked) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { method, agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function started(options: EmulatorOptions): Promise<Emulator> {
  emulator = await startEmulator(options);
  return emulator;
}

const users = [{ name: "a", password: "b", rights: "all" }] as const;
const known = { authorization: `Basic ${btoa("a:b")}` };
const roles = "/_plugins/_security/api/roles";

/** The statuses of requests on one connection; each says whether it has credentials. */
async function statuses(release: string, requests: readonly string[]) {
  const server = await started({ product: "opensearch", release, users });
  const seen: number[] = [];
  for (const line of requests) {
    const [who, method = "", path = ""] = line.split(" ");
    seen.push((await ask(server, { method, path, ...(who === "known" && { headers: known }) })).status);
  }
  return seen;
}

test("OpenSearch takes the next request for a stranger's after it refused a stranger's path or method", async () => {
  const [wrong, good] = [`POST ${roles}`, `GET ${roles}`];
  const asked = (release: string, ...lines: string[]) => statuses(release, lines);
  expect(await asked("2", `stranger ${wrong}`, `known ${good}`, `known ${good}`)).toEqual([405, 401, 200]);
  expect(await asked("2", "stranger GET /nope/x/y/z", `known ${good}`, `known ${good}`)).toEqual([400, 401, 200]);
  expect(await asked("2", `stranger ${wrong}`, `known ${wrong}`, `known ${good}`)).toEqual([405, 405, 401]);
  expect(await asked("2", `known ${wrong}`, `known ${good}`)).toEqual([405, 200]);
  expect(await asked("2", `stranger ${good}`, `known ${good}`)).toEqual([401, 200]);
  expect(await asked("2.9", `stranger ${wrong}`, `known ${good}`)).toEqual([405, 200]);
});

test("bodies may come packed, and answers go packed where that is asked for", async () => {
  const server = await started({ product: "search-guard" });
  const path = "/_searchguard/api/tenants/t";
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const body = gzipSync('{"description":"packed"}');
  expect(await ask(server, { method: "PUT", path, headers, body })).toMatchObject({ status: 201 });
  const packed = await ask(server, { path, headers: { "accept-encoding": "gzip" } });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.bytes).toString()).toContain('"description":"packed"');
  const plain = await ask(server, { path });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.bytes.toString()).toContain('"description":"packed"');
});

test("a body that says it is too long is not even read", async () => {
  const server = await started({ product: "gate" });
  const headers = { "content-type": "application/json", "content-length": String(100 * 1024 * 1024 + 1) };
  const answer = await ask(server, { method: "PUT", path: "/_gate/api/tenants/t", headers, body: Buffer.from("{") });
  expect(answer).toMatchObject({ status: 413, bytes: Buffer.alloc(0) });
  expect(server.requests).toEqual([]);
});

test("a body is too long where the server is set to take less", async () => {
  const server = await started({ product: "gate", longestBody: 100 });
  const statusOf = async (description: string) => {
    const body = Buffer.from(JSON.stringify({ description }));
    const headers = { "content-type": "application/json" };
    return (await ask(server, { method: "PUT", path: "/_gate/api/tenants/t", headers, body })).status;
  };
  expect([await statusOf("x".repeat(82)), await statusOf("x".repeat(83))]).toEqual([201, 413]);
});
