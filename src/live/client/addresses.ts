import { type HttpConnection, isSilence, type ServerResponse, type Silence } from "./line.ts";
import { isAboutCertificates } from "./tls-messages.ts";

type Attempt = (line: HttpConnection) => Promise<ServerResponse | Silence>;

/**
 * Tries the addresses of one cluster until one connects, beginning with the last that did. An address that connected
 * and then did not answer may have processed the request: no other is tried then.
 */
export function tryAddresses(
  lines: readonly HttpConnection[],
): (attempt: Attempt) => Promise<ServerResponse | Silence> {
  let current = 0;
  return async (attempt) => {
    const silences: Silence[] = [];
    for (const line of [...lines.slice(current), ...lines.slice(0, current)]) {
      const result = await attempt(line);
      if (!isSilence(result) || !isElsewhere(result)) {
        current = lines.indexOf(line);
        return result;
      }
      silences.push(result);
    }
    const [first, ...also] = silences;
    return { ...(first as Silence), also };
  };
}

/** A problem with certificates is one of the settings: it is reported, and no other address hides it. */
function isElsewhere({ unsent, error }: Silence): boolean {
  return unsent && !isAboutCertificates(error);
}
