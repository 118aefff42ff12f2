// Every command, in every format, with every login, whatever the server says: no secret comes out, in no form.
import { expect, test } from "vitest";
import { isFull, isWhole, partOf } from "../support/extent.ts";
import type { Kind } from "./canaries.ts";
import { type Harness, onHarness } from "./harness.ts";
import { echoOf, type Incoming, type Weather } from "./mirror.ts";

interface Command {
  readonly line: string;
  readonly formats?: readonly string[];
  /** Runs before it, in fair weather. */
  readonly before?: readonly string[];
  readonly inGit?: boolean;
  /** A field that the server keeps in the open, and that no file of this run calls secret: it is what is asked for. */
  readonly showsDescriptions?: true;
}

const allowed = "--allow deletions --allow changes --allow plain-secrets --allow login --allow authentication";
const data = ["text", "json"];
const findings = ["junit", "html", "sarif", "code-quality", "github", "dotenv"];
const review = [...data, "markdown", ...findings];

/** A new command is a line here. */
const commands: readonly Command[] = [
  { line: `plan --full --verbose ${allowed}`, formats: review },
  { line: `plan --out plan.json ${allowed}`, formats: review },
  {
    line: "plan --live snapshot.json",
    formats: review,
    before: ["export --snapshot snapshot.json"],
    showsDescriptions: true,
  },
  { line: `apply --yes --full --verbose ${allowed}`, formats: data },
  { line: "apply plan.json", formats: data, before: [`plan --out plan.json ${allowed}`] },
  { line: `apply --expect FINGERPRINT ${allowed}`, formats: data, before: [`plan ${allowed}`] },
  { line: `rollback --yes --full ${allowed}`, formats: data, before: [`apply --yes ${allowed}`] },
  { line: "drift --full --verbose", formats: review },
  { line: "drift --applied-ref HEAD", formats: review, inGit: true },
  { line: "drift --baseline plan.json", formats: review, before: [`plan --out plan.json ${allowed}`] },
  { line: "drift", formats: review, before: [`apply --yes ${allowed}`] },
  { line: "status", formats: data, before: [`apply --yes ${allowed}`] },
  { line: "plan --base HEAD", formats: review, inGit: true },
  { line: "import literal --out imported --full", formats: data },
  { line: "export --out exported", formats: data, showsDescriptions: true },
  { line: "export --snapshot snapshot.json", formats: data, showsDescriptions: true },
  { line: "doctor --verbose", formats: data },
  { line: "validate --verbose", formats: [...data, "junit", "sarif", "code-quality", "github", "dotenv"] },
  { line: "render", formats: ["yaml", "json"] },
  { line: "diff-targets literal file --full" },
  { line: "diff-targets file literal --format json" },
  { line: "guards" },
  { line: "schema" },
];

const named = (targets: readonly string[]) => targets.map((target) => `--target ${target}`);
const targets = named(["password", "file", "token", "exec", "proxied", "literal"]);
/** Where there is no way to the server. */
const lost = [
  ...named(["refused", "not-tls", "no-key", "key-in-variable", "half-printed", "failing-program", "no-variable"]),
  "--config userinfo.yaml",
  "--config broken-userinfo.yaml",
];

const isWrite = ({ method }: Incoming) => method !== "GET";
const isRead = ({ method }: Incoming) => method === "GET";

function echoing(status: number, of: (incoming: Incoming) => boolean, inForm: (echo: string) => string): Weather {
  return (incoming) => (of(incoming) ? { status, body: inForm(echoOf(incoming)) } : undefined);
}

const isConfig = ({ path }: Incoming) => path.includes("gate_config");

/** The live config, which the program has never read. */
function echoingConfig(inForm: (text: string) => string): Weather {
  return (incoming, held) => {
    if (!isRead(incoming) || !isConfig(incoming)) return undefined;
    return { status: 500, body: inForm(JSON.stringify(held())) };
  };
}

const asMessage = (echo: string) => JSON.stringify({ message: `not ${echo}` });
const asMessageOfMessage = (echo: string) => JSON.stringify({ error: { reason: JSON.stringify({ reason: echo }) } });
const inBase64 = (echo: string) => Buffer.from(echo).toString("base64");

