import { describe, expect, it, test } from "vitest";
import type { ServerResponse, Silence } from "../../../../src/live/client/connection.ts";
import { pauseBefore } from "../../../../src/live/client/retry.ts";
import { putOf, readerOf, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

const now = Date.parse("2026-11-21T10:00:00Z");

function heard(status: number, retryAfter?: string): ServerResponse {
  return { status, text: "", explained: {}, ...(retryAfter !== undefined && { retryAfter }) };
}

function silence(code: string): Silence {
  return { error: Object.assign(new Error("x"), { code }), url: "http://h", unsent: false };
}

/** The pauses after each try, with the least and the greatest luck. */
test.each<[what: string, result: ServerResponse | Silence, shortest: number[], longest: number[]]>([
  ["502", heard(502), [125, 250, 500], [250, 500, 1000]],
  ["429", heard(429), [125, 250, 500], [250, 500, 1000]],
  ["503 that says how many seconds", heard(503, "2"), [2000, 2000, 2000], [2000, 2000, 2000]],
  ["503 that says when", heard(503, "Sat, 21 Nov 2026 10:00:05 GMT"), [5000, 5000, 5000], [5000, 5000, 5000]],
  ["503 that said when", heard(503, "Sat, 21 Nov 2026 09:00:00 GMT"), [0, 0, 0], [0, 0, 0]],
  ["503 that asks for an hour", heard(503, "3600"), [30_000, 30_000, 30_000], [30_000, 30_000, 30_000]],
  ["503 that asks for nonsense", heard(503, "soon"), [125, 250, 500], [250, 500, 1000]],
  ["a broken connection", silence("ECONNRESET"), [125, 250, 500], [250, 500, 1000]],
  ["a closed connection", silence("UND_ERR_SOCKET"), [125, 250, 500], [250, 500, 1000]],
  ["no answer in time", silence("UND_ERR_HEADERS_TIMEOUT"), [], []],
  ["an answer that stops in its midst", silence("UND_ERR_BODY_TIMEOUT"), [125], [250]],
  ["no connection in time", silence("UND_ERR_CONNECT_TIMEOUT"), [125], [250]],
  ["no server there", silence("ECONNREFUSED"), [], []],
  ["a certificate", silence("CERT_HAS_EXPIRED"), [], []],
  ["500", heard(500, "1"), [], []],
  ["401", heard(401), [], []],
  ["404", heard(404), [], []],
  ["200", heard(200), [], []],
])("pauses after %s", (_what, result, shortest, longest) => {
  const pauses = (chance: number) => {
    const all = Array.from({ length: 10 }, (_, index) => pauseBefore(result, index + 1, chance, now));
    return all.filter((pause) => pause !== undefined);
  };
  expect([pauses(0), pauses(1)]).toEqual([shortest, longest]);
});

describe("on the wire", () => {
  it("a read is sent again until it is answered", async () => {
    const { url, seen } = await serve((_request, response, { length }) =>
      length < 3 ? response.writeHead(503, { "retry-after": "0" }).end() : response.end("{}"),
    );
    expect(await readerOf(targetAt(url)).get("/")).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(3);
  });

  it("a server that stays unwell is given its time once", async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(502, { "retry-after": "0" }).end());
    const reader = readerOf(targetAt(url));
    expect(await reader.get("/")).toMatchObject({ status: 502 });
    expect(await reader.get("/other")).toMatchObject({ status: 502 });
    expect(seen.map(({ path }) => path)).toEqual(["/", "/", "/", "/", "/other"]);
  });

  it("a write is not sent again, and reports how long it shall wait", async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(429, { "retry-after": "3600" }).end());
    expect(await writerOf(targetAt(url)).send(putOf())).toMatchObject({ status: 429, retryAfter: 30_000 });
    expect(seen).toHaveLength(1);
  });

  it.each([429, 500, 502, 503])("a write is sent once, though it is answered with %i", async (status) => {
    const { url, seen } = await serve((_request, response) => response.writeHead(status, { "retry-after": "0" }).end());
    expect(await writerOf(targetAt(url)).send(putOf())).toMatchObject({ status });
    expect(seen).toHaveLength(1);
  });

  it("a write is sent once, though its connection breaks", async () => {
    const { url, seen } = await serve((_request, response) => response.destroy());
    expect(await writerOf(targetAt(url)).send(putOf())).toMatchObject({ unsent: false });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [503, "OpenSearch Security not initialized."],
    [503, "Search Guard not initialized (SG11). See https://docs.search-guard.com/latest/sgadmin"],
    [503, "Open Distro Security not initialized."],
    [500, '{"status":"INTERNAL_SERVER_ERROR","message":"Search Guard index not initialized (SG11)"}'],
    [500, '{"status":"INTERNAL_SERVER_ERROR","message":"Security index not initialized"}'],
  ])("a server that is not initialised gets a message of its own: %i %s", async (status, text) => {
    const { url, seen } = await serve((_request, response) =>
      response.writeHead(status, { "retry-after": "0" }).end(text),
    );
    expect(await userMessageOf(targetAt(url))).toContain(`The security plugin of ${url} is not initialised.`);
    expect(seen).toHaveLength(status === 503 ? 4 : 1);
  });
});
