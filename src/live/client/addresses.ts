import { type HttpConnection, isSilence, type ServerResponse, type Silence } from "./line.ts";
import { isAboutCertificates } from "./tls-messages.ts";

type Attempt = (line: HttpConnection) => Promise<ServerResponse | Silence>;

/**
 * The addresses of one cluster, asked in turn until one connects, beginning with the last that did. One that connected
 * and then fell silent may have taken what it was sent: no other is asked then.
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

/** What is wrong with certificates is wrong with the settings, and shall be seen and not walked around. */
function isElsewhere({ unsent, error }: Silence): boolean {
  return unsent && !isAboutCertificates(error);
}
