// The requests of the servers' own test suites, asked of the emulator, with the status that they expect. The rows are no
// part of this repository; GATE_SYNC_CORPUS names the folder that holds them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Emulator, type EmulatorUser, startEmulator } from "../../../src/emulator/index.ts";
import { type Case, readCases, startOf } from "./cases.ts";

const corpus = process.env.GATE_SYNC_CORPUS ?? "";
const present = corpus !== "" && existsSync(join(corpus, "REST-CASES.tsv"));

/** Rows by suite and number that are answered otherwise, and why. */
interface Exception {
  readonly suite: string;
  readonly rows: readonly number[];
  readonly reason: string;
}

const exceptions = JSON.parse(
  readFileSync(new URL("exceptions.json", import.meta.url), "utf8"),
) as readonly Exception[];

describe.skipIf(!present)("requests of the servers' own suites (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  const cases = present ? readCases(corpus) : [];
  const suites = [...new Set(cases.map(({ suite }) => suite))];

  it.each(suites)("%s", { timeout: 60_000 }, async (suite) => {
    const rows = cases.filter((row) => row.suite === suite);
    const others = await replayed(rows, suite);
    const share = Math.floor(((rows.length - others.size) / rows.length) * 1000) / 10;
    console.log(`${suite}: ${rows.length - others.size} of ${rows.length} with the same status (${share} %)`);
    const listed = exceptions.filter((one) => suite.startsWith(one.suite)).flatMap(({ rows }) => rows);
    const unlisted = rows.filter(({ seq }) => others.has(seq) && !listed.includes(seq));
    expect(unlisted.map((row) => `${explained(row)} expected ${row.status}, answered ${others.get(row.seq)}`)).toEqual(
      [],
    );
    expect(listed.filter((seq) => !others.has(seq))).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(95);
  });
});

function explained({ seq, test, auth, method, path, body = "" }: Case): string {
  return `${seq} ${test} ${auth} ${method} ${path} ${body.slice(0, 200)}`;
}

/** The status of every row that did not get what it expects, by number. */
async function replayed(rows: readonly Case[], suite: string): Promise<ReadonlyMap<number, string>> {
  const others = new Map<number, string>();
  // The scenarios are chapters about one server; everywhere else each test has a server of its own.
  const scenarios = suite.includes("stories");
  const testOf = ({ test }: Case): string => (scenarios ? "" : test);
  for (const test of new Set(rows.map(testOf))) {
    const server = await startEmulator({
      product: "opensearch",
      release: scenarios ? "2" : suite.startsWith("odfe") ? "odfe-1.x" : "2.4",
      adminHeader: "x-admin",
      allowConfigModification: /Write|HTTPPatch|TenantInfo/.test(test),
      users: usersOf(test),
      state: startOf(suite, corpus),
    });
    for (const row of rows.filter((one) => testOf(one) === test)) {
      const { status, text } = await asked(server, row);
      if (status !== row.status) others.set(row.seq, `${status} ${text.slice(0, 200)}`);
    }
    await server.close();
  }
  return others;
}

/** Whom the servers know; in one test the node settings forbid some of them something. */
function usersOf(test: string): readonly EmulatorUser[] {
  const user = (name: string): EmulatorUser => ({ name, password: name, rights: "all" });
  const others = ["test", "sarek", "la"].map(user);
  if (!test.startsWith("RoleBasedAccess")) return [...others, user("admin"), user("worf")];
  const worf = { ...user("worf"), disabled: { ROLESMAPPING: ["DELETE"] } };
  return [...others, worf, { ...user("admin"), rights: "none" }];
}

async function asked(server: Emulator, { method, path, body, auth }: Case): Promise<{ status: number; text: string }> {
  const name = auth.startsWith("basic ") ? auth.slice("basic ".length) : "admin";
  const headers: Record<string, string> = {
    authorization: `Basic ${Buffer.from(`${name}:${name}`).toString("base64")}`,
    ...(auth === "admin-cert" ? { "x-admin": "yes" } : {}),
    ...(body === undefined || body === "" ? {} : { "content-type": "application/json" }),
  };
  const sent = body === undefined || method === "GET" ? { method, headers } : { method, headers, body };
  const answer = await fetch(`${server.url}${path}`, sent);
  return { status: answer.status, text: await answer.text() };
}
