// An authority, a node and an administrator, made again for each server: nothing that must be kept secret outlives it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { done } from "./fetch.mjs";

/** Writes ca.pem, node.pem, node-key.pem, admin.pem and admin-key.pem. */
export async function makeCertificates(folder) {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args) => done("openssl", args, { cwd: folder });
  const subject = (name) => `/O=gate-sync/OU=suite/CN=${name}`;
  await openssl(
    ..."req -x509 -newkey rsa:2048 -nodes -sha256 -days 30 -keyout ca-key.pem -out ca.pem -subj".split(" "),
    subject("ca"),
  );
  const leaf = async (name, extensions) => {
    writeFileSync(join(folder, "extensions"), extensions);
    // genpkey writes PKCS #8, the only form that the plugins read.
    await openssl(..."genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out".split(" "), `${name}-key.pem`);
    await openssl("req", "-new", "-key", `${name}-key.pem`, "-subj", subject(name), "-out", "request");
    await openssl(
      ..."x509 -req -in request -CA ca.pem -CAkey ca-key.pem -CAcreateserial -sha256 -days 30".split(" "),
      ...["-extfile", "extensions", "-out", `${name}.pem`],
    );
  };
  await leaf("node", "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n");
  await leaf("admin", "extendedKeyUsage=clientAuth\n");
  for (const name of ["request", "extensions", "ca-key.pem", "ca.srl"]) rmSync(join(folder, name), { force: true });
}
