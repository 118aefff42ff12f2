// The adapter of aws4fetch, which signs requests for Amazon OpenSearch Service: AWS Signature version 4.
import type { AwsKeys } from "../../model/target.ts";

export interface RequestToSign {
  readonly method: string;
  /** As it goes over the wire, escapes included: the signature covers every one of them. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that are sent: compress them before, not after. */
  readonly body: string | Uint8Array | undefined;
  readonly credentials: { readonly region: string; readonly service: string; readonly keys: AwsKeys };
  /** `20150830T123600Z`; absent: now. */
  readonly datetime?: string;
}

/** Headers that proxies and HTTP libraries set or change on the way; a signature over them would break. */
const changedInBetween =
  /^(accept-encoding|authorization|connection|content-length|expect|forwarded|host|te|transfer-encoding|user-agent|via|x-amzn-trace-id|x-forwarded-.*|proxy-.*)$/i;

/** The headers to send: those handed in, and those that carry the signature. They hold for a few minutes. */
export async function signHeaders(request: RequestToSign): Promise<Record<string, string>> {
  const { method, url, headers, body = "", credentials, datetime } = request;
  const { region, service, keys } = credentials;
  const own = Object.entries(headers);
  const { AwsV4Signer } = await import("aws4fetch");
  const signer = new AwsV4Signer({
    method,
    url,
    body,
    headers: [...own.filter(([name]) => !changedInBetween.test(name)), ...(await digestFor(service, body))],
    allHeaders: true,
    region,
    service,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey.reveal(),
    ...(keys.sessionToken && { sessionToken: keys.sessionToken.reveal() }),
    ...(datetime !== undefined && { datetime }),
  });
  const signed = await signer.sign();
  const others = own.filter(([name]) => !isOfSignature(name.toLowerCase()));
  return Object.fromEntries([...others, ...[...signed.headers].filter(([name]) => isOfSignature(name))]);
}

function isOfSignature(name: string): boolean {
  return name === "authorization" || name.startsWith("x-amz-");
}

/** OpenSearch Serverless refuses requests that do not state the digest of their body; the others do without. */
async function digestFor(service: string, body: string | Uint8Array): Promise<[string, string][]> {
  if (service !== "aoss") return [];
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : Uint8Array.from(body);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  return [["x-amz-content-sha256", digest]];
}
