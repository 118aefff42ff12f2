import { exitCodes } from "../diagnostics/failure.ts";
import type { TestRun } from "../engine/test.ts";
import { jsonText } from "../render/json-text.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  requestFrom,
  styleFor,
  withOutputOptions,
  withProductOptions,
} from "./options.ts";

export function defineTest(program: Command, run: RunCommand) {
  const command = program
    .command("test")
    .description("hold the files to their access tests; no server and no secret is needed")
    .argument("[state...]", "state files and folders; without them, `state` of the target")
    .option("--config <file>", "another gate-sync.yaml than the one in this folder")
    .option("--target <name>", "which target of gate-sync.yaml");
  withOutputOptions(withProductOptions(command), ["text", "json", "junit"])
    .option("--full", "tell everybody who breaks a test")
    .addHelpText("after", help)
    .action((state: string[], flags: CommonFlags) => run((io) => testCommand(io, state, flags), flags));
}

async function testCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { test } = await import("../engine/test.ts");
  const tested = await test(requestFrom(io, state, flags));
  if (!flags.quiet && flags.format !== "json") for (const notice of tested.notices) io.stderr.write(`${notice}\n`);
  io.stdout.write(await rendered(io, flags, tested));
  return tested.results.every(({ passes }) => passes) ? exitCodes.done : exitCodes.refused;
}

async function rendered(io: Io, flags: CommonFlags, tested: TestRun): Promise<string> {
  if (flags.format === "json") return jsonText((await import("../render/access-tests-json.ts")).testsToJson(tested));
  if (flags.format === "junit") {
    return `${(await import("../render/access-tests-junit.ts")).testsToJunit(tested)}\n`;
  }
  const { testsToText } = await import("../render/text/access-tests.ts");
  return `${testsToText(tested, styleFor(io.stdout, io, flags))}\n`;
}

const help = `
Tests stand in state files under access_tests:, or in files named
*.access-test.yaml. They are judged by what the files declare and the product
ships; plan judges them by what the server would hold.

Exit codes: 0 all pass, 3 the files have errors, 4 a test fails.

Examples:
  $ gate-sync test
  $ gate-sync test access/ --product opensearch
  $ gate-sync test --format junit > access.xml
`;
