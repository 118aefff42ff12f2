// What real servers answered about internal users, asked of the emulator again. Whether a user can log in is left out: the
// emulator verifies no hash. GATE_SYNC_RECORDINGS names the folder of the recordings.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";
import { masked } from "./mask.ts";
import { adminHeader, adminName, user } from "./probe.ts";
import { type Recorded, readRecording } from "./recording.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
const present = folder !== "" && existsSync(folder);

interface Server {
  readonly file: string;
  readonly roles: string;
  readonly api: string;
  readonly options: EmulatorOptions;
  /** Answered otherwise, and why. */
  readonly otherwise: readonly (readonly [note: RegExp, why: string])[];
  readonly least: number;
}

const servers: readonly Server[] = [
  {
    file: "os-2.19.1-users.jsonl",
    roles: "opendistro_security_roles",
    api: "/_plugins/_security/api",
    options: { product: "opensearch", release: "2.19", adminHeader, users: [user("admin", "all", ["all_access"])] },
    otherwise: [],
    least: 250,
  },
  {
    file: "sg-7.5.1-users.jsonl",
    roles: "search_guard_roles",
    api: "/_searchguard/api",
    options: { product: "search-guard", release: "7", adminHeader, users: [user("admin", "all", ["SGS_ALL_ACCESS"])] },
    otherwise: [[/copy hash to an attribute/, "the library says of a copy that the place of its add is missing"]],
    least: 250,
  },
];

const sections = new Set(["create", "update", "weak", "fields", "roles", "bulk", "patch"]);

describe.skipIf(!present)("internal users of real servers (skipped where GATE_SYNC_RECORDINGS names no folder)", () => {
  it.each(servers)("$file", { timeout: 120_000 }, async (server) => {
    const lines = readNoted(join(folder, server.file)).filter((line) => isAsked(line, server));
    const emulator = await startEmulator({
      ...server.options,
      state: { internal_users: reservedUsers, roles: { plain_role: role } },
    });
    const mismatches: string[] = [];
    try {
      for (const line of lines) {
        if (line.note === "names a role that comes later") await createLateRole(emulator, server);
        for (const [body, note] of resets(server)) {
          if (line.section === "patch" && note.has(line.note) && line.method === "PATCH")
            await send(emulator, "PUT", `${server.api}/internalusers/pa`, "admin", body);
        }
        const answer = await send(emulator, line.method, line.path, line.who, line.body);
        if (!isSame(line, answer)) mismatches.push(describeMismatch(line, answer));
      }
    } finally {
      await emulator.close();
    }
    const unexplained = mismatches.filter((text) => !server.otherwise.some(([note]) => note.test(text)));
    expect(unexplained).toEqual([]);
    expect(lines.length).toBeGreaterThan(server.least);
  });
});

describe.skipIf(!present)("the document of the security index that holds the users", () => {
  it.each(servers)("$file", async ({ file, options, api }) => {
    const lines = readRecording(join(folder, file)).filter(({ path }) => path.endsWith("/_doc/internalusers"));
    const decoded = readFileSync(join(folder, file), "utf8")
      .split("\n")
      .find((line) => line.includes("decoded (base64"));
    const { meta, ...users } = JSON.parse(decoded ?? "{}").value;
    const emulator = await startEmulator({ ...options, state: {} });
    try {
      for (const name of ["h1", "kibanaro"]) {
        const { reserved: _r, hidden: _h, static: _s, ...user } = users[name];
        await send(emulator, "PUT", `${api}/internalusers/${name}`, "cert", JSON.stringify(user));
      }
      const heads: string[] = [];
      for (const { method, path, who, status, response } of lines) {
        const answer = await send(emulator, method, path, who);
        expect(answer.status).toBe(status);
        const [head, found] = headOf(answer.text);
        expect(head).toBe(headOf(typeof response === "string" ? response : JSON.stringify(response))[0]);
        heads.push(head);
        if (found === undefined) continue;
        const kept = JSON.parse(Buffer.from(found, "base64").toString("utf8"));
        expect(kept).toMatchObject({ h1: users.h1, kibanaro: users.kibanaro });
        expect(Object.values(kept)).toContainEqual(meta);
      }
      expect(heads).toHaveLength(2);
    } finally {
      await emulator.close();
    }
  });
});

