// The client on a real wire: one server per test that answers as it is set.
import { createServer } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import { listening, putOf, readerOf, type Seen, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

/** Nothing listens at port 1. */
const dead = "http://127.0.0.1:1";

const methods = (seen: readonly Seen[]) => seen.map(({ method, path }) => `${method} ${path}`);

describe("a request", () => {
  it("goes below the path of the URL and says what it takes", async () => {
    const { url, seen } = await serve((_request, response) => response.end('{"a":1}'));
    const { body } = await readerOf(targetAt(`${url}/search//`)).get("/api/roles");
    expect(body).toEqual({ a: 1 });
    expect(methods(seen)).toEqual(["GET /search/api/roles"]);
    expect(seen[0]?.headers).toMatchObject({ accept: "application/json", "accept-encoding": "gzip" });
    expect(seen[0]?.headers["user-agent"]).toMatch(/^gate-sync \(run [0-9a-f]{8}\)$/);
  });

  it("carries the extra headers, each once, and unknown another type", async () => {
    const { url, seen } = await serve((_request, response) => response.end("{}"));
    const secret = (text: string) => new Secret("live", text);
    const headers = { "X-Proxy-User": secret("worf"), Accept: secret("text/html"), "User-Agent": secret("ci") };
    await readerOf(targetAt(url, { headers })).get("/");
    expect(seen[0]?.headers).toMatchObject({ "x-proxy-user": "worf", accept: "application/json", "user-agent": "ci" });
  });

  it.each([
    ["none", undefined, undefined],
    ["basic", { kind: "basic", username: "ü", password: new Secret("live", "p:ä") }, "Basic w7w6cDrDpA=="],
    ["bearer", { kind: "bearer", token: new Secret("live", "abc") }, "Bearer abc"],
  ] as const)("logs in: %s", async (_kind, auth, expected) => {
    const { url, seen } = await serve((_request, response) => response.end("{}"));
    await readerOf(targetAt(url, auth && { auth })).get("/");
    expect(seen[0]?.headers.authorization).toBe(expected);
  });

  it("keeps its connections", async () => {
    const { url, seen } = await serve((_request, response) => response.end("{}"));
    const reader = readerOf(targetAt(url));
    for (let count = 0; count < 10; count++) await reader.get("/");
    expect(Math.max(...seen.map(({ connection }) => connection))).toBeLessThanOrEqual(2);
  });

  it("follows no redirection", async () => {
    const other = await serve((_request, response) => response.end("{}"));
    const { url } = await serve((_request, response) => response.writeHead(302, { location: other.url }).end());
    const auth = { kind: "basic", username: "u", password: new Secret("live", "hunter2") } as const;
    expect(await readerOf(targetAt(url, { auth })).get("/")).toMatchObject({ status: 302, location: other.url });
    expect(other.seen).toEqual([]);
  });
});

describe("X-Opaque-Id", () => {
  /** How many of three requests, the first being GET /, carry it. */
  const check = async (distribution: string | undefined, stated: object, expected: readonly boolean[]) => {
    const root = JSON.stringify({ version: { number: "7.10.2", ...(distribution && { distribution }) } });
    const { url, seen } = await serve(({ path }, response) => response.end(path === "/" ? root : "{}"));
    const writer = writerOf(targetAt(url, stated));
    await writer.get("/");
    await writer.get("/api/roles");
    await writer.send(putOf());
    const ids = seen.map(({ headers }) => headers["x-opaque-id"]);
    expect(ids.map((id) => /^gate-sync-[0-9a-f]{8}$/.test(String(id)))).toEqual(expected);
    expect(new Set(ids.filter((id) => id !== undefined)).size).toBeLessThanOrEqual(1);
  };
  it("goes to an OpenSearch once that is known", () => check("opensearch", {}, [false, true, true]));
  it("goes at once to one that is known", () =>
    check("opensearch", { product: "opensearch", release: "2.19" }, [true, true, true]));
  it("goes to no Search Guard, which would choke on it", () =>
    check(undefined, { product: "search-guard", release: "7.x-38" }, [false, false, false]));
  it("goes to no Open Distro", () =>
    check(undefined, { product: "opensearch", release: "odfe-1.x" }, [false, false, false]));
});

describe("compression", () => {
  const long = "x".repeat(70_000);

  it("of an answer is undone", async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('\ufeff{"ä":1}')),
    );
    expect((await readerOf(targetAt(url)).get("/")).body).toEqual({ ä: 1 });
  });

  /** The status that is answered to a compressed body and to a plain one; what is sent for two long bodies. */
  const check = async (answers: readonly [packed: number, plain: number], expected: readonly string[]) => {
    const { url, seen } = await serve(({ headers }, response) =>
      response.writeHead(headers["content-encoding"] === "gzip" ? answers[0] : answers[1]).end("{}"),
    );
    const writer = writerOf(targetAt(url));
    const first = await writer.send(putOf({ long }));
    await writer.send(putOf({ long }));
    expect(seen.map(({ headers }) => headers["content-encoding"] ?? "plain")).toEqual(expected);
    for (const { headers, body } of seen) {
      const text = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      expect(JSON.parse(text.toString())).toEqual({ long });
    }
    return first;
  };
  it("of a long body is kept up where the server takes it", () => check([200, 200], ["gzip", "gzip"]));
  it.each([400, 415])("is given up where it is answered with %i, and the body without it is not", async (status) =>
    expect(await check([status, 201], ["gzip", "plain", "plain"])).toMatchObject({ status: 201 }),
  );
  it("is not to blame where both are refused", () => check([400, 400], ["gzip", "plain", "gzip", "plain"]));
  it("is not to blame for a failing server: a write is not sent again", () => check([500, 200], ["gzip", "gzip"]));
  it("is not to blame once it was taken", async () => {
    const { url, seen } = await serve((_request, response, { length }) =>
      response.writeHead(length === 1 ? 200 : 400).end(),
    );
    const writer = writerOf(targetAt(url));
    await writer.send(putOf({ long }));
    expect(await writer.send(putOf({ long }))).toMatchObject({ status: 400 });
    expect(seen).toHaveLength(2);
  });
  it("is not for a short body", async () => {
    const { url, seen } = await serve((_request, response) => response.end("{}"));
    await writerOf(targetAt(url)).send(putOf({ short: true }));
    expect(seen[0]?.headers["content-encoding"]).toBeUndefined();
  });
});

