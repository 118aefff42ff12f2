// What takes too long, or is too much.
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { decompressBody } from "../../../../src/live/client/encoding.ts";
import { createReader } from "../../../../src/live/client/ports.ts";
import { createWire } from "../../../../src/live/client/wire.ts";
import type { Timeouts } from "../../../../src/model/target.ts";
import { listening, putOf, readerOf, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

/** Milliseconds, in which a busy machine has sent its request at any rate. */
const soon = 400;

const narrow = { largest: 10_000, stall: 60_000 };

it("what is not answered in time, or not to its end", () =>
  Promise.all([
    silentRead(),
    silentFromTheStart(),
    silentUrls(),
    anotherUrlAnswers(),
    programTakesLonger(),
    halfAnAnswer(),
    tricklingAnswer(),
    stalledAnswer(),
    shortAnswer(),
    lostWrite({ write: soon }),
    lostWrite({ write: 60_000 }, { timeout: soon }),
  ]));

/** A read that is not answered at all is waited for once. */
async function silentRead() {
  const { url, seen } = await serve(() => {});
  const userMessage = await userMessageOf(targetAt(url, { timeouts: { read: soon } }), "/api/roles");
  expect(userMessage).toContain(`GET /api/roles got no answer from ${url} in time.`);
  expect(seen).toHaveLength(1);
}

/** By a stated time it is asked twice who it is: a proxy may have logged in meanwhile. */
async function silentFromTheStart() {
  const { url, seen } = await serve(() => {});
  const userMessage = await userMessageOf(targetAt(url, { timeouts: { read: soon } }));
  expect(userMessage).toContain(`GET / got no answer from ${url} in time. There was no whole answer within 0.4 s.`);
  expect(userMessage).toContain("`timeouts: { read: SECONDS }` of the target or under defaults.");
  expect(seen).toHaveLength(2);
}

async function silentUrls() {
  const [first, second] = [await serve(() => {}), await serve(() => {})];
  const target = targetAt(first.url, { otherUrls: [second.url], timeouts: { read: soon } });
  const userMessage = await userMessageOf(target);
  expect(userMessage).toContain(`GET / got no answer from ${first.url} in time.`);
  expect(userMessage).toContain(`The other URLs do not answer either: ${second.url}`);
  expect([first.seen.length, second.seen.length]).toEqual([2, 2]);
}

async function anotherUrlAnswers() {
  const [first, second] = [await serve(() => {}), await serve((_request, response) => response.end("{}"))];
  const target = targetAt(first.url, { otherUrls: [second.url], timeouts: { read: soon } });
  const reader = readerOf(target);
  expect(await reader.get("/")).toMatchObject({ status: 200 });
  expect(await reader.get("/api/roles")).toMatchObject({ status: 200 });
  expect([first.seen.length, second.seen.length]).toEqual([1, 2]);
  // A run makes several connections to a cluster: to plan, to write, to plan again.
  expect(await writerOf(target).send(putOf())).toMatchObject({ status: 200 });
  expect(await readerOf(target).get("/")).toMatchObject({ status: 200 });
  expect([first.seen.length, second.seen.length]).toEqual([1, 5]);
}

/** Its time is none of the server's. */
async function programTakesLonger() {
  const { url } = await serve((_request, response) => response.end("{}"));
  const program = `setTimeout(() => console.log('{"token":"t"}'), ${2 * soon})`;
  const command = { argv: [process.execPath, "-e", program], cwd: ".", env: process.env };
  const target = targetAt(url, { auth: { kind: "exec", command }, timeouts: { read: soon } });
  expect(await readerOf(target).get("/")).toMatchObject({ status: 200 });
}

it("each URL is asked once who it is, for half a minute, where no time is stated", async () => {
  const asked: (readonly [url: string, timeout: number])[] = [];
  const open = (url: string) => ({
    url,
    async send({ timeout }: { readonly timeout: number }) {
      asked.push([url, timeout]);
      const error = Object.assign(new Error("no whole answer"), { code: "UND_ERR_HEADERS_TIMEOUT" });
      return { error, url, unsent: false };
    },
    close: async () => {},
  });
  const target = targetAt("http://a", { otherUrls: ["http://b"] });
  const get = createReader(createWire(target, open), target, async () => {});
  await expect(get("/")).rejects.toThrow("GET / got no answer from http://a in time.");
  expect(asked).toEqual([
    ["http://a", 30_000],
    ["http://b", 30_000],
  ]);
});

async function halfAnAnswer() {
  const { url } = await serve((_request, response) => void response.writeHead(200).write("{"));
  expect(await userMessageOf(targetAt(url, { timeouts: { read: soon } }))).toContain("in time.");
}

/** It is never silent for long, and never ends. */
async function tricklingAnswer() {
  const { url } = await serve((_request, response) => {
    const drops = setInterval(() => response.write(" "), soon / 10);
    response.on("close", () => clearInterval(drops));
  });
  expect(await userMessageOf(targetAt(url, { timeouts: { read: soon } }))).toContain("in time.");
}

/** It is waited for a minute, and not for as long as one that has not begun. */
async function stalledAnswer() {
  const { url, seen } = await serve((_request, response) => void response.writeHead(200).write("{"));
  const userMessage = await userMessageOf(targetAt(url), "/", { ...narrow, stall: soon });
  expect(userMessage).toContain(`The answer of ${url} to GET / has stopped in its midst.`);
  expect(seen).toHaveLength(2);
}

/** What is shorter than it says was cut off on the way. */
async function shortAnswer() {
  const { url, seen } = await serve((_request, response) => {
    response.writeHead(200, { "content-length": 10 }).write("{}", () => response.destroy());
  });
  expect(await userMessageOf(targetAt(url))).toContain(`GET / got no answer from ${url}.`);
  expect(seen.length).toBeGreaterThan(1);
}

/** A write is sent once, and may have arrived. */
async function lostWrite(timeouts: Timeouts, own?: { timeout: number }) {
  const { url, seen } = await serve(() => {});
  const answer = await writerOf(targetAt(url, { timeouts })).send(putOf(), own);
  expect(answer).toMatchObject({ lost: expect.stringContaining("no whole answer within"), unsent: false });
  expect(seen).toHaveLength(1);
}

it("an answer that says that it is too large is not read", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "content-length": 500 * 1024 * 1024 }).write("[");
  });
  expect(await userMessageOf(targetAt(url))).toContain("More than 400 MiB are not read;");
});

