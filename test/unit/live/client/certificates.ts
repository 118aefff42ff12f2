// Certificates made by openssl for one run of the tests. Where there is none, who needs them is skipped, and says so.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

export interface Pair {
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
}

export interface Workshop {
  readonly ca: Pair;
  /** @param names `DNS:search.example`; @param days below 0: it has expired */
  readonly signed: (commonName: string, names?: string, days?: number) => Pair;
  readonly selfSigned: (commonName: string) => Pair;
  /** The key, encrypted. */
  readonly encrypted: (key: string, passphrase: string) => string;
  /** In base64. */
  readonly pkcs12: (pair: Pair, passphrase: string) => string;
  /** A server that says why it does not believe their certificates, which Node's does not; its port. */
  readonly server: (own: Pair, version: "TLSv1.2" | "TLSv1.3") => Promise<number>;
  readonly close: () => void;
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-tls-"));
  const openssl = (command: string) => execFileSync("openssl", command.split(" "), { cwd: folder, stdio: "pipe" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem";
  const selfSigned = (commonName: string): Pair => {
    openssl(`req -x509 ${newKey} -out cert.pem -days 2 -subj /CN=${commonName}`);
    return { cert: read("cert.pem"), key: read("key.pem") };
  };
  const ca = selfSigned("the-authority");
  write("ca.pem", ca.cert);
  write("ca-key.pem", ca.key);
  return {
    ca,
    selfSigned,
    signed(commonName, names = "DNS:localhost,IP:127.0.0.1", days = 2) {
      openssl(`req -new ${newKey} -out request.pem -subj /CN=${commonName}`);
      write("names.txt", `subjectAltName=${names}`);
      const by = "-CA ca.pem -CAkey ca-key.pem -CAcreateserial -extfile names.txt";
      openssl(`x509 -req -in request.pem ${by} -days ${days} -out cert.pem`);
      return { cert: read("cert.pem"), key: read("key.pem") };
    },
    encrypted(key, passphrase) {
      write("plain.pem", key);
      // A thousand passphrases are tried against one key.
      openssl(`pkcs8 -topk8 -iter 1 -in plain.pem -out encrypted.pem -passout pass:${passphrase}`);
      return read("encrypted.pem");
    },
    pkcs12({ cert, key }, passphrase) {
      write("cert.pem", cert);
      write("key.pem", key);
      openssl(`pkcs12 -export -in cert.pem -inkey key.pem -out bundle.p12 -passout pass:${passphrase}`);
      return readFileSync(join(folder, "bundle.p12")).toString("base64");
    },
    async server({ cert, key }, version) {
      write("server.pem", cert);
      write("server-key.pem", key);
      const demands = "-Verify 1 -verify_return_error -CAfile ca.pem";
      const command = `s_server -accept 127.0.0.1:0 -www -cert server.pem -key server-key.pem ${demands}`;
      const protocol = version === "TLSv1.2" ? "-tls1_2" : "-tls1_3";
      const child = spawn("openssl", [...command.split(" "), protocol], {
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
      });
      onTestFinished(() => void child.kill());
      for await (const line of createInterface(child.stdout)) {
        const [, port] = /^ACCEPT 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
        if (port !== undefined) return Number(port);
      }
      throw new Error("openssl s_server does not listen.");
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
