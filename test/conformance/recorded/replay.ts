import { Agent, request } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";
import { masked } from "./mask.ts";
import { adminHeader, adminName, type Probe, type Sent } from "./probe.ts";
import { type Recorded, readRecording } from "./recording.ts";

/** A line that was answered otherwise than recorded. */
export interface Mismatch {
  readonly line: Recorded;
  readonly status: number;
  readonly text: string;
}

export interface Replay {
  /** Requests of our families, the config and the license. */
  readonly total: number;
  readonly others: number;
  readonly mismatches: readonly Mismatch[];
}

/** Sends a whole recording to an emulator, in order, and compares. */
export async function replayed(probe: Probe, folder: string): Promise<Replay> {
  const lines = readRecording(join(folder, probe.file));
  const seed = probe.seed === undefined ? lines : readRecording(join(folder, probe.seed));
  const relevant = lines.filter(({ path }) => probe.scope.test(path));
  const started = (more: Partial<EmulatorOptions> = {}) =>
    startEmulator({ ...probe.options, ...more, state: probe.initial(seed) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const mismatches: Mismatch[] = [];
  let server = await started();
  for (const [index, line] of relevant.entries()) {
    const previous = relevant[index - 1];
    if (previous?.section !== line.section && probe.fresh.has(line.section)) {
      await server.close();
      server = await started(probe.fresh.get(line.section));
    }
    for (const extra of probe.before(line, previous, server.state())) await exchanged(server, extra, agent);
    const answer = await exchanged(server, { ...line, body: probe.whole(line, seed) }, agent);
    if (!isSame(line, answer)) mismatches.push({ line, ...answer });
  }
  await server.close();
  agent.destroy();
  return { total: relevant.length, others: lines.length - relevant.length, mismatches };
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

function isSame({ status, response, cut }: Recorded, answer: Answered): boolean {
  if (status !== answer.status) return false;
  if (cut !== undefined && typeof response === "string") return isBegunBy(response, cut, answer.text);
  return isDeepStrictEqual(masked(parsed(answer.text)), masked(response));
}

/**
 * Whether a text of this length, of which only the beginning is known, can be the answer: their lengths are the same,
 * and what the answer holds besides the entries that the beginning shows whole fits into what is missing.
 */
function isBegunBy(beginning: string, length: number, text: string): boolean {
  const value = parsed(text);
  if (text.length !== length || typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value).map((entry) => JSON.stringify(Object.fromEntries([entry])).slice(1, -1));
  const beyond = entries.filter((entry) => !beginning.includes(entry));
  const begun = Math.max(0, ...beyond.map((entry) => entry.length));
  const lengths = beyond.reduce((sum, entry) => sum + entry.length + 1, 0);
  return lengths <= length - beginning.length + begun;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const passwords: Readonly<Record<string, string>> = {
  admin: "admin:admin",
  readall: "readall:readall",
  logstash: "logstash:logstash",
  wrong: "admin:nope",
  unknown: "nobody:nope",
};

/** One request with its path and body exactly as they are. A broken connection has status 0. */
function exchanged(server: Emulator, { who, method, path, headers, body }: Sent, agent: Agent): Promise<Answered> {
  const { hostname, port } = new URL(server.url);
  const password = passwords[who];
  const sender = {
    ...(password === undefined ? {} : { authorization: `Basic ${Buffer.from(password).toString("base64")}` }),
    ...(who === "cert" ? { [adminHeader]: adminName } : {}),
  };
  const [, declared] = /^\(declares Content-Length: (\d+)\)$/.exec(String(body)) ?? [];
  const length = body === undefined ? {} : { "content-length": declared ?? String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    const outgoing = request({ hostname, port, method, path, agent, headers: { ...sender, ...headers, ...length } });
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on("error", (problem) => resolve({ status: 0, text: String(problem) }));
    outgoing.end(body);
  });
}