const weathers: Readonly<Record<string, Weather>> = {
  fair: () => undefined,
  "401 to all, said back": echoing(401, () => true, asMessage),
  "403 to reads, said back as it is": echoing(403, isRead, (echo) => echo),
  "500 to reads, said back in a message in a message": echoing(500, isRead, asMessageOfMessage),
  "400 to reads, in base64": echoing(400, isRead, inBase64),
  "200 to reads, no JSON, said back": echoing(200, isRead, (echo) => `{"cannot": ${echo}`),
  "200 to reads, other JSON, said back": echoing(200, isRead, (echo) => JSON.stringify([echo])),
  "500 to reads of the config, with all that it holds": echoingConfig((text) => text),
  "500 to reads of the config, in a message": echoingConfig((text) =>
    JSON.stringify({ message: `cannot read ${text}` }),
  ),
  "500 to reads of the config, in a message in a message": echoingConfig((text) =>
    JSON.stringify({ error: { reason: JSON.stringify({ reason: text }) } }),
  ),
  "500 to writes of the config, said back": echoing(
    500,
    (incoming) => isWrite(incoming) && isConfig(incoming),
    asMessage,
  ),
  "400 to writes of the license, said back": echoing(
    400,
    (incoming) => isWrite(incoming) && incoming.path.includes("license"),
    asMessage,
  ),
  "403 to writes, said back": echoing(403, isWrite, asMessage),
  "500 to writes, as it is": echoing(500, isWrite, (echo) => echo),
  "400 to writes, in a message in a message": echoing(400, isWrite, asMessageOfMessage),
  "400 to writes, in a URL": echoing(400, isWrite, encodeURIComponent),
  "400 to writes, in base64": echoing(400, isWrite, inBase64),
  "200 to writes, no JSON, said back": echoing(200, isWrite, (echo) => `{"done": ${echo}`),
};

/** One run: what came of it on the screen and on the disk. */
async function leaksOf(
  { line, before = [], inGit, showsDescriptions }: Command,
  tail: string,
  weather: Weather,
  harness: Harness,
) {
  const { run, mirror, git, leaks } = harness;
  if (inGit) for (const words of ["init -q", "add .", "commit -q -m a"]) git(words);
  let fingerprint = "0".repeat(32);
  for (const earlier of before) {
    const { stdout } = await run(earlier + tail.replace(/ --format \w+/, ""));
    fingerprint = /Fingerprint (\w+)/.exec(stdout)?.[1] ?? fingerprint;
  }
  mirror.weather = weather;
  const { stdout, stderr, code } = await run(line.replace("FINGERPRINT", fingerprint) + tail);
  expect(stdout + stderr).not.toBe("");
  expect(code).toBeDefined();
  const found = leaks([stdout, stderr]).filter((place) => !(showsDescriptions && place.endsWith("description")));
  return found.length === 0 ? [] : [`${line}${tail}: ${found.join(", ")}\n${stdout}${stderr}`];
}

function check(kind: Kind, command: Command, tail: string, weather: Weather): Promise<readonly string[]> {
  return onHarness(kind, (harness) => leaksOf(command, tail, weather, harness));
}

/** All formats where all goes well; in the others, which show less, one after the other. */
const rows = Object.entries(weathers).flatMap(([name, weather], number) =>
  commands.flatMap((command) =>
    (name === "fair" ? [...targets, ...lost] : targets).flatMap((target, index) => {
      const { formats = [""] } = command;
      const some = name === "fair" ? formats : [formats[(number + index) % formats.length] ?? ""];
      return some.map((format) => ({ name, weather, command, format, target }));
    }),
  ),
);

/** An apply in each weather, with secrets of both kinds, which alternate; and all, or of a third a part or a few. */
const applies = rows.filter(({ command, target }) => command.line.startsWith("apply --yes") && target === targets[0]);
const thirds = rows.filter((_, at) => at % 3 === 0);
const played = partOf(isWhole ? rows : thirds) ?? rows.filter((_, at) => at % 197 === 0);
const chosen = [...applies.flatMap((row) => [row, row]), ...played];

const takesTarget = ({ line }: Command) => !/^(?:guards|schema|diff-targets)\b/.test(line);

test(
  "no secret comes out",
  async () => {
    const leaks: string[] = [];
    for (const [index, { name, weather, command, format, target }] of chosen.entries()) {
      const tail = takesTarget(command) ? ` ${target}${format === "" ? "" : ` --format ${format}`}` : "";
      for (const leak of await check(index % 2 === 0 ? "short" : "long", command, tail, weather))
        leaks.push(`${name}: ${leak}`);
    }
    expect(leaks).toEqual([]);
  },
  isFull ? 3_600_000 : 180_000,
);