it("an answer that does not end is cut off where it becomes too large", async () => {
  let cutOff = (): void => {};
  const closed = new Promise<void>((resolve) => {
    cutOff = resolve;
  });
  const { url } = await serve((_request, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(1000)));
    };
    response.on("drain", pour).on("close", cutOff);
    pour();
  });
  const userMessage = await userMessageOf(targetAt(url), "/api/roles", narrow);
  expect(userMessage).toContain(`The answer of ${url} to GET /api/roles is larger than anything that belongs here.`);
  await closed;
});

it("an answer that unpacks into too much is not unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  );
  expect(bomb.length).toBeLessThan(narrow.largest);
  expect(await userMessageOf(targetAt(url), "/", narrow)).toContain("is larger than anything that belongs here.");
});

it("of an answer that is longer than it says no more is taken", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{"more": true}'));
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  expect(await readerOf(targetAt(url)).get("/")).toMatchObject({ status: 200, text: "{}" });
});

it.each([
  ["gzip", Buffer.from("no gzip")],
  ["gzip", gzipSync("{}".repeat(1000)).subarray(0, 20)],
  ["br", Buffer.from("{}")],
])("an answer that cannot be unpacked (%s) says so", async (encoding, bytes) => {
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(bytes),
  );
  expect(await userMessageOf(targetAt(url))).toContain(`The answer of ${url} to GET / cannot be unpacked.`);
});

it("an answer that becomes too large when unpacked is not unpacked", async () => {
  const bytes = gzipSync(Buffer.alloc(10_001));
  await expect(decompressBody(bytes, "gzip", 10_000)).rejects.toMatchObject({ code: "ERR_BUFFER_TOO_LARGE" });
  expect(await decompressBody(bytes, "gzip", 10_001)).toHaveLength(10_001);
});