/** All before the encoded users, without numbers, and these as far as they were kept. */
function headOf(text: string): readonly [head: string, users: string | undefined] {
  const [head = "", users] = text.split('"internalusers":"');
  return [head.replaceAll(/\d+/g, "0"), users?.split('"')[0]];
}

const reservedUsers = new Map([
  ["admin", { hash: "$2y$12$", reserved: true }],
  ["kibanaserver", { hash: "$2y$12$", reserved: true }],
]);

const role = { cluster_permissions: ["cluster:monitor/main"] };

/** Not recorded either: the role; and on Search Guard, where a user may name a role that is not there, the user before it. */
async function createLateRole(emulator: Emulator, { api, roles, options }: Server): Promise<void> {
  const late = { hash: "$2y$12$", [roles]: ["late_role"] };
  if (options.product === "search-guard")
    await send(emulator, "PUT", `${api}/internalusers/ro_late`, "admin", JSON.stringify(late));
  await send(emulator, "PUT", `${api}/roles/late_role`, "admin", JSON.stringify(role));
}

/** What the script sent before some of its requests, and did not record. */
function resets({ roles }: Server): readonly (readonly [body: string, before: ReadonlySet<string>])[] {
  const start = {
    password: "Str0ng-Passw0rd!x7",
    backend_roles: ["b1", "b2"],
    attributes: { a: "1" },
    description: "d",
    [roles]: [],
  };
  const hash = { hash: "$2y$12$abcdefghijklmnopqrstuuG3jUIDAXw3hw7XaHqV1HZeyY0.zYr2q", description: "d" };
  const before = [
    ...["replace description", "remove password (absent)", "replace hash", "add password"],
    ...['test hash is ""', "unknown field", roles],
  ];
  return [
    [JSON.stringify(start), new Set(before)],
    [JSON.stringify(hash), new Set(["test hash, right"])],
  ];
}

/** With what the script called each request, which it wrote otherwise for each product. */
function readNoted(file: string): readonly Recorded[] {
  const raw = readFileSync(file, "utf8").trimEnd().split("\n");
  return readRecording(file).map((line) => {
    const { n, note = n } = JSON.parse(raw[line.line - 1] ?? "{}");
    return { ...line, note: String(note) };
  });
}

/** Not lists of all users, which hold those of other sections, and not what follows a request that is only described. */
function isAsked({ section, note, who, method, path, body, cut, status }: Recorded, { api }: Server): boolean {
  if (!sections.has(section) || !["admin", "cert"].includes(who) || cut !== undefined || status === 0) return false;
  if (body?.includes("<cut ") || note.includes("long")) return false;
  if (method === "GET" && path.endsWith("/internalusers")) return false;
  return new RegExp(`^${api}/(internalusers(/.|$)|roles/)`).test(path);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(emulator: Emulator, method: string, path: string, who: string, body?: string): Promise<Answer> {
  const sender = who === "cert" ? { [adminHeader]: adminName } : { authorization: `Basic ${btoa("admin:admin")}` };
  const answer = await fetch(emulator.url + path, {
    method,
    headers: { ...sender, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

function isSame({ status, response }: Recorded, answer: Answer): boolean {
  if (status !== answer.status) return false;
  // What the mapper of Java says of a value that it cannot take is not of interest here.
  if (status === 500) return true;
  return isDeepStrictEqual(
    masked(parsed(answer.text)),
    masked(typeof response === "string" ? parsed(response) : response),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function describeMismatch(
  { line, section, note, who, method, path, body = "", status, response }: Recorded,
  answer: Answer,
): string {
  const asked = `${line} ${section} ${note} ${who} ${method} ${path} ${body}`.slice(0, 260);
  return `${asked}\n  recorded ${status} ${JSON.stringify(response).slice(0, 240)}\n  answered ${answer.status} ${answer.text.slice(0, 240)}`;
}
