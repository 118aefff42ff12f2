import { deflateSync, gzipSync } from "node:zlib";
import type { EmulatorState, InitialState } from "../../../src/emulator/index.ts";
import { adminHeader, clusterName, isObject, ourFamilies, type Probe, type Sent, user } from "./probe.ts";
import type { Recorded } from "./recording.ts";

const api = "/_plugins/_security/api";
const statePair = "/_plugins/_security/(authinfo|whoami|health)";
const places = `(${ourFamilies}|permissionsinfo|account|nonsense|authfailurelisteners)`;

function openSearch(file: string, release: string): Probe {
  return {
    file,
    options: {
      product: "opensearch",
      release,
      adminHeader,
      clusterName,
      allowConfigModification: true,
      users: [
        user("admin", "all", ["own_index", "all_access"]),
        { ...user("readall", "none", ["own_index", "readall"]), monitors: false },
      ],
    },
    seed: "os-2.19.1.jsonl",
    initial: firstState,
    scope: new RegExp(
      `^(/$|/_cat/plugins|${statePair}|(${api}|/_opendistro/_security/api|/_searchguard/api)/${places}([/?]|$))`,
    ),
    fresh: new Map([
      ["config-denied", { allowConfigModification: false }],
      ["danger", {}],
      ["transport", {}],
    ]),
    before: unrecorded,
    whole: wholeBody,
  };
}

export const openSearchProbes: readonly Probe[] = [
  openSearch("os-2.19.1.jsonl", "2"),
  openSearch("os-3.4.0.jsonl", "3"),
];

/** What the product does not come with by itself. */
function firstState(lines: readonly Recorded[]): InitialState {
  return {
    role_mappings: answerTo(lines, "rolesmapping"),
    tenants: answerTo(lines, "tenants"),
    config: answerTo(lines, "securityconfig").config,
  } as InitialState;
}

/** The first whole answer to GET of a family. */
function answerTo(lines: readonly Recorded[], place: string): Readonly<Record<string, unknown>> {
  const found = lines.find(
    ({ path, status, cut }) => path === `${api}/${place}` && status === 200 && cut === undefined,
  );
  return isObject(found?.response) ? found.response : {};
}

function request(method: string, path: string, body?: object): Sent {
  const headers: Readonly<Record<string, string>> = body === undefined ? {} : { "content-type": "application/json" };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return { who: "cert", method, path: `${api}/${path}`, headers, body: text };
}

function unrecorded(line: Recorded, previous: Recorded | undefined, state: EmulatorState): readonly Sent[] {
  switch (line.section) {
    case "crud":
      return beforeMappings(line);
    case "patch1":
      return beforePatch(line, previous);
    case "names":
      return line.note === "PUT" ? leftovers(state) : [];
    case "transport":
      return betweenTransports(previous);
    default:
      return [];
  }
}

const role = {
  cluster_permissions: ["cluster_monitor"],
  index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["read"] }],
};

/** A mapping needs a role of its name; those were made and removed unrecorded. */
function beforeMappings({ path, note }: Recorded): readonly Sent[] {
  const makes = (starts: readonly string[]) =>
    starts.map((start) => request("PUT", `roles/${start}_rolesmapping`, role));
  if (path === `${api}/rolesmapping/p_rolesmapping` && note === "GET missing") return makes(["p", "m"]);
  if (path === `${api}/rolesmapping/h_rolesmapping` && note === "cert makes hidden") return makes(["h", "r", "s"]);
  return [];
}

const patched = {
  cluster_permissions: ["a", "b"],
  index_permissions: [{ index_patterns: ["a*"], dls: "{}", fls: ["x"], allowed_actions: ["READ"] }],
  description: "d",
};

/** Every single patch was tried on the same entry, which was put there again each time; the notes tell the exceptions. */
function beforePatch({ path, method, note }: Recorded, previous: Recorded | undefined): readonly Sent[] {
  if (method !== "PATCH") return [];
  if (note === "only defaults: add description") return [request("PUT", "roles/pp", { cluster_permissions: [] })];
  if (path === `${api}/roles/pp`) return /only/.test(note) ? [] : [request("PUT", "roles/pp", patched)];
  if (previous?.path === path) return [];
  if (path === `${api}/rolesmapping/pm`) {
    return [request("PUT", "roles/pm", role), request("PUT", "rolesmapping/pm", { users: [] })];
  }
  if (path === `${api}/tenants/pt`) return [request("PUT", "tenants/pt", { description: "d" })];
  return [request("PUT", "actiongroups/pg", { allowed_actions: [] })];
}

/** Between two names, whatever the last one left behind under another name was removed. */
function leftovers({ tenants }: EmulatorState): readonly Sent[] {
  const left = [...tenants.keys()].filter((name) => name !== "global_tenant" && name !== "admin_tenant" && name !== "");
  return left.map((name) => request("DELETE", `tenants/${encodeURIComponent(name)}`));
}

/** This section was made on the server of the first ones, where one tenant had been left behind. */
function betweenTransports(previous: Recorded | undefined): readonly Sent[] {
  switch (previous?.note) {
    case "deflate request":
      return [request("DELETE", "tenants/gz")];
    case "if_seq_no parameter":
      return [request("DELETE", "tenants/etag")];
    default:
      return previous?.section === "transport" ? [] : [request("PUT", "tenants/til%2Fde", { description: "c" })];
  }
}

/** Bodies that the recording cuts, or of which it has the length only. */
function wholeBody({ body, note }: Recorded, seed: readonly Recorded[]): string | Buffer | undefined {
  if (note === "gzip request") return gzipSync('{"description":"zipped"}');
  if (note === "deflate request") return deflateSync('{"description":"zipped"}');
  if (!/<cut( \d+)?>$/.test(body ?? "")) return body;
  if (note === "unauthenticated big body") return "x".repeat(200_000);
  return JSON.stringify(longBody(note, seed));
}

function longBody(note: string, seed: readonly Recorded[]): unknown {
  const { config } = answerTo(seed, "securityconfig");
  const dynamic = isObject(config) && isObject(config.dynamic) ? config.dynamic : {};
  const name = "L".repeat(20_000);
  switch (note) {
    case "long description":
      return { description: "x".repeat(5000) };
    case "bulk name 20000":
      return [{ op: "add", path: `/${name}`, value: { description: "x" } }];
    case "bulk remove":
      return [{ op: "remove", path: `/${name}` }];
    case "PUT wrapped":
      return { config: { dynamic } };
    case "PUT unknown key":
      return { dynamic, foo: 1 };
    case "PUT unknown in dynamic":
      return { dynamic: { ...dynamic, foo: 1 } };
    default:
      return { dynamic };
  }
}
