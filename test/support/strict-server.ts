import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { type FamilyName, families, type Release } from "./strict/forms.ts";
import { type Answer, type Held, perform, type Rules } from "./strict/operations.ts";
import { Refusal, undocumented } from "./strict/refusal.ts";
import { checkMethod, type Target, targetOf } from "./strict/routes.ts";
import { store, type Variant, type WireState } from "./strict/state.ts";

export type { WireState } from "./strict/state.ts";

/** The variants: each a way to fill what api.md leaves open. */
export interface StrictOptions {
  readonly state: WireState;
  /** Default 7.x-43.0.0. */
  readonly release?: Release;
  /** Status of a PUT that creates; one that replaces answers 200. Default 200. */
  readonly putCreates?: Rules["putCreates"];
  /** Body of the answer to a PATCH. Default `json`. */
  readonly patchAnswer?: Rules["patchAnswer"];
  /** Whether a 404 has a body. Default true. */
  readonly notFoundBody?: boolean;
  /** The slash at the end of a collection, for GET and bulk PATCH alike: 404 for the other form. Default `either`. */
  readonly slash?: Rules["slash"];
  /** Default `present`. `absent` also takes them from the state: what is reserved is then unknown. */
  readonly flags?: Variant["flags"];
  /** Default `stored`. */
  readonly defaults?: Variant["defaults"];
  /** Whether a patch is made on what GET shows, defaults and flags included, or on what is stored. Default `shown`. */
  readonly patchSees?: Rules["patchSees"];
  /** Gives the first open role a field that the document does not have: `x_vendor: {"a":1}`. Default false. */
  readonly unknownField?: boolean;
  /** Whether the config may be written; else 405. Default false, as §4.4 has it. */
  readonly configModification?: boolean;
  /** What GET shows of a license that a PUT has installed. Default `{"installed": true}`. */
  readonly showLicense?: (text: string) => Json;
  /** `GET /` belongs to the search engine: 403 by default, or put on record as a violation. */
  readonly root?: Rules["root"];
}

export interface StrictRequest {
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  /** Absent for what is no path of the API. */
  readonly family?: FamilyName | "config" | "license";
  readonly status: number;
  /** As text; empty where there was none. */
  readonly body: string;
}

export interface StrictServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** One line for each request that api.md does not have, and for each unknown field that an update lost. */
  readonly violations: readonly string[];
  /** Every request but GETs, refused ones too. */
  readonly writes: readonly StrictRequest[];
  readonly reads: readonly StrictRequest[];
  /** What is stored now, in the form of the release; `licenseText` after a PUT of one. */
  state(): WireState & { readonly licenseText?: string };
  close(): Promise<void>;
}

/** A server of product `gate` that knows nothing but api.md: any other form is answered 400 and put on record. */
export async function startStrictServer(options: StrictOptions): Promise<StrictServer> {
  const rules = rulesOf(options);
  const held = open(options, rules.variant);
  const violations: string[] = [];
  const writes: StrictRequest[] = [];
  const reads: StrictRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "" } = request;
    const body = await textOf(request);
    const { answer, target, wrong } = evaluate(held, rules, request, body);
    violations.push(...wrong.map((reason) => `${method} ${path}: ${reason}`));
    const family = familyOf(target);
    const record = { method, path, status: answer.status, body, ...(family === undefined ? {} : { family }) };
    (method === "GET" ? reads : writes).push(record);
    send(response, answer.status === 404 && options.notFoundBody === false ? { status: 404 } : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    violations,
    writes,
    reads,
    state: () => snapshot(held, rules.variant),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function rulesOf(options: StrictOptions): Rules {
  const { release = "7.x-43.0.0", flags = "present", defaults = "stored" } = options;
  return {
    variant: { release, flags, defaults },
    putCreates: options.putCreates ?? 200,
    patchAnswer: options.patchAnswer ?? "json",
    patchSees: options.patchSees ?? "shown",
    slash: options.slash ?? "either",
    configModification: options.configModification ?? false,
    root: options.root ?? "refused",
    showLicense: options.showLicense ?? (() => ({ installed: true })),
  };
}

function open({ state, unknownField }: StrictOptions, variant: Variant): Held {
  const stored = store(state, variant);
  if (unknownField) {
    const open = [...(stored.get("roles") ?? [])].filter(([, role]) => !role.reserved && !role.hidden && !role.static);
    const first = open.sort(([a], [b]) => (a < b ? -1 : 1))[0];
    if (first) stored.get("roles")?.set(first[0], { ...first[1], x_vendor: { a: 1 } });
  }
  return { stored, config: state.config, license: state.license, licenseText: undefined };
}

function snapshot(held: Held, { release }: Variant): ReturnType<StrictServer["state"]> {
  const { stored, config, license, licenseText } = held;
  const formOf = (family: FamilyName, fields: JsonObject): Json =>
    family === "action_groups" && release === "6.x-25" ? (fields.permissions ?? []) : fields;
  const resources = new Map(
    families.map((family) => {
      const entries = [...(stored.get(family) ?? [])];
      return [family, new Map(entries.map(([name, fields]) => [name, formOf(family, fields)]))];
    }),
  );
  return {
    resources,
    ...(config === undefined ? {} : { config }),
    ...(license === undefined ? {} : { license }),
    ...(licenseText === undefined ? {} : { licenseText }),
  };
}

/** The answer to one request, and what was wrong with it. */
function evaluate(
  held: Held,
  rules: Rules,
  request: IncomingMessage,
  text: string,
): { answer: Answer; target?: Target; wrong: readonly string[] } {
  const { method = "", url = "", headers } = request;
  let target: Target | undefined;
  try {
    target = targetOf(url);
    checkMethod(method, target);
    const answer = perform(held, rules, method, target, bodyOf(method, headers["content-type"], text));
    return { answer, target, wrong: (answer.lost ?? []).map((what) => `lost unknown field: ${what}`) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const answer = { status: error.status, body: { status: String(error.status), message: error.message } };
    return { answer, ...(target ? { target } : {}), wrong: error.violation ? [error.message] : [] };
  }
}

function bodyOf(method: string, contentType: string | undefined, text: string): Json | undefined {
  if (method === "GET" || method === "DELETE") {
    if (text !== "") throw undocumented(`${method} has no body`);
    return undefined;
  }
  if (contentType !== "application/json") throw undocumented(`Content-Type is application/json, not ${contentType}`);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw undocumented("the body is not JSON");
  }
}

function familyOf(target: Target | undefined): StrictRequest["family"] {
  if (target === undefined || target.kind === "root") return undefined;
  return target.kind === "config" || target.kind === "license" ? target.kind : target.family;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, { "content-length": 0 }).end();
  } else if (typeof body === "string") {
    response.writeHead(status, { "content-type": "text/plain" }).end(body);
  } else {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
}
