import { exitCodes } from "../diagnostics/failure.ts";
import type { TestRun } from "../engine/test.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withProductOptions,
} from "./options.ts";

export function defineTest(program: Command, run: RunCommand) {
  const command = program
    .command("test")
    .description("check the files against their access tests; no server and no secret is needed")
    .argument("[state...]", "state files and folders; without them, `state` of the target")
    .option("--config <file>", "another gate-sync.yaml than the one in this folder")
    .option("--target <name>", "which target of gate-sync.yaml");
  withOutputOptions(withProductOptions(command), ["text", "json", "junit"])
    .option("--full", "report every principal that breaks a test")
    .addHelpText("after", help)
    .action((state: string[], flags: CommonFlags) => run((io) => testCommand(io, state, flags), flags));
}

async function testCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { runAccessTests } = await import("../engine/test.ts");
  const tested = await runAccessTests(readRequestFlags(io, state, flags));
  if (!flags.quiet && flags.format !== "json") for (const notice of tested.notices) io.stderr.write(`${notice}\n`);
  io.stdout.write(await rendered(io, flags, tested));
  return tested.results.every(({ passes }) => passes) ? exitCodes.done : exitCodes.refused;
}

async function rendered(io: Io, flags: CommonFlags, tested: TestRun): Promise<string> {
  const view = (await import("../render/views/access-tests.ts")).createTestsView(tested);
  if (flags.format === "json")
    return encodeJson((await import("../render/json/access-tests.ts")).renderTestsJson(view));
  if (flags.format === "junit") {
    return `${(await import("../render/junit/access-tests.ts")).renderTestsJunit(view)}\n`;
  }
  const { renderTestsText } = await import("../render/text/access-tests.ts");
  return `${renderTestsText(view, chooseStyle(io.stdout, io, flags))}\n`;
}

const help = `
Tests are in state files under access_tests:, or in files named
*.access-test.yaml. They are evaluated for what the files declare and the
product ships; plan evaluates them for what the server would hold.

Exit codes: 0 all pass, 3 the files have errors, 4 a test fails.

Examples:
  $ gate-sync test
  $ gate-sync test access/ --product opensearch
  $ gate-sync test --format junit > access.xml
`;
