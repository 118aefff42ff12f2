// A cluster with several URLs: where one is of another cluster, nothing is written to it, and no record is kept.
import { existsSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { oneTenant, onHarness } from "./harness.ts";

/** An address of the emulator that takes so many requests and is then gone. */
async function shortLived(url: string, requests: number) {
  let left = requests;
  const server = createServer((incoming, response) => {
    left -= 1;
    if (left === 0) server.close();
    const { method, headers } = incoming;
    const passed = ask(`${url}${incoming.url}`, { method, headers: { ...headers, connection: "close" } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, {
        ...answer.headers,
        connection: left > 0 ? "keep-alive" : "close",
      });
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const cluster = { clusterName: "search", clusterUuid: "A" };

/** How often `plan` asks: whatever comes then is of `apply`. */
async function readsOf(run: (line: string) => Promise<unknown>, seen: readonly unknown[]) {
  const before = seen.length;
  await run("plan --url URL access");
  return seen.length - before;
}

describe.concurrent("an address that takes over after the plan was made", () => {
  test("is of another cluster: nothing is sent to it, and the message names both", ({ expect }) =>
    onHarness({ files: oneTenant, ...cluster }, async ({ folder, emulator, url, run }) => {
      const other = await startEmulator({ product: "gate", ...cluster, clusterUuid: "B" });
      const first = await shortLived(url, await readsOf(run, emulator.requests));
      try {
        const { code, stderr } = await run(`apply --yes --url ${first.url} --url ${other.url} access`);
        const reported = `${other.url} shows the cluster search (uuid B), and the plan is for search (uuid A).`;
        expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
          code: 64,
          stderr: expect.stringContaining(reported),
        });
        expect(other.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /"]);
        expect(existsSync(join(folder, ".gate-sync"))).toBe(false);
      } finally {
        first.close();
        await other.close();
      }
    }));

  test("is of the same cluster: it gets the write", ({ expect }) =>
    onHarness({ files: oneTenant, ...cluster }, async ({ emulator, url, run, writes }) => {
      const first = await shortLived(url, await readsOf(run, emulator.requests));
      try {
        expect(await run(`apply --yes --url ${first.url} --url ${url} access`)).toMatchObject({ code: 0 });
        expect(writes()).toHaveLength(1);
      } finally {
        first.close();
      }
    }));
});
