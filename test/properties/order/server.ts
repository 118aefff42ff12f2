// An emulated server as one function, without sockets: what is sent and read is what would go over the wire.
import { encodeResource } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { ServedCluster } from "../../../src/emulator/cluster.ts";
import { createProductServer } from "../../../src/emulator/products/index.ts";
import type { InitialState } from "../../../src/emulator/state.ts";
import type { Fields, Json, JsonObject } from "../../../src/json/value.ts";
import { readState } from "../../../src/live/read.ts";
import type { LiveState } from "../../../src/model/live.ts";
import { type ResourceFamily, resourceFamilies } from "../../../src/model/names.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { ReadPort } from "../../../src/model/ports.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { fixtureOf, type Resources, resourcesOf } from "./resources.ts";

/** One that plays many fixtures, one after the other. */
export interface Server {
  readonly dialect: Dialect;
  readonly families: readonly ResourceFamily[];
  readonly reader: ReadPort;
  /** It holds this fixture and nothing else. */
  hold(fixture: Fixture): void;
  read(): Promise<LiveState>;
  /** The status, and what is said. */
  send(operation: Operation): { readonly status: number; readonly reported: string };
}

// The first Search Guard 7 with an API of blocks is 41; they are evaluated alike up to 52.
const releases = {
  opensearch: ["opensearch", "2.19"],
  "search-guard-7": ["search-guard", "7.x-47"],
  "search-guard-6": ["search-guard", "6"],
} as const;

export function serverOf(product: Fixture["product"]): Server {
  const [name, release] = releases[product];
  const dialect = createDialect(name, release);
  const served = createProductServer({ product: name, release, engine: undefined, settings: node, state: {} });
  const families = resourceFamilies.filter((family) => family in dialect.collections);
  const reader = readerOf(served);
  return {
    dialect,
    families,
    reader,
    hold: (fixture) => served.replaceState(stateOf(fixture, dialect)),
    read: () => readState(reader, dialect, { needed: families, reference: [] }),
    send: ({ method, path, body }) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const { status, json } = served.answer({ method, path, headers: jsonHeaders, body: text }, true);
      return { status, reported: JSON.stringify(json) };
    },
  };
}

/** What the server holds, with what is not its to hold as in `like`. */
export function fixtureIn({ resources }: LiveState, like: Fixture): Fixture {
  const values = [...resources].map(([family, all]) => {
    return [family, new Map([...all].map(([name, { value }]): [string, Fields] => [name, value]))] as const;
  });
  const held: Resources = new Map(values);
  return fixtureOf(held, like);
}

const node = {
  allowConfigModification: false,
  adminHeader: undefined,
  clusterName: "emulated",
  clusterUuid: "emulated-cluster-0000",
  rootAnswer: "open",
  now: () => new Date(0),
} as const;

const jsonHeaders = { "content-type": "application/json" };

function readerOf(served: ServedCluster): ReadPort {
  return {
    get: async (path) => {
      const { status, json } = served.answer({ method: "GET", path, headers: {}, body: "" }, false);
      const text = JSON.stringify(json ?? null);
      return { status, body: JSON.parse(text), text, milliseconds: 0 };
    },
    close: async () => {},
  };
}

function stateOf(fixture: Fixture, dialect: Dialect): InitialState {
  const families = [...resourcesOf(fixture)].map(([family, values]) => {
    const encoded = [...values].map(([name, value]): [string, Json] => [name, onTheWire(dialect, family, value)]);
    return [family, new Map(encoded)];
  });
  return { ...Object.fromEntries(families), config: configOf(fixture) };
}

function onTheWire(dialect: Dialect, family: ResourceFamily, value: Fields): Json {
  return JSON.parse(JSON.stringify(encodeResource(dialect, family, value)));
}

/** The one setting of the fixtures that is not a node's own. */
function configOf({ product, settings }: Fixture): JsonObject {
  const spans = settings?.multi_rolespan_enabled;
  if (product === "opensearch" || spans === undefined) return { dynamic: {} };
  return { dynamic: { multi_rolespan_enabled: product === "search-guard-6" ? String(spans) : spans } };
}
