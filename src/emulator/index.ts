// An administration API server in memory. How a request travels, and where what goes:
//
// `http.ts` makes a `RawRequest` of bytes. `startEmulator` below asks the fault hook, and hands the request to its
// cluster (`cluster.ts`), the only place that remembers anything between two requests. Requests for data are answered by
// `access/`, from what the state permits. For all others `answerRequest` (`answer.ts`) is a function of the request, the
// state (`state.ts`) and the product (`product.ts`): it finds the route (`routes.ts`), makes the checks that come before
// any handler in the order of real servers (`engine.ts`, `caller.ts`), and calls the handler: `resources.ts` and
// `resource-patch.ts` for every family alike, `config.ts`, `license.ts`, `identity.ts`, `engine.ts`. It returns a reply
// and the next state; `fault.ts` turns the reply into what goes over the wire. `values/` knows how servers read, check
// and patch JSON.
//
// No handler asks which product it is. What one product or release says or does differently is a member of its
// `ProductModel`, in `products/`: most is data (routes, texts, classes, rules for bodies), some are functions. Another
// family is a `ResourceFamily`, a row among the `segments` of the products that have it, and what it holds in
// `products/entry-classes.ts` (or in `bodyRules`, where a product has no classes).
import { RunError } from "../diagnostics/failure.ts";
import { assumedRelease } from "../dialects/index.ts";
import type { JsonObject } from "../json/value.ts";
import type { Family } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import type { ServedCluster } from "./cluster.ts";
import { createDelivery, type Delivery, type FaultHook } from "./fault.ts";
import { type ListeningServer, listen } from "./http.ts";
import { createProductServer } from "./products/index.ts";
import type { Reply } from "./reply.ts";
import { type RawRequest, wantsPretty } from "./request.ts";
import type { EmulatorUser, NodeSettings, RootAnswer } from "./settings.ts";
import type { EmulatorState, InitialState } from "./state.ts";

export type { Fault, FaultAnswer, FaultCase, FaultHook } from "./fault.ts";
export { encodeLicense, type LicenseRecord } from "./license.ts";
export { getServedRelease } from "./products/index.ts";
export type { EmulatorUser, RootAnswer } from "./settings.ts";
export type { EmulatorState, Entries, InitialState } from "./state.ts";

export interface EmulatorOptions {
  readonly product: Product;
  /** In any format of a release, such as `7.x-47` or `2.19.1`; by default the one that the dialect assumes. */
  readonly release?: string;
  /** Version of the search engine, such as `6.3.2`; by default the one that the release ran on. */
  readonly engine?: string;
  /** By default a free one. */
  readonly port?: number;
  readonly state?: InitialState;
  /** The node setting that lets PUT and PATCH change the config; off by default. */
  readonly allowConfigModification?: boolean;
  /**
   * With users, every request needs a password, and data are returned as the state permits; by default everybody may
   * do everything.
   */
  readonly users?: readonly EmulatorUser[];
  /** Name of a header that acts as an administrator's certificate; its value is the name on it. None by default. */
  readonly adminHeader?: string;
  /** As the list of API keys of OpenSearch 3.7 and later shows them; by default there are none. */
  readonly apiKeys?: readonly JsonObject[];
  /** As `GET /_alias` shows the indices and their aliases; by default there are none. */
  readonly aliases?: JsonObject;
  readonly clusterName?: string;
  readonly clusterUuid?: string;
  /** The time that licenses are checked against; by default the real time. */
  readonly now?: () => Date;
  readonly rootAnswer?: RootAnswer;
  /** Bytes of a body, unpacked; a longer one gets 413, as from a proxy that takes less than the 100 MB of the servers. */
  readonly longestBody?: number;
}

export interface RecordedRequest {
  readonly method: string;
  /** As it was sent, still encoded, with its query. */
  readonly path: string;
  /** Of the answer; where a fault let none through, of the one that was meant. */
  readonly status: number;
  readonly family?: Family;
  /** Of the body that was sent. */
  readonly bytes: number;
}

export interface Emulator {
  /** Without a slash at the end. */
  readonly url: string;
  /** Those since the start, or since they were last cleared; `/_emulator/requests` shows them and is none of them, like all below `/_emulator`. */
  readonly requests: readonly RecordedRequest[];
  state(): EmulatorState;
  /** Families that are not given become empty, except the product's built-in, protected entries. */
  replaceState(state: InitialState): void;
  clearRequests(): void;
  /** Called before each request; set it to inject faults. */
  fault: FaultHook;
  close(): Promise<void>;
}

/** Starts a server on loopback. Throws a RunError where it cannot be such a server, or the port is taken. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const settings = settingsFrom(options);
  const { product, engine, state = {} } = options;
  const release = options.release ?? assumedRelease[product];
  const served = createProductServer({ product, release, engine, settings, users: options.users, state });
  const memory = { requests: [] as RecordedRequest[], count: 0 };

  const serve = (request: RawRequest): Delivery => {
    const pretty = wantsPretty(request.path);
    if (/^\/_emulator\/requests\/?(\?|$)/.test(request.path)) return createDelivery(control(request.method), pretty);
    if (/^\/_emulator\/authorize\/?(\?|$)/.test(request.path)) return createDelivery(served.authorize(request), pretty);
    const { method, path, body } = request;
    memory.count += 1;
    const fault = emulator.fault({ method, path, body, count: memory.count });
    const reply = served.answer(request, fault === undefined || fault.at === "after");
    const delivery = createDelivery(reply, pretty, fault?.at === "lost" ? undefined : fault?.answer);
    memory.requests.push(recorded(request, delivery.status, served));
    return delivery;
  };

  /** For those who watch from another process. */
  const control = (method: string): Reply => {
    if (method === "DELETE") memory.requests = [];
    return { status: 200, json: memory.requests.map((request) => ({ ...request })) };
  };

  const server = await listening(options.port ?? 0, serve, options.longestBody);
  const emulator: Emulator = {
    url: server.url,
    get requests() {
      return memory.requests;
    },
    state: served.state,
    replaceState: served.replaceState,
    clearRequests: () => {
      memory.requests = [];
    },
    fault: () => undefined,
    close: server.close,
  };
  return emulator;
}

function settingsFrom(options: EmulatorOptions): Omit<NodeSettings, "users" | "endpoints"> {
  return {
    allowConfigModification: options.allowConfigModification ?? false,
    adminHeader: options.adminHeader?.toLowerCase(),
    clusterName: options.clusterName ?? "emulated",
    clusterUuid: options.clusterUuid ?? "emulated-cluster-0000",
    rootAnswer: options.rootAnswer ?? "open",
    ...(options.apiKeys && { apiKeys: options.apiKeys }),
    ...(options.aliases && { aliases: options.aliases }),
    now: options.now ?? (() => new Date()),
  };
}

function recorded({ method, path, body }: RawRequest, status: number, served: ServedCluster): RecordedRequest {
  const family = served.familyAt(path);
  const bytes = Buffer.byteLength(body, "utf8");
  return { method, path, status, ...(family === undefined ? {} : { family }), bytes };
}

async function listening(
  port: number,
  serve: (request: RawRequest) => Delivery,
  longest: number | undefined,
): Promise<ListeningServer> {
  try {
    return await listen(port, serve, longest);
  } catch (problem) {
    throw new RunError("failed", {
      what: `The emulator cannot listen on port ${port} of 127.0.0.1.`,
      why: problem instanceof Error ? problem.message : String(problem),
      fix: "Choose another one with --port; 0 takes any that is free.",
    });
  }
}
