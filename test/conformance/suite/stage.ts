import { isDeepStrictEqual } from "node:util";
import { isOpenSearchBefore } from "../../../src/dialects/release.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { type Whereabouts, type Wire, wireTo } from "./wire.ts";
import { type Words, wordsOf } from "./words.ts";

/** What a case may go by: nothing here says how the server is made. */
export interface Facts {
  readonly name: "search-guard-6" | "search-guard-7" | "opensearch-2" | "opensearch-3";
  readonly product: "search-guard" | "opensearch";
  /** `2.19.1`, `7.5.1-38.0.0`. */
  readonly release: string;
  /** Whether the node settings let the API change the config. */
  readonly configWritable: boolean;
  /** Whether a server of the product runs, not the emulator: for what only shows there. */
  readonly real: boolean;
}

/** `certificate`: an administrator's · `admin`, `reader`, `unmapped`: by password · `wrong`: a wrong one · `stranger`: none. */
export type Who = "certificate" | "admin" | "reader" | "unmapped" | "wrong" | "stranger";

export interface Asked {
  /** The administrator's certificate by default, which costs the server no password check. */
  readonly who?: Who;
  readonly method: string;
  /** Below the API's prefix; from the root where it begins with a slash. Encoded already. */
  readonly path: string;
  /** A text goes out as it is, anything else as JSON. */
  readonly send?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined where the answer is no JSON. */
  readonly json: unknown;
}

/** Whether it is an OpenSearch before 2.16, which says some things in other words. */
export function isOlderOpenSearch({ product, release }: Facts): boolean {
  return product === "opensearch" && isOpenSearchBefore(release, "2.16.0");
}

export type Ask = (asked: Asked) => Promise<Answered>;

/** One server for the suite. */
export interface Stage {
  readonly facts: Facts;
  readonly words: Words;
  readonly where: Whereabouts;
  /** Names of all entries that it started with. */
  readonly builtin: readonly string[];
  readonly ask: Ask;
  /** All on one connection, one after the other. */
  onOneConnection<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /**
   * A plain address on loopback before the server, for the program: it counts what passes. Requests without login data
   * of their own are sent as this one.
   */
  gateway(who?: Who): Promise<Gateway>;
  /** Takes away what a case has made, and puts the config back. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(facts: Facts, where: Whereabouts, ended: () => Promise<void>): Promise<Stage> {
  const words = wordsOf(facts);
  const wire = wireTo(where);
  const gateways: Gateway[] = [];
  const ask = askerOn(wire, words.api);
  const before = await heldBy(ask, words);
  return {
    facts,
    words,
    where,
    builtin: [...new Set([...before.families.values()].flatMap((entries) => Object.keys(entries)))].sort(),
    ask,
    onOneConnection: async (work) => {
      const single = wireTo(where, 1);
      try {
        return await work(askerOn(single, words.api));
      } finally {
        single.close();
      }
    },
    gateway: async (who = "certificate") => {
      const gateway = await openGateway(wire, who === "certificate", headersOf(who));
      gateways.push(gateway);
      return gateway;
    },
    reset: async () => {
      for (const gateway of gateways.splice(0)) await gateway.close();
      await putBack(ask, words, before, facts);
    },
    close: async () => {
      wire.close();
      await ended();
    },
  };
}

function askerOn(wire: Wire, api: string): Ask {
  return async ({ who = "certificate", method, path, send, headers = {} }) => {
    const text = send === undefined || typeof send === "string" ? send : JSON.stringify(send);
    const type: Record<string, string> = text === undefined ? {} : { "content-type": "application/json" };
    const {
      status,
      headers: answered,
      body,
    } = await wire.send({
      method,
      path: path.startsWith("/") ? path : `${api}/${path}`,
      headers: { ...headersOf(who), ...type, ...headers },
      body: text === undefined ? undefined : Buffer.from(text),
      certificate: who === "certificate",
    });
    return { status, headers: answered, text: body.toString("utf8"), json: parsed(body.toString("utf8")) };
  };
}

const logins: Partial<Readonly<Record<Who, string>>> = {
  admin: "admin:admin",
  reader: "readall:readall",
  unmapped: "logstash:logstash",
  wrong: "admin:nope",
};

function headersOf(who: Who): Readonly<Record<string, string>> {
  const login = logins[who];
  return login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
}

interface Held {
  readonly families: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly config: unknown;
}

async function heldBy(ask: Ask, { families, config }: Words): Promise<Held> {
  const shown: [string, Readonly<Record<string, unknown>>][] = [];
  for (const { path } of families) {
    const { status, json } = await ask({ method: "GET", path });
    if (status !== 200) throw new Error(`GET ${path} of the server was answered ${status}.`);
    shown.push([path, json as Readonly<Record<string, unknown>>]);
  }
  const { json } = await ask({ method: "GET", path: config.path });
  return { families: new Map(shown), config: (json as Readonly<Record<string, unknown>>)[config.key] };
}

async function putBack(ask: Ask, words: Words, before: Held, { configWritable }: Facts): Promise<void> {
  const now = await heldBy(ask, words);
  for (const [path, entries] of now.families) {
    const added = Object.keys(entries).filter((name) => before.families.get(path)?.[name] === undefined);
    const [plain, odd] = [added.filter(isPlain), added.filter((name) => !isPlain(name) && name !== "")];
    const patch = [...plain.map((name) => `/${name}`), ...(added.includes("") ? ["/"] : [])];
    if (patch.length > 0) await ask({ method: "PATCH", path, send: patch.map((at) => ({ op: "remove", path: at })) });
    for (const name of odd) await ask({ method: "DELETE", path: `${path}/${encodeURIComponent(name)}` });
  }
  if (configWritable && !isDeepStrictEqual(now.config, before.config)) {
    await ask({ method: "PUT", path: words.config.put, send: before.config });
  }
}

function isPlain(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
