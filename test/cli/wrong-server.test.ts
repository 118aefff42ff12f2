// Whatever answers at the URL, if it is not the API, the message says so, and nothing is ever written to it.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";
import { oneTenant, onHarness } from "./harness.ts";

const html = "<!doctype html><title>Log in</title>";
const engine = JSON.stringify({
  name: "n",
  cluster_name: "c",
  version: { number: "7.10.2" },
  tagline: "You Know, for Search",
});

/** What answers, and what the message has to say. */
const servers: Readonly<Record<string, readonly [RequestListener, reported: readonly string[]]>> = {
  "a web server that shows a page whatever is asked": [
    (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(html),
    ["No administration API that gate-sync knows answers here.", "GET /_gate/api/tenants (200)"],
  ],
  "a web server that knows nothing of it": [
    (_request, response) => response.writeHead(404).end("Not Found"),
    ["No administration API that gate-sync knows answers here.", "GET /_plugins/_security/api/tenants (404)"],
  ],
  "a login page behind a redirect": [
    (_request, response) => response.writeHead(302, { location: "https://login.example/" }).end(),
    ["No administration API that gate-sync knows answers here.", "redirects to https://login.example/"],
  ],
  "a search engine without the plugin": [
    ({ url }, response) =>
      url === "/"
        ? response.writeHead(200, { "content-type": "application/json" }).end(engine)
        : response.writeHead(400, { "content-type": "application/json" }).end('{"error":"no handler found"}'),
    ["No administration API that gate-sync knows answers here.", "GET / (200)"],
  ],
  "something that answers JSON of another kind": [
    (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}'),
    ["No administration API that gate-sync knows answers here."],
  ],
  "a proxy whose server is down": [
    (_request, response) => response.writeHead(502, { "content-type": "text/html" }).end(html),
    ["What answers here is unknown", "502 to GET /)", "A proxy answers, and its server does not."],
  ],
  "a search engine that has too much to do": [
    ({ url }, response) =>
      url === "/"
        ? response.writeHead(200, { "content-type": "application/json" }).end(engine)
        : response.writeHead(429, { "retry-after": "0" }).end(),
    ["What answers here is unknown", "429 to GET /_gate/api/tenants)", "too much to do"],
  ],
  "a server that fails whatever is asked": [
    (_request, response) => response.writeHead(500).end('{"status":"INTERNAL_SERVER_ERROR","message":"Error null"}'),
    ["What answers here is unknown", "It says: Error null.", "Look at the server and its log"],
  ],
  "something that hangs up": [(request) => request.socket.destroy(), ["GET / got no answer from"]],
};

/** Runs the work against a server that answers so; the second argument has its requests as `METHOD path`. */
async function withServer(listener: RequestListener, work: (url: string, seen: readonly string[]) => Promise<void>) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe.concurrent("not the server that is meant", () => {
  test.for(Object.entries(servers))("%s", ([, [listener, reported]], { expect }) =>
    withServer(listener, (url, seen) =>
      inFolder(oneTenant, async (cwd) => {
        const { code, stdout, stderr } = await gateSyncWithin(["apply", "--yes", "--url", url, "access"], { cwd });
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        const userMessage = stderr.replace(/\s+/g, " ");
        expect(reported.filter((part) => !userMessage.includes(part)).map((part) => ({ part, userMessage }))).toEqual(
          [],
        );
        expect(seen.filter((request) => !request.startsWith("GET "))).toEqual([]);
      }),
    ),
  );

  test("stated to be one, it is not believed: a page is no answer to a GET of tenants", () =>
    withServer(
      (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(html),
      (url) =>
        inFolder(oneTenant, async (cwd) => {
          const args = ["plan", "--product", "gate", "--release", "7.x-43.0.0", "--url", url, "access"];
          const { code, stderr } = await gateSyncWithin(args, { cwd });
          expect({ code, stderr }).toEqual({
            code: 1,
            stderr: expect.stringContaining("is not what the API calls tenants"),
          });
        }),
    ));

  const ofNothing = ["drift --family roles", "plan --family audit", "apply --yes --family roles", "plan empty"];
  test.for(ofNothing)("stated to be one, it is not believed where nothing is declared either: %s", (line, { expect }) =>
    onHarness(
      { product: "opensearch", release: "2.19", files: { ...oneTenant, "empty/a.yml": "personas: {}\n" } },
      async ({ run, url }) => {
        const state = line.includes("empty") ? "" : "access";
        const asked = (product: string, to = url) => run(`${line} ${state} --product ${product} --url ${to}`);
        expect((await asked("opensearch")).code).toBe(0);
        const others = [await asked("search-guard"), await asked("gate"), await asked("opensearch", `${url}/x`)];
        expect(others.map(({ code }) => code)).toEqual([1, 1, 1]);
        const [first, , last] = others.map(({ stderr }) => stderr.replace(/\s+/g, " "));
        expect(first).toContain("that of opensearch does");
        expect(last).toContain("The URL leads to no search engine");
      },
    ),
  );

  test("TLS where there is none", () =>
    withServer(
      (_request, response) => response.end(),
      (url) =>
        inFolder(oneTenant, async (cwd) => {
          const { code, stderr } = await gateSyncWithin(["plan", "--url", url.replace("http:", "https:"), "access"], {
            cwd,
          });
          expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("does not speak TLS") });
        }),
    ));

  test("an unknown host", () =>
    inFolder(oneTenant, async (cwd) => {
      const { code, stderr } = await gateSyncWithin(["plan", "--url", "http://cluster.invalid:9200", "access"], {
        cwd,
      });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is not known") });
    }));
});
