// The way to a server without a network: everything of the client above the socket, and faults where the socket would be.

import type { ServedCluster } from "../../../src/emulator/cluster.ts";
import { createDelivery, type Delivery, type Fault } from "../../../src/emulator/fault.ts";
import { createProductServer } from "../../../src/emulator/products/index.ts";
import type { EmulatorState } from "../../../src/emulator/state.ts";
import { memoiseByObject } from "../../../src/json/memoise.ts";
import type { HttpConnection, OutgoingRequest, ServerResponse, Silence } from "../../../src/live/client/connection.ts";
import { createReader, sendOnce } from "../../../src/live/client/ports.ts";
import { createWire } from "../../../src/live/client/wire.ts";
import type { Product } from "../../../src/model/plan.ts";
import type { WritePort } from "../../../src/model/ports.ts";
import type { Target } from "../../../src/model/target.ts";

/** What becomes of one request on its way. `refused`: it never leaves. */
export type InBetween = "refused" | Exclude<Fault, { readonly at: "lost" }>;

/** A request as it came to the server, or would have come. */
export interface Passage {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** It never left. */
  readonly unsent: boolean;
  /** Its own answer, a success, got through unspoilt. */
  readonly whole: boolean;
  /** What the server holds when it comes, and when it is through. */
  readonly before: Holds;
  readonly after: Holds;
}

/** Texts by address: `roles/a`, `config/http`. */
export type Holds = ReadonlyMap<string, string>;

export interface Memory {
  readonly served: ServedCluster;
  /** Since the first request, or since the player emptied it. */
  readonly passages: Passage[];
  holds(): Holds;
  /** Asked before each request, with its number from 0 on; `undefined` lets it pass. */
  inBetween: (outgoing: OutgoingRequest, index: number) => InBetween | undefined;
  connect(target: Target): WritePort;
}

export type Wrap = (line: HttpConnection) => HttpConnection;

/** @param wrap what is between the client and the line: for clients that behave badly */
export function memoryServer(product: Product, release: string, wrap: Wrap = (line) => line): Memory {
  const settings = {
    allowConfigModification: true,
    users: undefined,
    adminHeader: undefined,
    clusterName: "memory",
    clusterUuid: "memory-0000",
    rootAnswer: "open",
    now: () => new Date(),
  } as const;
  const served = createProductServer({ product, release, engine: undefined, settings, state: {} });
  const memory: Memory = {
    served,
    passages: [],
    holds: () => holdsOf(served.state()),
    inBetween: () => undefined,
    connect: (target) => {
      const wire = createWire(target, (url) => wrap(lineTo(url, memory)));
      return {
        get: createReader(wire, target, async () => {}),
        send: (operation, options) => sendOnce(wire, target, operation, options?.timeout),
        close: wire.close,
      };
    },
  };
  return memory;
}

function lineTo(url: string, memory: Memory): HttpConnection {
  const { served, passages } = memory;
  return {
    url,
    close: async () => {},
    send: async (outgoing) => {
      const { method, path, headers, body = "" } = outgoing;
      const fault = memory.inBetween(outgoing, passages.length);
      const before = memory.holds();
      const record = (rest: Pick<Passage, "unsent" | "whole" | "after">) =>
        void passages.push({ method, path, body: String(body), before, ...rest });
      if (fault === "refused") {
        record({ unsent: true, whole: false, after: before });
        return silence(url, "connect ECONNREFUSED", "ECONNREFUSED", true);
      }
      const kept = fault === undefined || fault.at === "after";
      const reply = served.answer({ method, path, headers, body: String(body) }, kept);
      const delivery = createDelivery(reply, false, fault?.answer);
      const after = kept && method !== "GET" ? memory.holds() : before;
      record({ unsent: false, whole: fault === undefined && delivery.status < 300, after });
      return delivery.ending === "whole" ? heard(delivery) : silenceOf(delivery.ending, url);
    },
  };
}

function heard({ status, headers, body }: Delivery): ServerResponse {
  const { location, "retry-after": retryAfter } = headers;
  return {
    status,
    text: body,
    explained: { ...(location !== undefined && { location }) },
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function silenceOf(ending: "truncate" | "reset" | "hang", url: string): Silence {
  if (ending === "hang") return silence(url, "no whole answer within 5 s", "UND_ERR_HEADERS_TIMEOUT", false);
  if (ending === "truncate") return silence(url, "other side closed", "UND_ERR_SOCKET", false);
  return silence(url, "read ECONNRESET", "ECONNRESET", false);
}

function silence(url: string, message: string, code: string, unsent: boolean): Silence {
  return { error: Object.assign(new Error(message), { code }), url, unsent };
}

type Family = ReadonlyMap<string, object>;

/** Of a family that was not written, the same texts: they are asked for at every request. */
function textsOf(family: string, own: Family): readonly (readonly [string, string])[] {
  const known = texts.get(own) ?? [...own].map(([name, value]) => [`${family}/${name}`, textOf(value)] as const);
  texts.set(own, known);
  return known;
}

const texts = new WeakMap<Family, readonly (readonly [string, string])[]>();

/** A write changes one entry of many. */
const textOf = memoiseByObject((value: object): string => JSON.stringify(value));

/** Of a state that no request has changed, the same again. */
const holdsOf = memoiseByObject(({ config, ...families }: EmulatorState): Holds => {
  const entries = Object.entries(families).flatMap(([family, own]) => textsOf(family, own));
  const children = Object.entries((config.dynamic ?? {}) as object).map(
    ([child, value]) => [`config/${child}`, JSON.stringify(value)] as const,
  );
  return new Map([...entries, ...children]);
});
