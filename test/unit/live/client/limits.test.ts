// What takes too long, or is too much.
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unpacked } from "../../../../src/live/client/encoding.ts";
import type { Timeouts } from "../../../../src/model/target.ts";
import { letterOf, putOf, serve, targetAt, writerOf } from "./served.ts";

/** Milliseconds, in which a busy machine has sent its request at any rate. */
const soon = 400;

it("what is not answered in time", () =>
  Promise.all([
    silentRead(),
    halfAnAnswer(),
    tricklingAnswer(),
    lostWrite({ write: soon }),
    lostWrite({ write: 60_000 }, { timeout: soon }),
  ]));

/** A read is asked once more, then there is a letter. */
async function silentRead() {
  const { url, seen } = await serve(() => {});
  const letter = await letterOf(targetAt(url, { timeouts: { read: soon } }), "/api/roles");
  expect(letter).toContain(`GET /api/roles got no answer from ${url} in time.`);
  expect(seen).toHaveLength(2);
}

async function halfAnAnswer() {
  const { url } = await serve((_request, response) => void response.writeHead(200).write("{"));
  expect(await letterOf(targetAt(url, { timeouts: { read: soon } }))).toContain("in time.");
}

/** It is never silent for long, and never ends. */
async function tricklingAnswer() {
  const { url } = await serve((_request, response) => {
    const drops = setInterval(() => response.write(" "), soon / 10);
    response.on("close", () => clearInterval(drops));
  });
  expect(await letterOf(targetAt(url, { timeouts: { read: soon } }))).toContain("in time.");
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
  expect(await letterOf(targetAt(url))).toContain("More than 400 MiB are not read.");
});

it.each([
  ["gzip", Buffer.from("no gzip")],
  ["gzip", gzipSync("{}".repeat(1000)).subarray(0, 20)],
  ["br", Buffer.from("{}")],
])("an answer that cannot be unpacked (%s) says so", async (encoding, bytes) => {
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(bytes),
  );
  expect(await letterOf(targetAt(url))).toContain(`The answer of ${url} to GET / cannot be unpacked.`);
});

it("an answer that becomes too large when unpacked is not unpacked", async () => {
  const bytes = gzipSync(Buffer.alloc(10_001));
  await expect(unpacked(bytes, "gzip", 10_000)).rejects.toMatchObject({ code: "ERR_BUFFER_TOO_LARGE" });
  expect(await unpacked(bytes, "gzip", 10_001)).toHaveLength(10_001);
});