describe("several addresses", () => {
  it("are asked in turn, and the one that answers first from then on", async () => {
    const { url, seen } = await serve((_request, response) => response.end("{}"));
    const writer = writerOf(targetAt(dead, { otherUrls: [`${url}/sub`, dead] }));
    expect(await writer.send(putOf())).toMatchObject({ status: 200 });
    await writer.get("/x");
    expect(methods(seen)).toEqual(["GET /sub/", "PUT /sub/api/roles/r", "GET /sub/x"]);
  });

  it("are not asked again where they did not connect, even if they would now", async () => {
    const second = await serve((_request, response) => response.end("{}"));
    const first = createServer((_request, response) => response.end("late"));
    const port = await listening(first);
    await new Promise((closed) => first.close(closed));
    const reader = readerOf(targetAt(`http://127.0.0.1:${port}`, { otherUrls: [second.url] }));
    await reader.get("/a");
    await new Promise<void>((listens) => first.listen(port, "127.0.0.1", listens));
    expect(await reader.get("/b")).toMatchObject({ text: "{}" });
  });

  it("are not asked for a write that may have arrived", async () => {
    const first = await serve(({ method }, response) => (method === "GET" ? response.end("{}") : response.destroy()));
    const second = await serve((_request, response) => response.end("{}"));
    const writer = writerOf(targetAt(first.url, { otherUrls: [second.url] }));
    expect(await writer.send(putOf())).toMatchObject({ unsent: false });
    expect([methods(first.seen), second.seen]).toEqual([["GET /", "PUT /api/roles/r"], []]);
  });

  it("are not asked where one answers with an error", async () => {
    const first = await serve((_request, response) => response.writeHead(500).end());
    const second = await serve((_request, response) => response.end("{}"));
    expect(await readerOf(targetAt(first.url, { otherUrls: [second.url] })).get("/")).toMatchObject({ status: 500 });
    expect(second.seen).toEqual([]);
  });

  it("are all named where none connects", async () => {
    const userMessage = await userMessageOf(targetAt(dead, { otherUrls: ["http://127.0.0.1:2"] }));
    expect(userMessage).toContain(`Nothing listens at ${dead}.`);
    expect(userMessage).toContain("The other URLs do not connect either: http://127.0.0.1:2 (ECONNREFUSED).");
  });

  it("are not asked for a write that no address took: it was not sent", async () =>
    expect(await writerOf(targetAt(dead)).send(putOf())).toMatchObject({
      unsent: true,
      lost: `Nothing listens at ${dead}.`,
    }));
});

describe("a 401", () => {
  const auth = { kind: "basic", username: "u", password: new Secret("live", "hunter2") } as const;

  it("is tried once more on a new connection, for a write too", async () => {
    // As OpenSearch after a malformed request of another client of the same proxy.
    const { url, seen } = await serve(({ connection, method }, response) =>
      response.writeHead(method === "PUT" && connection <= 2 ? 401 : 200).end("{}"),
    );
    const writer = writerOf(targetAt(url, { auth }));
    for (let count = 0; count < 5; count++) await writer.get("/");
    expect(await writer.send(putOf({ a: 1 }))).toMatchObject({ status: 200 });
    const puts = seen.filter(({ method }) => method === "PUT");
    expect(puts.map(({ body }) => body.toString())).toEqual(['{"a":1}', '{"a":1}']);
  });

  it("is believed the second time", async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(401).end("Unauthorized"));
    expect(await readerOf(targetAt(url, { auth })).get("/")).toMatchObject({ status: 401, text: "Unauthorized" });
    expect(seen.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});

describe("reading alone", () => {
  it("has no way to write", async () => {
    const { url } = await serve((_request, response) => response.end("{}"));
    expect(Object.keys(readerOf(targetAt(url))).sort()).toEqual(["close", "get"]);
  });
});
