// A server that ends, or falls silent, in the middle of an apply: the user sees the wait, and what is known.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { gateSyncWithin, startGateSync } from "../support/command.ts";
import { isFull } from "../support/extent.ts";
import { type Harness, onHarness, twoFamilies } from "./harness.ts";

/** In front of the server, until the first write: from then on `onWrite` decides, and nothing is passed on. */
async function inFront({ url }: Harness, onWrite: (server: Server) => void): Promise<{ url: string; server: Server }> {
  let gone = false;
  const server = createServer(async ({ method, url: path }, response) => {
    if (method !== "GET") {
      gone = true;
      onWrite(server);
    }
    if (gone) return;
    const answer = await fetch(url + path);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("a server that ended is waited for for half a minute; then the request is unknown", () =>
  onHarness({ files: twoFamilies }, async (harness) => {
    const { url } = await inFront(harness, (server) => {
      server.close();
      server.closeAllConnections();
    });
    const line = ["apply", "--yes", "--format=text", "--url", url, "access"];
    const { code, stdout, stderr } = await gateSyncWithin(line, { cwd: harness.folder });
    expect(code).toBe(6);
    const flat = stdout.replace(/\s+/g, " ");
    expect(flat).toMatch(
      /1\/2 PUT tenant support unknown \S+ m?s the connection broke \(.*?\); the server cannot be reached/,
    );
    expect(flat).toContain("reached any more: it may or may not have taken it 2/2 PUT block lab not attempted");
    expect(stdout).not.toContain("trying again");
    const waits = stderr.split("\n").filter((each) => each.includes("the server cannot be reached; trying again"));
    expect(waits).not.toEqual([]);
    expect(waits.every((each) => / \d+ s of at most 3\d s$/.test(each))).toBe(true);
  }));

// It takes these ten seconds; what is printed, and when, is held by test/unit/cli/progress.test.ts.
test.runIf(isFull)("a server that says nothing any more is reported while it is waited for", () =>
  onHarness({ files: twoFamilies }, async (harness) => {
    const { url, server } = await inFront(harness, () => {});
    const running = startGateSync(["apply", "--yes", "--url", url, "access"], { cwd: harness.folder });
    await running.reported("tenant support: no answer yet ... 10 s of at most 10 min");
    running.child.kill("SIGKILL");
    const { stdout } = await running.ended;
    expect(stdout).not.toContain("no answer yet");
    server.close();
    server.closeAllConnections();
  }),
);
