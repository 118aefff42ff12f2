import { readFileSync } from "node:fs";

/** One request to a real server and what it answered, whichever script recorded it. */
export interface Recorded {
  /** Of the file, from 1 on. */
  readonly line: number;
  readonly section: string;
  /** What the script called it; "" for Search Guard. */
  readonly note: string;
  /** `admin`, `cert`, `readall`, … as the scripts call them. */
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  /** JSON where the answer was JSON, its text otherwise; the beginning only where it was cut. */
  readonly response: unknown;
  /** The length of the whole answer, where only its beginning was kept. */
  readonly cut: number | undefined;
}

/** Lines that are no requests are left out; there is one parameter for both scripts, whose lines differ. */
export function readRecording(file: string): readonly Recorded[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.flatMap((text, index) => {
    const line = JSON.parse(text) as RawLine;
    return line.method === undefined ? [] : [recordedFrom(line, index + 1)];
  });
}

interface RawLine {
  readonly s?: string;
  readonly n?: string | number;
  readonly section?: string;
  readonly who?: string;
  readonly as?: string;
  readonly method?: string;
  readonly path?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  readonly status?: number;
  readonly response?: unknown;
  readonly cut?: number;
  readonly bytes?: number;
}

function recordedFrom(line: RawLine, number: number): Recorded {
  const body = line.body === undefined || typeof line.body === "string" ? line.body : JSON.stringify(line.body);
  return {
    line: number,
    section: line.s ?? line.section ?? "",
    note: typeof line.n === "string" ? line.n : "",
    who: line.who ?? line.as ?? "",
    method: line.method ?? "",
    path: line.path ?? "",
    headers: sentHeaders(line, body),
    body,
    status: line.status ?? 0,
    response: parsed(line.response),
    cut: line.cut ?? line.bytes,
  };
}

/** In lines of the script for OpenSearch `headers` were sent and `type` was answered; in the other it is the reverse. */
function sentHeaders(line: RawLine, body: string | undefined): Readonly<Record<string, string>> {
  const stated =
    line.section === undefined ? (line.headers ?? {}) : line.type === undefined ? {} : { "content-type": line.type };
  const all = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...stated };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => (entry[1] ?? "") !== ""));
}

function parsed(response: unknown): unknown {
  if (typeof response !== "string") return response;
  try {
    return JSON.parse(response);
  } catch {
    return response;
  }
}
