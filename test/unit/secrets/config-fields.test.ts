import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { hideSecrets, isSecretField, mayBeSecret } from "../../../src/secrets/config-fields.ts";

const parts = [
  ["password"],
  ["passwd"],
  ["passphrase"],
  ["secret"],
  ["hmac"],
  ["credential"],
  ["private", "key"],
  ["signing", "key"],
  ["encryption", "key"],
  ["exchange", "key"],
  ["jwt", "key"],
  ["api", "key"],
  ["pemkey", "content"],
];
const words = [["pass"], ["pwd"], ["pw"], ["token"], ["tokens"]];

const armored = (kind: string) => `-----BEGIN ${kind}-----\nQUJDRA==\n-----END ${kind}-----\n`;

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const joins: readonly ((parts: readonly string[]) => string)[] = [
  (all) => all.join("_"),
  (all) => all.join("-"),
  (all) => all.join("."),
  (all) => all.map((word, at) => (at === 0 ? word : capitalise(word))).join(""),
  (all) => all.join("_").toUpperCase(),
];

describe("a field whose value is secret", () => {
  it.each([...parts, ...words].map((name) => [name]))(
    "is %j, however it is written, alone or with other words",
    (name) => {
      for (const join of joins) {
        for (const whole of [name, ["bind", ...name], [...name, "old"], ["bind", ...name, "old"]])
          expect(isSecretField(join(whole)), join(whole)).toBe(true);
      }
    },
  );

  it("is one that has such a word within another, unless the word is short", () => {
    for (const name of parts) expect(isSecretField(`my${name.join("_")}s`), name.join("_")).toBe(true);
    for (const name of words) expect(isSecretField(`my${name}izer`), name.join("_")).toBe(false);
  });

  it.each(["file", "filepath", "path", "paths", "attribute", "header", "type", "alias", "url", "lifetime"])(
    "is none where its name ends in %s",
    (end) => {
      for (const name of [...parts, ...words])
        for (const join of joins) expect(isSecretField(join([...name, end])), join([...name, end])).toBe(false);
    },
  );

  it("is none that counts them or says which one is meant, but for the id of an AppRole", () => {
    expect(["max_tokens_per_user", "min_password_length", "token_id", "signing_key_id"].filter(isSecretField)).toEqual(
      [],
    );
    expect(["secret_id", "secret-id", "secretId"].map(isSecretField)).toEqual([true, true, true]);
    expect(["password_file", "client_key_token_id"].map(mayBeSecret)).toEqual([true, true]);
  });

  it("is one in characters that only look like others", () => {
    expect(["api_\u212aey", "to\u212aen"].map(isSecretField)).toEqual([true, true]);
  });

  it.each(["bind_pasword", "bindPasswrd", "pasword", "client-secrt", "signing_kez", "credntials"])(
    "is %s, a slip of such a name",
    (name) => expect(hideSecrets({ [name]: "hunter2" })).toEqual({ [name]: new Secret("live", "hunter2") }),
  );

  it("is one of digits that are in no quotes, and none that says how long it lasts", () => {
    const secret = new Secret("live", "12345678");
    expect(hideSecrets({ password: 12345678, bindPwd: 12345678, jwt_key: [12345678], token_expiry: 300 })).toEqual({
      password: secret,
      bindPwd: secret,
      jwt_key: [secret],
      token_expiry: 300,
    });
  });

  it("is none that is about tokens, and has its secrets below", () => {
    expect(["api_tokens", "auth_token_provider", "max_tokens"].filter(isSecretField)).toEqual([]);
    expect(["jwt_signing_key_hs512", "jwt_encryption_key_a256kw"].map(isSecretField)).toEqual([true, true]);
  });

  it.each([
    ["a public key", armored("PUBLIC KEY")],
    ["a certificate", armored("CERTIFICATE")],
    ["an empty text", ""],
    ["what products ship to be replaced", "base64 encoded HMAC key or public RSA/ECDSA pem key"],
  ])("shows %s, whatever its field is called", (_, value) => {
    const config = { signing_key: value, keys: { hmac_key: [value], text: value } };
    expect(hideSecrets(config)).toEqual(config);
  });

  it.each([
    ["a private key", armored("PRIVATE KEY")],
    ["a private key below a public one", armored("PUBLIC KEY") + armored("EC PRIVATE KEY")],
    ["a text below a public key", `${armored("PUBLIC KEY")}hunter2`],
  ])("shows nothing of %s, whatever its field is called", (_, value) => {
    const secret = new Secret("live", value);
    expect(hideSecrets({ signing_key: value, text: value })).toEqual({ signing_key: secret, text: secret });
  });

  it("is none of a role", () => {
    const fields = ["cluster_permissions", "index_patterns", "allowed_actions", "dls", "hosts", "key", "signing", ""];
    expect(fields.filter(isSecretField)).toEqual([]);
  });
});
