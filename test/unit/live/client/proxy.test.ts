import { createServer, request as requestTo } from "node:http";
import { connect, createServer as createSilentServer } from "node:net";
import { describe, expect, it, test } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import { chooseProxy } from "../../../../src/live/client/proxy.ts";
import type { ProxyOptions } from "../../../../src/model/target.ts";
import { hasOpenssl, openWorkshop } from "./certificates.ts";
import { listening, putOf, readerOf, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

const both: ProxyOptions = { https: new Secret("live", "http://s:1"), http: new Secret("live", "http://p:1") };

test.each<[url: string, proxy: ProxyOptions | undefined, expected: string | undefined]>([
  ["https://search.example:9200", undefined, undefined],
  ["https://search.example:9200", both, "http://s:1"],
  ["http://search.example:9200", both, "http://p:1"],
  ["https://search.example:9200", { http: new Secret("live", "http://p:1") }, undefined],
  ["https://localhost:9200", both, undefined],
  ["https://127.0.0.1:9200", both, undefined],
  ["https://[::1]:9200", both, undefined],
  ["https://127.example:9200", both, "http://s:1"],
  ["https://search.example:9200", { ...both, none: "*" }, undefined],
  ["https://search.example:9200", { ...both, none: "other, search.example" }, undefined],
  ["https://Search.Example:9200", { ...both, none: "SEARCH.example" }, undefined],
  ["https://search.example:9200", { ...both, none: "example" }, undefined],
  ["https://search.example:9200", { ...both, none: ".example" }, undefined],
  ["https://search.example:9200", { ...both, none: "*.example" }, undefined],
  ["https://research.example:9200", { ...both, none: "search.example" }, "http://s:1"],
  ["https://search.example:9200", { ...both, none: "search.example:9200" }, undefined],
  ["https://search.example:9200", { ...both, none: "search.example:9300" }, "http://s:1"],
  ["https://search.example", { ...both, none: "search.example:443" }, undefined],
  ["https://10.0.0.1:9200", { ...both, none: "10.0.0.1" }, undefined],
  ["https://[fd00::1]:9200", { ...both, none: "[fd00::1]" }, undefined],
  ["https://search.example:9200", { ...both, none: "" }, "http://s:1"],
  ["https://search.example.:9200", { ...both, none: "," }, "http://s:1"],
])("%s with %j", (url, proxy, expected) => expect(chooseProxy(new URL(url), proxy)?.reveal()).toBe(expected));

/** A proxy that knows every name as this machine; it wants a login where one is given. */
async function startProxy(port: number, login?: string) {
  const seen: string[] = [];
  const expected = login && `Basic ${Buffer.from(login).toString("base64")}`;
  const server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const { pathname } = new URL(incoming.url ?? "");
    const onward = { host: "127.0.0.1", port, path: pathname, method: incoming.method, headers: incoming.headers };
    incoming.pipe(requestTo(onward, (answer) => answer.pipe(response)));
  });
  server.on("connect", (incoming, socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    if (expected !== undefined && incoming.headers["proxy-authorization"] !== expected) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const onward = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    onward.pipe(socket).pipe(onward);
    for (const end of [onward, socket]) end.on("error", () => end.destroy());
    onward.on("close", () => socket.destroy());
  });
  return { port: await listening(server), seen };
}

