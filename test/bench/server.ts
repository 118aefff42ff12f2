// The live side in a process of its own: IPC says which fixture to hold, and it makes that fixture itself. It answers a GET
// that was answered before from memory, so that what the emulator takes is in no figure.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { cases } from "./cases.ts";
import type { BenchFixture } from "./fixture.ts";
import { encodeForSix, makeContent } from "./fixture-kinds.ts";

export interface Hold {
  readonly seed: number;
  readonly size: number;
  /** Of a case. */
  readonly name: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const emulators = {
  gate: await startEmulator({ product: "gate" }),
  six: await startEmulator({ product: "search-guard", release: "6" }),
};
const memory: { emulator: Emulator; key?: string; content?: BenchFixture; answers: Map<string, Promise<Answer>> } = {
  emulator: emulators.gate,
  answers: new Map(),
};

const front = createServer(async (incoming, response) => {
  const { status, headers, body } = await answer(incoming);
  response.writeHead(status, headers).end(body);
}).listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(front.address() as AddressInfo).port}` });
});

async function answer(incoming: IncomingMessage): Promise<Answer> {
  // Of many targets each has a path of its own; all hold the same.
  incoming.url = incoming.url?.replace(/^\/cluster-\d+(?=\/)/, "");
  const sent = await buffer(incoming);
  if (incoming.method !== "GET") {
    memory.answers.clear();
    return forward(incoming, sent);
  }
  const key = `${incoming.url} ${incoming.headers["accept-encoding"]}`;
  const known = memory.answers.get(key) ?? forward(incoming, sent);
  memory.answers.set(key, known);
  return known;
}

async function forward({ method = "GET", url = "/", headers }: IncomingMessage, sent: Buffer): Promise<Answer> {
  const { host, connection, "content-length": length, "transfer-encoding": encoding, ...others } = headers;
  const answered = await request(`${memory.emulator.url}${url}`, {
    method,
    headers: others,
    body: sent,
    headersTimeout: 0,
  });
  const { "transfer-encoding": chunked, connection: kept, ...shown } = answered.headers;
  return { status: answered.statusCode, headers: shown, body: Buffer.from(await answered.body.arrayBuffer()) };
}

process.on("message", (asked: Hold | "requests") => {
  if (asked === "requests") {
    process.send?.(memory.emulator.requests);
    memory.emulator.clearRequests();
    return;
  }
  hold(asked);
  process.send?.("held");
});
process.on("disconnect", () => process.exit(0));

function hold({ seed, size, name }: Hold): void {
  const one = cases.find((each) => each.name === name);
  if (one === undefined) throw new Error(`There is no case ${name}.`);
  const key = `${seed} ${size} ${one.kind.name}`;
  if (memory.key !== key) Object.assign(memory, { key, content: makeContent(one.kind, seed, size) });
  const isSix = one.kind.source === "search-guard-6";
  memory.emulator = isSix ? emulators.six : emulators.gate;
  const held = memory.content && one.change.live(memory.content);
  if (held) memory.emulator.replaceState(Object.fromEntries(isSix ? encodeForSix(held) : held));
  memory.answers.clear();
  memory.emulator.clearRequests();
}
