import { createServer as createPlainServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import type { TlsOptions } from "../../../../src/model/target.ts";
import { hasOpenssl, openWorkshop, type Pair, type Workshop } from "./certificates.ts";
import { listening, putOf, readerOf, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

const secret = (text: string) => new Secret("live", text);

describe.skipIf(!hasOpenssl)(`TLS${hasOpenssl ? "" : " (skipped: no openssl is found)"}`, () => {
  let shop: Workshop;
  let pair: Pair;
  let client: Pair;
  beforeAll(() => {
    shop = openWorkshop();
    pair = shop.signed("server");
    client = shop.signed("client");
  });
  afterAll(() => shop.close());

  /** A server with this certificate; `demands`: it wants one of its client too. */
  const served = (own: Pair = pair, demands = false, more: object = {}) =>
    serve((_request, response) => response.end("{}"), {
      ...own,
      ...(demands && { ca: shop.ca.cert, requestCert: true, rejectUnauthorized: true }),
      ...more,
    });

  describe("the server's certificate", () => {
    it("is believed by its authority and name", async () => {
      const { url } = await served();
      const tls = { ca: shop.ca.cert };
      expect(await readerOf(targetAt(url, { tls })).get("/")).toMatchObject({ status: 200 });
    });

    it("is believed by another name that is asked for", async () => {
      const { url } = await served(shop.signed("server", "DNS:search.example"));
      const tls = { ca: shop.ca.cert, serverName: "search.example" };
      expect(await readerOf(targetAt(url, { tls })).get("/")).toMatchObject({ status: 200 });
    });

    it("is not looked at where that is asked for", async () => {
      const { url } = await served(shop.selfSigned("anybody"));
      expect(await readerOf(targetAt(url, { tls: { insecure: "--insecure" } })).get("/")).toMatchObject({
        status: 200,
      });
    });

    it("is looked at though a variable of Node says no, unless the target says so, too", async () => {
      const { url } = await served(shop.selfSigned("anybody"));
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
      try {
        for (const tls of [undefined, { ca: shop.ca.cert }])
          expect(await userMessageOf(targetAt(url, tls && { tls }))).toContain("self-signed certificate");
      } finally {
        vi.unstubAllEnvs();
      }
    });

    /** The message, and that neither a login nor anything else was sent to a server that is not trusted. */
    const check = async (own: Pair, tls: TlsOptions, userMessage: string, fix: string) => {
      const { url, seen } = await served(own);
      const auth = { kind: "basic", username: "u", password: secret("hunter2") } as const;
      const text = await userMessageOf(targetAt(url, { tls, auth }));
      expect(text).toContain(`${url} presents ${userMessage}`);
      expect(text).toContain(fix);
      expect(await writerOf(targetAt(url, { tls, auth })).send(putOf())).toMatchObject({ unsent: true });
      expect(seen).toEqual([]);
    };
    it("has expired", () =>
      check(
        shop.signed("server", undefined, -1),
        { ca: shop.ca.cert },
        "a certificate that has expired (it held until ",
        "Give the server a new certificate",
      ));
    it("is for other names", () =>
      check(
        shop.signed("server", "DNS:search.example,IP:10.0.0.1"),
        { ca: shop.ca.cert },
        "a certificate for another name: search.example, 10.0.0.1.",
        "server_name",
      ));
    it("is of an unknown authority", () =>
      check(pair, {}, 'a certificate of an unknown authority: "the-authority".', "--ca FILE"));
    it("is of another authority than the one that is named", () =>
      check(
        pair,
        { ca: shop.selfSigned("x").cert },
        'a certificate of an unknown authority: "the-authority".',
        "--ca or `tls: { ca: FILE }` names holds another authority",
      ));
    it("is its own authority", () =>
      check(shop.selfSigned("lonely"), {}, 'a self-signed certificate, of "lonely".', "--ca FILE"));

    it("is not walked around by asking another URL", async () => {
      const other = await served();
      const { url } = await served(shop.selfSigned("lonely"));
      const target = targetAt(url, { tls: { ca: shop.ca.cert }, otherUrls: [other.url] });
      expect(await userMessageOf(target)).toContain(`${url} presents a self-signed certificate`);
      expect(other.seen).toEqual([]);
    });
  });

  describe("our certificate", () => {
    const check = async (tls: TlsOptions) => {
      const { url } = await served(pair, true);
      expect(await readerOf(targetAt(url, { tls: { ca: shop.ca.cert, ...tls } })).get("/")).toMatchObject({
        status: 200,
      });
    };
    it("is shown, as PEM", () => check({ cert: client.cert, key: secret(client.key) }));
    it("is shown, with an encrypted key", () =>
      check({ cert: client.cert, key: secret(shop.encrypted(client.key, "pw1")), passphrase: secret("pw1") }));
    it("is shown, as PKCS #12", () => check({ pkcs12: secret(shop.pkcs12(client, "pw1")), passphrase: secret("pw1") }));

    it("stays closed to every wrong passphrase, the one in 256 too by which it seems to open", async () => {
      const key = secret(shop.encrypted(client.key, "pw1"));
      const messages = new Set<string>();
      for (let at = 0; at < 1_000; at += 1) {
        const tls = { cert: client.cert, key, passphrase: secret(`wrong ${at}`) };
        messages.add((await userMessageOf(targetAt("https://127.0.0.1:1", { tls }))).slice(0, 60));
      }
      expect([...messages]).toEqual(["The passphrase does not open the key of the client certifica"]);
    });

    describe.each(["TLSv1.2", "TLSv1.3"] as const)("by %s", (maxVersion) => {
      it("is missing: nothing was sent", async () => {
        const { url } = await served(pair, true, { maxVersion });
        const tls = { ca: shop.ca.cert };
        expect(await userMessageOf(targetAt(url, { tls }))).toContain(
          `${url} wants a client certificate, and the target has`,
        );
        expect(await writerOf(targetAt(url, { tls })).send(putOf())).toMatchObject({ unsent: true });
      });
      it("is refused", async () => {
        const port = await shop.server(pair, maxVersion);
        const tls = { ca: shop.ca.cert, ...shop.selfSigned("stranger") };
        const target = targetAt(`https://127.0.0.1:${port}`, { tls: { ...tls, key: secret(tls.key) } });
        expect(await userMessageOf(target)).toContain(
          `${target.url} refuses the client certificate. It ended the TLS handshake`,
        );
        expect(await writerOf(target).send(putOf())).toMatchObject({ unsent: true });
      });
    });

    const messages: readonly [what: string, tls: () => TlsOptions, userMessage: string][] = [
      [
        "whose passphrase is wrong",
        () => ({ cert: client.cert, key: secret(shop.encrypted(client.key, "pw1")), passphrase: secret("pw2") }),
        "The passphrase does not open the key of the client certificate.",
      ],
      [
        "whose passphrase is missing",
        () => ({ cert: client.cert, key: secret(shop.encrypted(client.key, "pw1")) }),
        "The key of the client certificate is encrypted, and no passphrase is given.",
      ],
      [
        "of PKCS #12 whose passphrase is wrong",
        () => ({ pkcs12: secret(shop.pkcs12(client, "pw1")), passphrase: secret("pw2") }),
        "The passphrase does not open the PKCS #12 file.",
      ],
      [
        "that is no PKCS #12",
        () => ({ pkcs12: secret("aGVsbG8=") }),
        "The PKCS #12 file of the target cannot be read.",
      ],
      [
        "with the key of another",
        () => ({ cert: client.cert, key: secret(pair.key) }),
        "The key of the target does not belong to its client certificate.",
      ],
      [
        "that is broken",
        () => ({ cert: "-----BEGIN CERTIFICATE-----\nx\n", key: secret(client.key) }),
        "The PEM text of the client certificate cannot be read.",
      ],
      [
        "with a broken key",
        () => ({ cert: client.cert, key: secret("-----BEGIN PRIVATE KEY-----\nx\n") }),
        "The PEM text of the client certificate's key cannot be read.",
      ],
      ["and an authority that is none", () => ({ ca: "hello" }), "The PEM text of the authority cannot be read."],
    ];
    it.each(messages)("%s", async (_what, tls, userMessage) =>
      expect(await userMessageOf(targetAt("https://127.0.0.1:1", { tls: tls() }))).toContain(userMessage),
    );
  });

  describe("another protocol", () => {
    it("HTTP, where TLS is meant", async () => {
      const { port } = await serve((_request, response) => response.end("{}"));
      expect(await userMessageOf(targetAt(`https://127.0.0.1:${port}`))).toContain("does not speak TLS.");
    });
    it("something else, where HTTP is meant", async () => {
      const port = await listening(createPlainServer((socket) => socket.end("220 mail.example ESMTP\r\n")));
      expect(await userMessageOf(targetAt(`http://127.0.0.1:${port}`))).toContain("does not speak HTTP.");
    });
    // Both at once, as each is tried several times.
    it("TLS, where HTTP is meant; something that hangs up, where TLS is meant", async () => {
      const { port } = await served();
      const silent = await listening(createPlainServer((socket) => socket.once("data", () => socket.destroy())));
      const targets = [`http://127.0.0.1:${port}`, `https://127.0.0.1:${silent}`].map((url) => targetAt(url));
      const [plain = "", broken = ""] = await Promise.all(targets.map((target) => userMessageOf(target)));
      expect(plain).toContain("Try https:// instead of http://");
      expect(broken).toContain("ends the connection before TLS is agreed on.");
    });
  });
});
