// node test/conformance/real/record.mjs [name …]: what real servers answer, as fixtures that the emulator is held to. The
// same release writes the same bytes each time.
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { javaBetween } from "./java.mjs";
import { products, usual } from "./products.mjs";
import { requestsFor } from "./requests.mjs";
import { say } from "./say.mjs";
import { startServer } from "./server.mjs";

const folder = fileURLToPath(new URL("../fixtures/", import.meta.url));
const names = process.argv.slice(2);

for (const name of names.length > 0 ? names : usual) {
  const product = products[name];
  const java = await javaBetween(product.java);
  if (java === undefined) throw new Error(`${name} needs a Java from ${product.java.join(" to ")}.`);
  const server = await startServer(product, java, { configWritable: product.writable[0] });
  try {
    const lines = [];
    for (const asked of requestsFor(product)) lines.push({ ...asked, ...(await answered(server, asked)) });
    const file = `${product.product}-${product.release}.jsonl`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${file}`, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    say(`${lines.length} answers in ${file}`);
  } finally {
    await server.stop();
  }
}

function answered({ url, certificates }, { as, method, path, body }) {
  const { ca, cert, key } = certificates;
  const login = {
    admin: "admin:admin",
    readall: "readall:readall",
    logstash: "logstash:logstash",
    wrong: "admin:nope",
  }[as];
  const { hostname, port } = new URL(url);
  // A connection each: what was refused on one must not affect the next.
  const agent = new Agent({ ca, ...(as === "cert" && { cert, key }) });
  const headers = {
    ...(login && { authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, agent, headers }, async (incoming) => {
      let text = "";
      for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
      agent.destroy();
      resolve({ status: incoming.statusCode, response: explained(text) });
    });
    outgoing.on("error", reject).end(body);
  });
}

/** JSON where it is; without what differs from run to run, and the modules of a license, which are many. */
function explained(text) {
  const steady = text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, "DATE")
    .replace(/Failed node \[[^\]]*\]/g, "Failed node [NODE]")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    // Sets of Java, whose order is another in each process.
    .replace(/(?<=allowed: \[)[A-Z, ]+/g, (methods) => methods.split(", ").sort().join(", "))
    .replace(/(?<=Supported are: )[a-z,]+/g, (names) => names.split(",").sort().join(","));
  try {
    return JSON.parse(steady, steadyMember);
  } catch {
    return steady;
  }
}

function steadyMember(key, value) {
  if (key === "modules") return "*";
  return key === "keys" && typeof value === "string" ? value.split(",").sort().join(",") : value;
}
