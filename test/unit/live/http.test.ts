import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { connectToRead } from "../../../src/live/http.ts";
import type { Credentials, Target } from "../../../src/model/target.ts";

const password = `p&s<"1>'ü/%a b`;
const basic: Credentials = { kind: "basic", username: "u", password: new Secret("live", password) };
const base64 = Buffer.from(`u:${password}`).toString("base64");
const bearer: Credentials = { kind: "bearer", token: new Secret("live", "aa+/bb==") };
const html = password.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What is left of a refusal that says `echo`. */
async function check(auth: Credentials, echo: string, hidden: boolean): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(403).end(`refused ${echo} here`));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const reader = connectToRead({ name: "t", url: `http://127.0.0.1:${port}`, auth } as Target);
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
