import { Agent, type OutgoingHttpHeaders, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

/** One request as it goes out: nothing is added but what represents an administrator's certificate. */
export interface Outgoing {
  readonly method: string;
  /** As it is in the request line. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | undefined;
  /** Whether it comes with the certificate of an administrator. */
  readonly certificate: boolean;
}

export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Connections to one server, kept alive. */
export interface Wire {
  send(outgoing: Outgoing): Promise<Incoming>;
  close(): void;
}

/** Where a server is, and how an administrator's certificate is shown to it: by TLS, or by a header that represents it. */
export type Whereabouts =
  | { readonly url: string; readonly tls: { readonly ca: string; readonly cert: string; readonly key: string } }
  | { readonly url: string; readonly adminHeader: string };

/** @param connections at most; a request waits where all are in use */
export function wireTo(where: Whereabouts, connections = Number.POSITIVE_INFINITY): Wire {
  const { hostname, port } = new URL(where.url);
  const options = { keepAlive: true, maxSockets: connections };
  if ("adminHeader" in where) {
    const agent = new Agent(options);
    const shown = { [where.adminHeader]: "CN=admin,OU=suite,O=gate-sync" };
    return {
      send: (outgoing) =>
        exchanged(plainRequest, { hostname, port, agent }, outgoing, outgoing.certificate ? shown : {}),
      close: () => agent.destroy(),
    };
  }
  const { ca, cert, key } = where.tls;
  const anonymous = new TlsAgent({ ...options, ca });
  const administrator = new TlsAgent({ ...options, ca, cert, key });
  return {
    send: (outgoing) =>
      exchanged(tlsRequest, { hostname, port, agent: outgoing.certificate ? administrator : anonymous }, outgoing, {}),
    close: () => {
      anonymous.destroy();
      administrator.destroy();
    },
  };
}

interface Route {
  readonly hostname: string;
  readonly port: string;
  readonly agent: Agent;
}

async function exchanged(
  request: typeof plainRequest,
  route: Route,
  { method, path, headers, body }: Outgoing,
  more: Readonly<Record<string, string>>,
): Promise<Incoming> {
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const outgoing = request({ ...route, method, path, headers: { ...headers, ...length, ...more } });
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject).on("response", async (incoming) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
      } catch (problem) {
        reject(problem);
      }
    });
    outgoing.end(body);
  });
}
