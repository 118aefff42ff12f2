import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import { connectToRead } from "../../../../src/live/client/http.ts";
import type { Credentials } from "../../../../src/model/target.ts";
import { targetAt } from "./served.ts";

const password = `p&s<"1>'ü/%a b`;
const basic: Credentials = { kind: "basic", username: "u", password: new Secret("live", password) };
const base64 = Buffer.from(`u:${password}`).toString("base64");
const bearer: Credentials = { kind: "bearer", token: new Secret("live", "aa+/bb==") };
const html = password.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What is left of a refusal that says `echo`. */
async function check(auth: Credentials | undefined, echo: string, hidden: boolean, header = "x"): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(403).end(`refused ${echo} here`));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const headers = { "X-Extra": new Secret("live", header) };
  const reader = connectToRead(targetAt(`http://127.0.0.1:${port}`, { headers, ...(auth && { auth }) }));
  try {
    const { text } = await reader.get("/x");
    expect(text).toBe(hidden ? "(the answer repeats our login and is not shown)" : `refused ${echo} here`);
  } finally {
    await reader.close();
    server.close();
  }
}

it.each<[string, Credentials, string]>([
  ["as it is", basic, password],
  ["in JSON", basic, JSON.stringify(password)],
  ["in JSON with escapes of HTML", basic, JSON.stringify(password).replace("&", "\\u0026").replace("<", "\\u003c")],
  ["in HTML", basic, html.replaceAll('"', "&quot;").replaceAll("'", "&#39;")],
  ["in HTML with numbers", basic, html.replaceAll('"', "&#34;").replaceAll("'", "&#x27;").replace("ü", "&#252;")],
  ["in HTML twice", basic, html.replaceAll("&", "&amp;")],
  ["in a URL", basic, encodeURIComponent(password)],
  ["in a form", basic, new URLSearchParams({ password }).toString()],
  ["in the header", basic, `Basic ${base64}`],
  ["in the header in a URL", bearer, encodeURIComponent("aa+/bb==")],
])("our login %s is not shown", (_how, auth, echo) => check(auth, echo, true));

it.each([["100 % &sure; \\u00zz %zz"], ["&#1114112; &#999999999;"]])("%s is shown", (text) =>
  check(basic, text, false),
);

const key = "QUJDREVGR0hJSktMTU5PUFFSU1Q=";

it.each([
  ["as it is", key],
  ["in JSON in JSON", JSON.stringify(JSON.stringify({ key }))],
  ["in part", key.slice(3, 26)],
])("an extra header %s is not shown", (_how, echo) => check(undefined, echo, true, key));

it.each([
  ["true", "true"],
  ["all_access,worf", "no permission to access"],
])("of an extra header that says %s, %s is shown", (header, echo) => check(undefined, echo, false, header));

it("keys of AWS are not shown", () => {
  const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: new Secret("live", "sk/secret+one") };
  const aws = { ...keys, sessionToken: new Secret("live", "st/session+one") };
  const auth = { kind: "aws", region: "us-east-1", service: "es", keys: aws } as const;
  return Promise.all([check(auth, "sk/secret+one", true), check(auth, "st%2Fsession%2Bone", true)]);
});

it("nor a login in what else an answer says", async () => {
  const server = createServer((_request, response) =>
    response
      .writeHead(302, { location: `/login/${encodeURIComponent(password)}`, "www-authenticate": `Basic realm="r"` })
      .end(),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const reader = connectToRead(targetAt(`http://127.0.0.1:${port}`, { auth: basic }));
  try {
    const answer = await reader.get("/x");
    expect(answer).toMatchObject({ status: 302, challenge: 'Basic realm="r"' });
    expect(answer.location).toBeUndefined();
  } finally {
    await reader.close();
    server.close();
  }
});