describe("a proxy", () => {
  it("is handed a request to http:// whole", async () => {
    const { port, seen } = await serve((_request, response) => response.end("{}"));
    const proxy = await startProxy(port);
    const http = new Secret("live", `http://127.0.0.1:${proxy.port}`);
    const reader = readerOf(targetAt("http://search.example:9200/sub", { proxy: { http } }));
    expect(await reader.get("/x")).toMatchObject({ status: 200 });
    expect(proxy.seen).toEqual(["GET http://search.example:9200/sub/x"]);
    expect(seen.map(({ path, headers }) => [path, headers.host])).toEqual([["/sub/x", "search.example:9200"]]);
  });

  it("that says its password back is not quoted", async () => {
    const refusing = createServer((_request, response) => response.writeHead(403).end("hunter2 is no password"));
    const http = new Secret("live", `http://u:hunter2@127.0.0.1:${await listening(refusing)}`);
    const answer = await readerOf(targetAt("http://search.example:9200", { proxy: { http } })).get("/");
    expect(answer).toMatchObject({ status: 403, text: "(the answer repeats our login and is not shown)" });
  });

  it("that wants a login for what it is handed whole says so, and nothing was sent", async () => {
    const refusing = createServer((_request, response) => response.writeHead(407).end());
    const http = new Secret("live", `http://u:wrong-one@127.0.0.1:${await listening(refusing)}`);
    const target = targetAt("http://search.example:9200", { proxy: { http } });
    const userMessage = await userMessageOf(target);
    expect(userMessage).toContain("does not connect us with http://search.example:9200: it answers 407.");
    expect(userMessage).toContain("It wants a login");
    expect(await writerOf(target).send(putOf())).toMatchObject({ unsent: true });
  });

  it("that keeps what it is handed whole is named", async () => {
    const silent = createSilentServer((socket) => void socket.on("error", () => {}).resume());
    const http = new Secret("live", `http://127.0.0.1:${await listening(silent)}`);
    const target = targetAt("http://search.example:9200", { proxy: { http }, timeouts: { read: 50 } });
    expect(await userMessageOf(target)).toMatch(/through the proxy http:\/\/127\.0\.0\.1:\d+ in time\./);
  });

  it("that takes connections and says nothing is given as long as connecting may take", async () => {
    const silent = createSilentServer((socket) => void socket.on("error", () => {}).resume());
    const https = new Secret("live", `http://127.0.0.1:${await listening(silent)}`);
    const target = targetAt("https://search.example:9200", { proxy: { https }, timeouts: { connect: 10 } });
    expect(await writerOf(target).send(putOf())).toMatchObject({
      unsent: true,
      lost: expect.stringMatching(/^The proxy http:.* does not answer\.$/),
    });
  });

  it("that does not run is named, and nothing was sent", async () => {
    const target = targetAt("https://search.example:9200", {
      proxy: { https: new Secret("live", "http://u:pw@127.0.0.1:1") },
    });
    expect(await userMessageOf(target)).toBe(
      "Nothing listens at the proxy http://127.0.0.1:1.  Check host and port (HTTPS_PROXY, HTTP_PROXY), and that it runs.",
    );
    expect(await writerOf(target).send(putOf())).toMatchObject({ unsent: true });
  });
});

describe.skipIf(!hasOpenssl)(`a proxy and TLS${hasOpenssl ? "" : " (skipped: no openssl is found)"}`, () => {
  /** A cluster behind a proxy: a target for it. */
  const behind = async (names: string, login?: string, given = login) => {
    const shop = openWorkshop();
    const { port } = await serve((_request, response) => response.end("{}"), shop.signed("server", names));
    const proxy = await startProxy(port, login);
    const https = new Secret("live", `http://${given === undefined ? "" : `${given}@`}127.0.0.1:${proxy.port}`);
    shop.close();
    return { proxy, target: targetAt("https://search.example:9200", { tls: { ca: shop.ca.cert }, proxy: { https } }) };
  };

  it("passes on what it cannot read, and the server's certificate is looked at", async () => {
    const { proxy, target } = await behind("DNS:search.example", "u:secret");
    expect(await readerOf(target).get("/x")).toMatchObject({ status: 200 });
    expect(proxy.seen).toEqual(["CONNECT search.example:9200"]);
  });

  it("does not make another certificate good", async () => {
    const { target } = await behind("DNS:other.example");
    expect(await userMessageOf(target)).toContain(
      "https://search.example:9200 presents a certificate for another name",
    );
    expect(await writerOf(target).send(putOf())).toMatchObject({ unsent: true });
  });

  it("that wants a login says so, and nothing was sent", async () => {
    const { proxy, target } = await behind("DNS:search.example", "u:secret", "u:wrong-one");
    const userMessage = await userMessageOf(target);
    expect(userMessage).toContain(
      `The proxy http://127.0.0.1:${proxy.port} does not connect us with https://search.example:9200: it answers 407.`,
    );
    expect(userMessage).not.toContain("wrong-one");
    expect(await writerOf(target).send(putOf())).toMatchObject({ unsent: true });
  });
});
