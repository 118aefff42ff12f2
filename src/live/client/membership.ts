import { RunError } from "../../diagnostics/failure.ts";
import { parseShownCluster, type ShownCluster } from "../shown-cluster.ts";
import {
  type HttpConnection,
  isSilence,
  type OutgoingRequest,
  type ServerResponse,
  type Silence,
} from "./connection.ts";

type Asked = Pick<OutgoingRequest, "method" | "path" | "timeout">;

export interface Membership {
  /**
   * The answer to the request, if the URL may have it.
   *
   * @throws RunError `usage` for a URL that shows another cluster, or none
   */
  through<A extends Asked>(
    connection: HttpConnection,
    request: A,
    send: (asked: A | Asked) => Promise<ServerResponse | Silence>,
  ): Promise<ServerResponse | Silence>;
}

/**
 * Lets requests through to URLs that show the same cluster by `GET /`: the one known beforehand, else the one that
 * is shown first. A URL is asked before its first request, and again once it did not connect.
 *
 * @param known of what was read to make the plan
 * @param patience milliseconds for `GET /`, which asks a node for what it has in memory
 */
export function createMembership(known: ShownCluster | undefined, patience: number): Membership {
  let first: { readonly shown: ShownCluster; readonly url?: string } | undefined = known && { shown: known };
  const members = new Set<HttpConnection>();

  /** Whether the answer to `GET /` says anything of the cluster. */
  const learn = (connection: HttpConnection, { status, text }: ServerResponse): boolean => {
    if (status === 401 || status === 429 || status >= 500) return false;
    const shown = parseShownCluster(status, parsed(text));
    first ??= { shown, url: connection.url };
    if (!isSame(first.shown, shown)) throw anotherCluster(connection.url, status, shown, first);
    members.add(connection);
    return true;
  };

  return {
    async through(connection, request, send) {
      const { method, path, timeout } = request;
      if (path !== "/" && !members.has(connection)) {
        const root = await send({ method: "GET", path: "/", timeout: Math.min(timeout, patience) });
        // Whatever came of it, the request itself was not sent.
        if (isSilence(root)) return { ...root, unsent: true };
        if (!learn(connection, root)) return method === "GET" || root.status === 401 ? root : unwell(connection, root);
      }
      const heard = await send(request);
      if (isSilence(heard)) members.delete(connection);
      else if (path === "/") learn(connection, heard);
      return heard;
    },
  };
}

function isSame(a: ShownCluster, b: ShownCluster): boolean {
  return a.clusterUuid === b.clusterUuid && a.clusterName === b.clusterName;
}

function unwell({ url }: HttpConnection, { status }: ServerResponse): Silence {
  const error = new RunError("failed", {
    what: `${url} was sent nothing: GET / answered ${status} there, so its cluster is unknown.`,
    fix: "Look at that node. Nothing was changed.",
  });
  return { url, unsent: true, error };
}

function anotherCluster(
  url: string,
  status: number,
  shown: ShownCluster,
  first: { readonly shown: ShownCluster; readonly url?: string },
): RunError {
  const [here, there] = [inWords(shown), inWords(first.shown)];
  const asked = here === undefined ? `shows no cluster (GET / answered ${status})` : `shows the cluster ${here}`;
  const expected = `${first.url ?? "the plan"} ${first.url === undefined ? "is for" : "shows"} ${there ?? (first.url === undefined ? "one that shows neither name nor uuid" : "none")}`;
  return new RunError("usage", {
    what: `${url} ${asked}, and ${expected}.`,
    why: "All URLs of a target are of one cluster: this one was sent nothing else.",
    fix: "Leave it out of `url` of the target (or --url). If it is of the same cluster, let the user read GET / at each URL.",
  });
}

/** `search-a (uuid x9)` */
function inWords({ clusterName, clusterUuid }: ShownCluster): string | undefined {
  if (clusterName === undefined) return clusterUuid && `with the uuid ${clusterUuid}`;
  return clusterUuid === undefined ? clusterName : `${clusterName} (uuid ${clusterUuid})`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
