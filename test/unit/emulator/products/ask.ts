import { afterEach, expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.ts";

const running: Emulator[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

export async function started(options: EmulatorOptions): Promise<Emulator> {
  const server = await startEmulator(options);
  running.push(server);
  return server;
}

/** Method, path below the API (or from the root), body, status, and a part of the answer. */
export type Line = readonly [string, string, unknown, number, unknown];

/** Asks a new server one thing after the other. */
export async function check(options: EmulatorOptions, lines: readonly Line[]) {
  const server = await started(options);
  for (const [method, path, body, status, part] of lines) {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(
      path.startsWith("/") ? `${server.url}${path}` : `${server.url}${prefixOf(options)}/${path}`,
      {
        method,
        ...sent,
      },
    );
    const text = await answer.text();
    expect([method, path, answer.status, text]).toEqual([
      method,
      path,
      status,
      expect.stringContaining(JSON.stringify(part).slice(1, -1)),
    ]);
  }
}

function prefixOf({ product, release = "" }: EmulatorOptions): string {
  if (product === "search-guard") return "/_searchguard/api";
  return release.startsWith("odfe") ? "/_opendistro/_security/api" : "/_plugins/_security/api";
}
