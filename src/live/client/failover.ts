import { type HttpConnection, isSilence, type ServerResponse, type Silence } from "./connection.ts";
import { isAboutCertificates } from "./tls-messages.ts";

type Attempt = (connection: HttpConnection) => Promise<ServerResponse | Silence>;

/**
 * Tries the URLs of one cluster until one connects, beginning with the last that did. A URL that connected
 * and then did not answer may have processed the request: no other is tried then.
 */
export function tryUrls(
  connections: readonly HttpConnection[],
): (attempt: Attempt) => Promise<ServerResponse | Silence> {
  let current = 0;
  return async (attempt) => {
    const silences: Silence[] = [];
    for (const connection of [...connections.slice(current), ...connections.slice(0, current)]) {
      const result = await attempt(connection);
      if (!isSilence(result) || !isElsewhere(result)) {
        current = connections.indexOf(connection);
        return result;
      }
      silences.push(result);
    }
    const [first, ...also] = silences;
    return { ...(first as Silence), also };
  };
}

/** A problem with certificates is one of the settings: it is reported, and no other URL hides it. */
function isElsewhere({ unsent, error }: Silence): boolean {
  return unsent && !isAboutCertificates(error);
}
