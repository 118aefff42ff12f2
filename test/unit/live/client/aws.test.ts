// Rows of the source "suite" are of the signature version 4 test suite that AWS publishes (aws-sig-v4-test-suite, today in
// awslabs/aws-c-auth), with their names there. It signs paths that no client can send unescaped (get-utf8, get-space); for
// such paths, and for both services of OpenSearch, botocore 1.43, AWS's own library, gave the rows of the source "botocore".
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import { signHeaders } from "../../../../src/live/client/aws.ts";
import vectors from "./aws-vectors.json" with { type: "json" };

const datetime = "20150830T123600Z";
const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: new Secret("key", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
};

interface Given {
  readonly method?: string;
  readonly url?: string;
  readonly service?: string;
  readonly headers?: object;
  readonly body?: string | Uint8Array;
  readonly token?: string;
}

function sign({ method = "GET", url = "https://example.amazonaws.com/", service = "es", ...given }: Given) {
  const headers = Object.fromEntries(Object.entries(given.headers ?? {}).map(([name, value]) => [name, String(value)]));
  const session = given.token === undefined ? {} : { sessionToken: new Secret("token", given.token) };
  const credentials = { region: "us-east-1", service, keys: { ...keys, ...session } };
  return signHeaders({ method, url, headers, body: given.body, credentials, datetime });
}

describe("AWS signature version 4", () => {
  test.each(vectors)("$source: $name", async ({ signedHeaders: names, signature, ...given }) => {
    const scope = `AKIDEXAMPLE/20150830/us-east-1/${given.service}/aws4_request`;
    const { authorization } = await sign(given);
    expect(authorization).toBe(`AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${names}, Signature=${signature}`);
  });

  test("covers bytes as it covers text", async () => {
    const bytes = await sign({ method: "PUT", body: new TextEncoder().encode("é") });
    expect(bytes).toEqual(await sign({ method: "PUT", body: "é" }));
    expect(bytes.authorization).not.toBe((await sign({ method: "PUT", body: "e" })).authorization);
  });

  test("leaves out of it what is changed on the way, and sends it all the same", async () => {
    const headers = { "X-Forwarded-For": "10.0.0.1", "User-Agent": "gate-sync", "Content-Length": "3" };
    expect(await sign({ headers })).toEqual({ ...(await sign({})), ...headers });
  });

  test("sends what it signed: date, session token, digest", async () => {
    const signed = await sign({ service: "aoss", token: "t0ken", body: "[]", headers: { Accept: "a/b" } });
    expect(signed).toEqual({
      Accept: "a/b",
      authorization: expect.stringContaining(
        "SignedHeaders=accept;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,",
      ),
      "x-amz-content-sha256": "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
      "x-amz-date": datetime,
      "x-amz-security-token": "t0ken",
    });
  });

  test("lets nothing else say what the signature says", async () => {
    const headers = { "X-Amz-Date": "19700101T000000Z", Authorization: "Basic eA==" };
    expect(await sign({ headers })).toEqual(await sign({}));
  });

  test("is of now where no time is given", async () => {
    const credentials = { region: "us-east-1", service: "es", keys };
    const signed = await signHeaders({ method: "GET", url: "https://x/", headers: {}, body: undefined, credentials });
    const at = Date.parse((signed["x-amz-date"] ?? "").replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5"));
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
  });
});
