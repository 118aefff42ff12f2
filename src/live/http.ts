// The one door to undici, and with it to the network as a client.
import { Pool } from "undici";
import { assert } from "../diagnostics/failure.ts";
import { type Json, reveal } from "../json/value.ts";
import type { Operation } from "../model/operation.ts";
import type { Answer, Lost, ReadPort, WritePort } from "../model/ports.ts";
import type { Credentials, Target } from "../model/target.ts";
import { repeats, repeatsEscaped } from "./repeats.ts";
import { isUnsent, transportFailure } from "./transport.ts";

/** Milliseconds. A server that rewrites thousands of roles takes minutes; one that does not connect is not there. */
const timeouts = { connect: 10_000, read: 300_000, write: 600_000 } as const;

/** Bytes of one answer: ten times what 100 000 roles take. */
const maximumAnswer = 512 * 1024 * 1024;

interface Wire {
  request(method: string, path: string, body: Json | undefined, timeout: number): Promise<Answer>;
  close(): Promise<void>;
}

/** A way to read the target and no way to write it. */
export function connectToRead(target: Target): ReadPort {
  const wire = wireTo(target);
  return { get: (path) => read(wire, target, path), close: () => wire.close() };
}

/** A way to read and to write the target. */
export function connectToWrite(target: Target): WritePort {
  const wire = wireTo(target);
  return {
    get: (path) => read(wire, target, path),
    send: (operation) => send(wire, operation),
    close: () => wire.close(),
  };
}

async function read(wire: Wire, target: Target, path: string): Promise<Answer> {
  try {
    return await wire.request("GET", path, undefined, timeouts.read);
  } catch (error) {
    throw transportFailure(error, target, `GET ${path}`);
  }
}

/** Sent once, whatever happens: whether to send it again is decided by who reads what the server now holds. */
async function send(wire: Wire, { method, path, body }: Operation): Promise<Answer | Lost> {
  const started = performance.now();
  try {
    return await wire.request(method, path, body === undefined ? undefined : reveal(body), timeouts.write);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { lost: cause, unsent: isUnsent(error), milliseconds: performance.now() - started };
  }
}

function wireTo(target: Target): Wire {
  assert(target.url !== undefined, "A target without a URL is being connected to.");
  const url = new URL(target.url);
  const base = url.pathname.replace(/\/+$/, "");
  const pool = new Pool(url.origin, { connections: 8, maxResponseSize: maximumAnswer, connect: tlsOf(target) });
  const headers = { accept: "application/json", ...authorization(target.auth) };
  return {
    async request(method, path, body, timeout) {
      const started = performance.now();
      const response = await pool.request({
        method: method as "GET",
        path: `${base}${path}`,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: timeout,
        bodyTimeout: timeout,
      });
      const text = await response.body.text();
      const milliseconds = performance.now() - started;
      const { location } = response.headers;
      const answer = unlessOurs({ status: response.statusCode, text, body: parsed(text), milliseconds }, target.auth);
      return typeof location === "string" ? { ...answer, location } : answer;
    },
    close: () => pool.close(),
  };
}

function tlsOf({ tls }: Target) {
  return {
    timeout: timeouts.connect,
    ...(tls?.ca !== undefined && { ca: tls.ca }),
    ...(tls?.cert !== undefined && { cert: tls.cert }),
    ...(tls?.key !== undefined && { key: tls.key.reveal() }),
    ...(tls?.passphrase !== undefined && { passphrase: tls.passphrase.reveal() }),
    ...(tls?.serverName !== undefined && { servername: tls.serverName }),
    ...(tls?.insecure === true && { rejectUnauthorized: false }),
  };
}

function authorization(auth: Credentials | undefined): Record<string, string> {
  if (!auth) return {};
  if (auth.kind === "bearer") return { authorization: `Bearer ${auth.token.reveal()}` };
  assert(auth.kind === "basic", `No requests are signed in yet with ${auth.kind}.`);
  const pair = `${auth.username}:${auth.password.reveal()}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}

/** Proxies and login modules say in failing answers what they were sent; no such text gets any further than here. */
function unlessOurs(answer: Answer, auth: Credentials | undefined): Answer {
  if (answer.status < 400 || !auth) return answer;
  const [, header = ""] = authorization(auth).authorization?.split(" ") ?? [];
  const password = auth.kind === "basic" ? auth.password.reveal() : header;
  if (!repeats(answer.text, header) && !repeatsEscaped(answer.text, password)) return answer;
  return { ...answer, text: "(the answer repeats our login and is not shown)", body: undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
