// Runs every scenario of this folder: README.md of test/ says what a scenario is and how to add one.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Emulator, FaultAnswer, FaultHook } from "../../src/emulator/index.ts";
import type { EmulatorRequest } from "../../src/engine/emulate.ts";
import { emulate } from "../../src/engine/emulate.ts";
import type { Product } from "../../src/model/plan.ts";
import { onScreen, onScreenWithin } from "../support/command.ts";
import { isDrawn } from "../support/extent.ts";

interface Scenario {
  readonly server?: Partial<Omit<EmulatorRequest, "port">> & { readonly product?: Product; readonly release?: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Strings that must be nowhere in what is shown or written. */
  readonly secrets?: readonly string[];
  readonly steps: readonly Step[];
}

interface Step {
  /** A command line. */
  readonly run: string;
  /** Default 0. */
  readonly exit?: number;
  /** What reaches the server while it runs; GETs that are sent at once are sorted. */
  readonly requests: readonly string[];
  readonly faults?: readonly ScenarioFault[];
  /** gate-sync reads again and again in it, however often: of reads between two writes each is listed once. */
  readonly waits?: boolean;
  /** Replaces that of the scenario. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files to show when it has run. */
  readonly shows?: readonly string[];
}

/** A fault of the server, described by the request that meets it. */
interface ScenarioFault {
  /** `METHOD path`. */
  readonly on: string;
  /** Whether the request takes effect all the same. */
  readonly at: "before" | "after";
  /** How many such requests meet it. Default: every one of the step. */
  readonly times?: number;
  readonly answer: FaultAnswer;
}

const here = fileURLToPath(new URL(".", import.meta.url));
/** In place of the emulator's port, and as wide as the ports that systems give away. */
const shownPort = "19200";
const isUpdate = process.env.UPDATE === "1";
const scenarios = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.concurrent.for(scenarios.map(({ name }) => name))("%s", async (name, { expect }) => {
  const folder = join(here, name);
  const scenario = parse(readFileSync(join(folder, "case.yaml"), "utf8")) as Scenario;
  const golden = join(folder, "expected.txt");
  const { seen, text, leaks } = await report(folder, scenario);
  if (isUpdate) writeFileSync(golden, text);
  expect(leaks).toEqual([]);
  expect(seen).toEqual(scenario.steps.map(({ run, exit = 0, requests }) => ({ run, exit, requests })));
  expect(text).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "(no expected.txt yet: UPDATE=1 npm test)");
});

test("every folder here is a scenario", () => {
  expect(scenarios.length).toBeGreaterThan(0);
  expect(scenarios.filter(({ name }) => !existsSync(join(here, name, "repo")))).toEqual([]);
});

interface Explained {
  /** What its user sees. */
  readonly text: string;
  readonly seen: readonly Required<Pick<Step, "run" | "exit" | "requests">>[];
  /** Those of its secrets that are in what is shown or in a file. */
  readonly leaks: readonly string[];
}

/** Plays a scenario in a copy of its repository. */
async function report(folder: string, { steps, ...scenario }: Scenario): Promise<Explained> {
  const cwd = mkdtempSync(join(tmpdir(), "gate-sync-case-"));
  const emulator = await started(folder, scenario);
  try {
    const { port } = new URL(emulator.url);
    cpSync(join(folder, "repo"), cwd, { recursive: true });
    replaceIn(join(cwd, "gate-sync.yaml"), shownPort, port);
    const screens: string[] = [];
    const seen: Explained["seen"][number][] = [];
    for (const { run, faults = [], waits = false, shows = [], env } of steps) {
      emulator.clearRequests();
      emulator.fault = played(faults);
      const [, ...args] = run.replaceAll(shownPort, port).split(" ");
      const { code, text } = await (isDrawn(folder) ? onScreen : onScreenWithin)(args, {
        cwd,
        env: { ...scenario.env, ...env },
      });
      seen.push({ run, exit: code, requests: requestsOf(emulator, waits) });
      const files = shows.map((file) => `$ cat ${file}\n${readFileSync(join(cwd, file), "utf8")}`);
      screens.push(`$ ${run}\n${withoutTimes(withoutDates(text))}`, ...files);
    }
    const text = screens.join("\n").replaceAll(port, shownPort);
    return { text, seen, leaks: leaked(cwd, text, scenario.secrets ?? []) };
  } finally {
    await emulator.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

function started(folder: string, { server = {}, env = {} }: Omit<Scenario, "steps">): Promise<Emulator> {
  const { product = "gate", release, ...options } = server;
  const live = existsSync(join(folder, "live.yml")) ? ["live.yml"] : [];
  const flags = { product, statePaths: live, ...(release !== undefined && { release }) };
  // The configuration of the repository is for its users; the server has none.
  const request = { cwd: folder, env, flags };
  return emulate(request, { port: 0, allowConfigModification: false, users: [], ...options });
}

function played(faults: readonly ScenarioFault[]): FaultHook {
  const left = new Map(faults.map((fault) => [fault, fault.times ?? Number.POSITIVE_INFINITY]));
  return ({ method, path }) => {
    const fault = faults.find((each) => each.on === `${method} ${path}` && (left.get(each) ?? 0) > 0);
    if (fault) left.set(fault, (left.get(fault) ?? 0) - 1);
    return fault;
  };
}

/** GETs of one stage are sent all at once and arrive in any order. */
function requestsOf({ requests }: Emulator, once: boolean): readonly string[] {
  const inOrder: string[] = [];
  let reads: string[] = [];
  for (const { method, path } of requests) {
    if (method === "GET") {
      if (!once || !reads.includes(`GET ${path}`)) reads.push(`GET ${path}`);
    } else {
      inOrder.push(...reads.sort(), `${method} ${path}`);
      reads = [];
    }
  }
  return [...inOrder, ...reads.sort()];
}

/** Of an outcome, at the end of its line; they differ from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\b\d+(\.\d+)? m?s$/gm, "0 ms");
}

/** Of a backup, at the start of its name. */
function withoutDates(text: string): string {
  return text
    .replace(/\b\d{8}T\d{6}\.\d{3}Z-/g, "20260301T081500.000Z-")
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, "2026-03-01 08:15:00 UTC")
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-03-01T08:15:00.000Z")
    .replace(/\(run [0-9a-f]{8}\)/g, "(run 01234567)");
}

function leaked(cwd: string, shown: string, secrets: readonly string[]): readonly string[] {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = [shown, ...files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8"))];
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}

function replaceIn(file: string, text: string, by: string): void {
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replaceAll(text, by));
}
