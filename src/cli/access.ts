import { isIP } from "node:net";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { isStateFile } from "../load/file-names.ts";
import type { QuestionWords } from "../questions/asked.ts";
import type { Whom } from "../questions/subject.ts";
import { encodeJson } from "../render/json/encode.ts";
import {
  type AccessFlags,
  printAccessNotices,
  readAccessRequest,
  readAccessSource,
  refuseEmpty,
  withAccessOptions,
} from "./access-flags.ts";
import { defineAccessMap } from "./access-map.ts";
import { type Command, InvalidArgumentError } from "./commander.ts";
import type { Io } from "./io.ts";
import { chooseStyle, collect, type RunCommand } from "./options.ts";

export function defineAccess(program: Command, run: RunCommand) {
  const command = program
    .command("access")
    .description("ask who may do what, of the files, of a server or of a snapshot");
  command.addHelpText("after", examples);
  const canI = command
    .command("can-i <action> [index]")
    .description("whether a principal may do something, by which role, and what they see: exit 0 for yes, 2 for no");
  withAccessOptions(withWhomOptions(canI))
    .option("--tenant <name>", "a tenant instead of an index; ACTION is then read or write")
    .addHelpText("after", canIExamples)
    .action((action: string, index: string | undefined, flags: AccessFlags) =>
      run((io, flags) => canICommand(io, { action, index }, flags), flags),
    );
  const whoCan = command
    .command("who-can <action> [index]")
    .description("every entry of a mapping, and every persona, that may do something, and by which role");
  withAccessOptions(whoCan)
    .option("--tenant <name>", "a tenant instead of an index; ACTION is then read or write")
    .addHelpText("after", whoCanExamples)
    .action((action: string, index: string | undefined, flags: AccessFlags) =>
      run((io, flags) => whoCanCommand(io, { action, index }, flags), flags),
    );
  const whatCan = command
    .command("what-can [principal]")
    .description("all that a principal may do: a persona, a member of a mapping, or the one that the options describe");
  withAccessOptions(withWhomOptions(whatCan))
    .addHelpText("after", whatCanExamples)
    .action((principal: string | undefined, flags: AccessFlags) =>
      run((io, flags) => whatCanCommand(io, principal, flags), flags),
    );
  defineAccessMap(command, run);
}

function withWhomOptions(command: Command): Command {
  return command
    .option("--user <name>", "name of the user")
    .option("--backend-role <name>", "a backend role that they have; may be repeated", collect)
    .option("--host <address>", "where they come from")
    .option("--attribute <name=value>", "the value of ${attr.NAME}: internal.dept=hr; may be repeated", attribute)
    .option("--persona <name>", "a person who is declared under personas:");
}

function attribute(written: string, previous: AccessFlags["attribute"] = []): AccessFlags["attribute"] {
  const at = written.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write NAME=VALUE, such as internal.dept=hr.");
  return [...previous, [written.slice(0, at).replace(/^attr\./, ""), written.slice(at + 1)]];
}

/** @throws RunError `usage` for an empty name, such as that of a variable that is not set */
function whomFrom({ user, backendRole = [], host, attribute: attributes = [], persona }: AccessFlags): Whom {
  refuseEmpty("--user", user);
  refuseEmpty("--backend-role", ...backendRole);
  refuseEmpty("--host", host);
  if (host !== undefined) refuseUnlessAddress(host);
  refuseEmpty("--persona", persona);
  return {
    ...(user !== undefined && { user }),
    backendRoles: backendRole,
    ...(host !== undefined && { host }),
    attributes,
    ...(persona !== undefined && { persona }),
  };
}

interface Named {
  readonly action: string;
  readonly index: string | undefined;
}

function wordsFrom({ action, index }: Named, { tenant }: AccessFlags): QuestionWords {
  refuseEmpty("--tenant", tenant);
  // By its own name an action has a colon, and slashes as a path has.
  if (!action.includes(":") && isFilePerhaps(action)) throw fileInstead(action, "an action", "ACTION INDEX");
  if (index?.includes("/") && isFilePerhaps(index)) throw fileInstead(index, "an index", "ACTION INDEX");
  return { action, ...(index !== undefined && { index }), ...(tenant !== undefined && { tenant }) };
}

async function canICommand(io: Io, { action, index }: Named, flags: AccessFlags): Promise<number> {
  const { canI } = await import("../engine/access/can-i.ts");
  const source = await readAccessSource(io, flags);
  const answer = await canI(readAccessRequest(io, flags), whomFrom(flags), wordsFrom({ action, index }, flags), source);
  printAccessNotices(io, flags, answer.notices);
  const view = (await import("../render/views/access-answer.ts")).createCanIView(answer);
  if (flags.format === "json") {
    const { renderCanIJson } = await import("../render/json/access.ts");
    io.stdout.write(encodeJson(renderCanIJson(view)));
  } else {
    const { renderCanIText } = await import("../render/text/can-i.ts");
    io.stdout.write(`${renderCanIText(view, chooseStyle(io.stdout, io, flags))}\n`);
  }
  return { yes: exitCodes.done, no: exitCodes.denied, partly: exitCodes.denied, unknown: exitCodes.undecided }[
    answer.verdict
  ];
}

