// Who we say we are, in the head of a plan: never what lets anybody be us.
import { expect, test } from "vitest";
import { summariseSource } from "../../../src/engine/source.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Target } from "../../../src/model/target.ts";

const hidden = new Secret("${env:X}", "hunter2");
const command = { argv: ["/usr/bin/login", "--password", "hunter2"], cwd: "/", env: { X: "hunter2" } };
const aws = { kind: "aws", region: "eu-west-1", service: "es" } as const;

test.each<[string | undefined, Pick<Target, "auth" | "tls">]>([
  ["ana", { auth: { kind: "basic", username: "ana", password: hidden } }],
  ["the bearer of a token", { auth: { kind: "bearer", token: hidden } }],
  [
    "AWS key AKIA1",
    { auth: { ...aws, keys: { accessKeyId: "AKIA1", secretAccessKey: hidden, sessionToken: hidden } } },
  ],
  ["an AWS key, printed by login", { auth: { ...aws, keys: command } }],
  ["a login, printed by login", { auth: { kind: "exec", command } }],
  ["the holder of a client certificate", { tls: { cert: "PEM", key: hidden } }],
  ["the holder of a client certificate", { tls: { pkcs12: hidden, passphrase: hidden } }],
  [
    "ana, or the holder of a client certificate",
    { auth: { kind: "basic", username: "ana", password: hidden }, tls: { pkcs12: hidden } },
  ],
  [undefined, { tls: { ca: "PEM" } }],
])("%s", (identity, login) => {
  const target: Target = {
    name: "a",
    url: "https://x",
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
    ...login,
  };
  const summary = summariseSource({ ...target, headers: { "x-token": hidden }, proxy: { https: hidden } });
  expect(summary).toEqual({
    name: "a",
    url: "https://x",
    snapshot: false,
    ...(identity !== undefined && { identity }),
  });
});
