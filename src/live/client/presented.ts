// Looks at a certificate that was not trusted, for the message about it. Nothing is sent on that connection.
import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";

/** Of a server's certificate. */
export interface PresentedCertificate {
  /** Common names, in quotation marks. */
  readonly subject?: string;
  readonly issuer?: string;
  /** `search.example, 10.0.0.1` */
  readonly names?: string;
  /** As certificates write it: `Nov 21 10:00:00 2026 GMT`. */
  readonly from?: string;
  readonly until?: string;
}

/** Milliseconds: it only improves a message. */
const patience = 3_000;

/** Nothing of it where it cannot be seen. */
export function probePresented(url: string, serverName: string | undefined): Promise<PresentedCertificate> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const servername = serverName ?? (isIP(host) === 0 ? host : "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false });
    const end = (presented: PresentedCertificate) => {
      socket.destroy();
      resolve(presented);
    };
    socket.setTimeout(patience, () => end({}));
    socket.once("error", () => end({}));
    socket.once("secureConnect", () => end(partsOf(socket.getPeerCertificate())));
  });
}

function partsOf({
  subject,
  issuer,
  subjectaltname,
  valid_from,
  valid_to,
}: Partial<PeerCertificate>): PresentedCertificate {
  const names = subjectaltname?.replaceAll(/(DNS|IP Address):/g, "");
  return {
    ...named("subject", subject?.CN),
    ...named("issuer", issuer?.CN),
    ...(names && { names }),
    ...(valid_from && { from: valid_from }),
    ...(valid_to && { until: valid_to }),
  };
}

/** A certificate may hold several names of one kind, though typings do not say so. */
function named(part: "subject" | "issuer", name: string | readonly string[] | undefined): PresentedCertificate {
  return name === undefined ? {} : { [part]: `"${[name].flat().join(", ")}"` };
}