async function whoCanCommand(io: Io, named: Named, flags: AccessFlags): Promise<number> {
  const { answerWhoCan } = await import("../engine/access/who-can.ts");
  const answer = await answerWhoCan(
    readAccessRequest(io, flags),
    wordsFrom(named, flags),
    await readAccessSource(io, flags),
  );
  printAccessNotices(io, flags, answer.notices);
  const view = (await import("../render/views/access-answer.ts")).createWhoCanView(answer);
  if (flags.format === "json") {
    const { renderWhoCanJson } = await import("../render/json/access.ts");
    io.stdout.write(encodeJson(renderWhoCanJson(view)));
  } else {
    const { renderWhoCanText } = await import("../render/text/who-can.ts");
    io.stdout.write(`${renderWhoCanText(view, chooseStyle(io.stdout, io, flags))}\n`);
  }
  return exitCodes.done;
}

async function whatCanCommand(io: Io, principal: string | undefined, flags: AccessFlags): Promise<number> {
  const { answerWhatCan } = await import("../engine/access/what-can.ts");
  const whom = whomFrom(flags);
  if (principal !== undefined) {
    refuseEmpty("what-can", principal);
    if (isReported(whom)) throw reportedTwice(principal);
    if (isFilePerhaps(principal)) throw fileInstead(principal, "a user's name", "NAME");
  }
  const answer = await answerWhatCan(
    readAccessRequest(io, flags),
    principal ?? whom,
    await readAccessSource(io, flags),
  );
  printAccessNotices(io, flags, answer.notices);
  const view = (await import("../render/views/what-can.ts")).createWhatCanView(answer);
  if (flags.format === "json") {
    const { renderWhatCanJson } = await import("../render/json/access.ts");
    io.stdout.write(encodeJson(renderWhatCanJson(view)));
  } else {
    const { renderWhatCanText } = await import("../render/text/what-can.ts");
    io.stdout.write(`${renderWhatCanText(view, chooseStyle(io.stdout, io, flags))}\n`);
  }
  return exitCodes.done;
}

function refuseUnlessAddress(host: string): void {
  if (isIP(host) !== 0) return;
  throw new RunError("usage", {
    what: `--host takes an IP address, and "${host}" is none.`,
    why: "Blocks and mappings by host are evaluated for the address that a request comes from.",
    fix: "Write one address, as in --host 10.0.7.3.",
  });
}

/** Most commands take files as their arguments. */
function isFilePerhaps(word: string): boolean {
  const isExpression = /^\/.*\/$/.test(word);
  return isStateFile(word) || (/^(\.{0,2}|~)\/|\/$/.test(word) && !isExpression);
}

function fileInstead(file: string, due: string, rest: string): RunError {
  return new RunError("usage", {
    what: `"${file}" looks like a file or a folder, where ${due} is expected.`,
    fix: `Files are named with --state here: --state ${file} ${rest}.`,
  });
}

function isReported({ user, backendRoles, host, attributes, persona }: Whom): boolean {
  return [user, host, persona].some((text) => text !== undefined) || backendRoles.length + attributes.length > 0;
}

function reportedTwice(principal: string): RunError {
  return new RunError("usage", {
    what: `Both "${principal}" and options say who is asked about.`,
    fix: "Leave one of them out; the options say more than one word can.",
  });
}

const examples = `
Examples:
  $ gate-sync access can-i --user ana --backend-role hr search hr-2026
  $ gate-sync access who-can delete-index 'logs-*'
  $ gate-sync access what-can analysts
  $ gate-sync access map --server
  $ gate-sync access map --server --planned
`;

const whoCanExamples = `
Examples:
  $ gate-sync access who-can search hr-2026
  $ gate-sync access who-can cluster:admin/settings/update
  $ gate-sync access who-can write --tenant hr --format json
`;

const whatCanExamples = `
Examples:
  $ gate-sync access what-can analysts            if nothing else is called so
  $ gate-sync access what-can --user ana --backend-role hr --host 10.0.7.3
  $ gate-sync access what-can --persona ana --server
`;

const canIExamples = `
ACTION is a word such as search, index or delete-index, or an action by its own
name, such as indices:data/read/search. Several indices, and patterns, are asked
about as in a request: logs-*,metrics-1. An alias is asked about by its own
name.

Exit codes: 0 yes, 2 no (or not with all that is named), 7 unknown.

Examples:
  $ gate-sync access can-i --user ana --backend-role hr search hr-2026
  $ gate-sync access can-i --persona ana index 'hr-*'
  $ gate-sync access can-i --backend-role ops health
  $ gate-sync access can-i --persona ana write --tenant hr
  $ gate-sync access can-i --user ana search hr-2026 --server
`;
