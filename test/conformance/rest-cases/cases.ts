import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { InitialState } from "../../../src/emulator/index.ts";

/** One request of a server's own test suite, with the status that it expects. */
export interface Case {
  readonly suite: string;
  readonly seq: number;
  readonly method: string;
  readonly path: string;
  /** Undefined: none is sent. */
  readonly body: string | undefined;
  readonly status: number;
  readonly auth: string;
  /** The test that it belongs to; each starts with a server of its own. */
  readonly test: string;
}

const ourFamilies = new Set(["roles", "rolesmapping", "tenants", "actiongroups", "config"]);

/** The rows about our families whose path, payload and status are literal. */
export function readCases(corpus: string): readonly Case[] {
  const [header = "", ...lines] = readFileSync(join(corpus, "REST-CASES.tsv"), "utf8").trimEnd().split("\n");
  const names = header.split("\t");
  const rows = lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])) as Readonly<
      Record<string, string>
    >;
  });
  return rows
    .filter(
      (row) => row.replayable === "yes" && ourFamilies.has(row.family ?? "") && /^\d+$/.test(row.expected_status ?? ""),
    )
    .map((row) => caseFrom(row, corpus));
}

function caseFrom(row: Readonly<Record<string, string>>, corpus: string): Case {
  const { suite = "", seq = "", method = "", path = "", expected_status = "", auth = "", test_method = "" } = row;
  const { payload = "", payload_kind = "" } = row;
  return {
    suite,
    seq: Number(seq),
    method,
    path: path.startsWith("/") ? path : `/${path}`,
    body:
      payload_kind === "none"
        ? undefined
        : payload_kind === "file"
          ? readFileSync(join(corpus, payload), "utf8")
          : payload,
    status: Number(expected_status),
    auth,
    test: test_method,
  };
}

/** What the servers of a suite start with: the files beside its payloads. */
export function startOf(suite: string, corpus: string): InitialState {
  const project = suite.startsWith("odfe") ? "opendistro-for-elasticsearch+security" : "opensearch-project+security";
  const read = (file: string): object => {
    const { _meta, ...entries } = parse(
      readFileSync(join(corpus, project, "src/test/resources/restapi", file), "utf8"),
    );
    return entries as object;
  };
  return {
    roles: read("roles.yml"),
    role_mappings: read("roles_mapping.yml"),
    action_groups: read("action_groups.yml"),
    config: (read("config.yml") as { config: object }).config,
  } as InitialState;
}
