import { request } from "node:http";
import { afterEach } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Undefined where the answer is no JSON. */
  readonly json: unknown;
}

export interface Server {
  readonly emulator: Emulator;
  /** One request with the path as it is written, below `/_gate/api` unless it starts with `//`. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

const running: Emulator[] = [];

afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close();
});

/** A server of the product `gate` for one test. */
export async function gate(options: Omit<EmulatorOptions, "product"> = {}): Promise<Server> {
  const emulator = await startEmulator({ product: "gate", ...options });
  running.push(emulator);
  return {
    emulator,
    ask: (method, path, body, headers = {}) =>
      ask(emulator.url, method, path.startsWith("//") ? path.slice(1) : `/_gate/api${path}`, body, headers),
  };
}

/** A string is sent as it is, anything else as JSON. */
function ask(url: string, method: string, path: string, body: unknown, headers: Record<string, string>) {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const type = sent === undefined ? {} : { "content-type": "application/json" };
  const { hostname, port } = new URL(url);
  return new Promise<Answered>((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers: { ...type, ...headers } }, async (incoming) => {
      try {
        let text = "";
        for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) });
      } catch (problem) {
        reject(problem);
      }
    });
    outgoing.on("error", reject);
    outgoing.end(sent);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
