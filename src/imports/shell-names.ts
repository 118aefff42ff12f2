// What the names of a script stand for: variables, arrays, aliases, functions.
import { addAssigned } from "./findings.ts";
import { createPlaceholder, findOnlyPlaceholder, holdsPlaceholder, isNameless } from "./placeholders.ts";
import { ShellFlow } from "./shell-flow.ts";
import { ShellInput, type StandardInput } from "./shell-input.ts";
import { addSplitMark, isCommandLine, splitWords } from "./shell-split.ts";
import {
  createUnread,
  encoded,
  matchAt,
  type ShellCommand,
  type ShellVariables,
  type ShellWord,
} from "./shell-text.ts";

/** What all parts of a script have in common. */
export interface Script {
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, readonly string[]>;
  /** Arrays, by name; undefined: the items are unknown. */
  readonly lists: Map<string, readonly ShellWord[] | undefined>;
  /** Values with a path of the security API that are not used yet, by the name of the variable. */
  readonly unused: Map<string, ShellCommand>;
  left: number;
  /** Whose the variables are that it does not set: a file that it reads may set them all. */
  environment: string;
  readonly createSource: () => string;
  /** Variables that a line of some input is read into, by the last `read`. */
  read: { readonly names: readonly string[]; readonly separators: string };
  /** Whatever variables and arrays are given, by name. */
  readonly assigned: Map<string, Set<string>>;
}

export interface ShellFunction {
  readonly source: string;
  readonly offset: number;
  /** As they are where its arguments are unknown. */
  readonly commands: readonly ShellCommand[];
  isCalled: boolean;
}

export interface Around {
  readonly script: Script;
  readonly depth: number;
  /** Functions whose calls are being read. */
  readonly active: readonly ShellFunction[];
  readonly doubts: Pick<ShellCommand, "isRepeated" | "doubt">;
  /** Of the function that is read for one call. */
  readonly args?: readonly ShellWord[];
  readonly standardInput?: StandardInput | undefined;
}

/** What is longer may double with each line: as that of any unknown value, its name is taken. */
const longestValue = 1_000_000;
const longestList = 10_000;
/** Characters of a word in which names with values are searched for. */
const longestSearched = 10_000;

/** Before a command. */
export const assignment = /^[A-Za-z_]\w*\+?=/;

const given = /(?<![\w.])([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=(?=(\S+))/gs;

export abstract class ShellNames extends ShellInput {
  protected readonly flow: ShellFlow;
  /** Variables of a function alone. */
  protected readonly locals = new Set<string>();
  protected args: readonly ShellWord[] | undefined;

  protected readonly around: Around;

  constructor(text: string, offset: number, variables: ShellVariables, around: Around) {
    super(text, offset, variables);
    this.around = around;
    this.flow = new ShellFlow(around.doubts);
    this.args = around.args;
    this.standardInput = around.standardInput;
  }

  /** A function is read again where it is called. */
  protected abstract isInDefinition(): boolean;

  /** The words of `"$@"` and `"${NAME[@]}"`; undefined where it is something else, or they are unknown. */
  protected readList(): readonly ShellWord[] | undefined {
    const [whole, first = "1", name] = matchAt(list, this.text, this.at);
    if (whole === undefined) return undefined;
    const words = name === undefined ? this.args?.slice(Number(first) - 1) : this.around.script.lists.get(name);
    if (!words) return undefined;
    if (name !== undefined) this.noteUse(name);
    this.at += whole.length;
    // Without quotes, the shell splits each of them.
    return whole.startsWith('"') ? words : words.map(addSplitMark);
  }

  protected readArray({ text: assigned, start }: ShellWord): void {
    const [, name = "", more] = /^(\w+)(\+?)=$/.exec(assigned) ?? [];
    const { lists } = this.around.script;
    const words: ShellWord[] = more === "+" ? [...(lists.get(name) ?? [])] : [];
    const isKnown = this.flow.isCertain() && (more !== "+" || lists.get(name) !== undefined);
    for (this.at++; this.at < this.text.length && this.text.charAt(this.at) !== ")"; ) {
      if (/\s/.test(this.text.charAt(this.at))) this.at++;
      else if (this.text.charAt(this.at) === "#") this.skipComment();
      else words.push(...(this.readList() ?? [this.readWord()]));
    }
    this.at++;
    this.noteAssigned(name, words);
    lists.set(name, isKnown && words.length <= longestList ? words : undefined);
    this.keepUnused(name, words.map(({ text }) => text).join(" "), start, isKnown);
  }

  protected override noteUse(name: string): void {
    this.around.script.unused.delete(name);
  }

  protected addAlias(text: string): void {
    const [, name, value = ""] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && isCommandLine(`${value} `))
      this.around.script.aliases.set(name, value.trim().split(/\s+/));
  }

  /** Values that are certain from here on; one that a condition or a loop may change is unknown. */
  protected takeAssignments(words: readonly ShellWord[]): readonly ShellWord[] {
    const declaration = words[0]?.text ?? "";
    const isDeclaration = /^(export|readonly|local|declare|typeset)$/.test(declaration);
    const rest = isDeclaration ? words.slice(1) : words;
    const end = rest.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text));
    const assigned = end === -1 || isDeclaration ? rest : rest.slice(0, end);
    // Before a command they are for it alone, and it does not see them in its own words.
    const isForCommand = assigned.length < rest.length && !isDeclaration;
    for (const { text, file, start } of assigned) {
      const [, name, operator, value = ""] = /^([A-Za-z_]\w*)(\+?=)(.*)$/s.exec(text) ?? [];
      if (name === undefined) continue;
      this.noteAssigned(name, [{ text: value }]);
      const isCertain = operator === "=" && file === undefined && this.flow.isCertain() && !isForCommand;
      this.keepUnused(name, value, start, isCertain);
      // A function is read again where it is called.
      if (isForCommand || this.isInDefinition()) continue;
      if (/^(?:local|declare|typeset)$/.test(declaration)) this.locals.add(name);
      const only = findOnlyPlaceholder(value);
      const isKnown = isCertain && value.length <= longestValue && !(only && isNameless(only));
      this.variables.set(name, isKnown ? value : this.renameUnknown(name, value));
    }
    if (isDeclaration && rest.some(({ text }) => holdsPlaceholder(text.replace(/=.*$/s, "")))) this.forgetEnvironment();
    return isForCommand ? rest.slice(assigned.length) : [];
  }

  protected noteAssigned(name: string, words: readonly Pick<ShellWord, "text">[]): void {
    addAssigned(
      this.around.script,
      name,
      words.map(({ text }) => text),
    );
  }

  /** `NAME=$(command)` says nothing of the value: the name says more. */
  private renameUnknown(name: string, value: string): string {
    const only = findOnlyPlaceholder(value);
    if (!only || !isNameless(only)) return this.createUnknown(name);
    const texts = this.around.script.assigned.get(only.name) ?? [];
    this.noteAssigned(
      name,
      [...texts].map((text) => ({ text })),
    );
    return createPlaceholder(name, only.source);
  }

  /** `NAME[key]=value`, and what other commands are given: `env NAME=value`, `--from-literal=NAME=value`, `--NAME value`. */
  protected noteGiven(words: readonly ShellWord[]): void {
    const command = /[^/]*$/.exec(words[0]?.text ?? "")?.[0] ?? "";
    if (/^(?:echo|printf|cat)$/.test(command)) return;
    for (const [at, { text }] of words.entries()) {
      for (const [, name = "", value = ""] of text.slice(0, longestSearched).matchAll(given))
        this.noteAssigned(name, [{ text: value }]);
      // In other tools, `--password` without a value asks for it.
      const [, option] = (command === "wget" ? /^--(\S*password)$/ : /^--(\S+-password)$/).exec(text) ?? [];
      const next = words[at + 1];
      if (option !== undefined && next) this.noteAssigned(option, [next]);
    }
    const isHash = /^hash\.(?:sh|bat)$/.test(command);
    const hashed = isHash ? words[words.findIndex(({ text }) => text === "-p") + 1] : words.at(-1);
    const isGiven = isHash || (command === "htpasswd" && words.some(({ text }) => /^-[a-z]*b/i.test(text)));
    if (isGiven && hashed) this.noteAssigned("password", [hashed]);
  }

  /** What the variables of `read` are given. */
  protected noteRead(written: readonly ShellWord[], input: ShellWord | undefined): void {
    const at = written.findIndex(({ text }) => text === "read");
    if (at === -1 || !written.slice(0, at).every(({ text }) => assignment.test(text))) return;
    const own = written.find(({ text }) => text.startsWith("IFS="))?.text.slice("IFS=".length);
    const names = written.slice(at + 1).flatMap(({ text }) => (/^[A-Za-z_]\w*$/.test(text) ? [text] : []));
    this.around.script.read = { names, separators: own ?? this.findSeparators() ?? " \t\n" };
    if (input && input.file === undefined) this.noteLines([input.text]);
  }

  /** Each variable has one word, the last one all that is left. */
  protected override noteLines(lines: readonly string[]): void {
    const { names, separators } = this.around.script.read;
    for (const line of lines) {
      const words = splitWords({ text: line, start: 0 }, separators);
      for (const [at, name] of names.entries())
        this.noteAssigned(name, at < names.length - 1 ? words.slice(at, at + 1) : words.slice(at));
    }
  }

  /** What `IFS` has; undefined where nothing says so. */
  protected findSeparators(): string | undefined {
    const separators = this.variables.get("IFS");
    // As it was before the script changed it.
    return separators !== undefined && findOnlyPlaceholder(separators)?.name === "IFS" ? undefined : separators;
  }

  /** Of `name:password`, as headers have it. */
  protected override noteEncoded(commands: readonly ShellCommand[]): void {
    for (const { words } of commands)
      if (/^(?:echo|printf)$/.test(words[0]?.text ?? "") && words.some(({ text }) => text.includes(":")))
        this.noteAssigned(encoded, words.slice(1));
  }

  protected override noteDefault(name: string, value: string | undefined, fallback: string): void {
    const known = value === undefined ? undefined : findOnlyPlaceholder(value);
    this.noteAssigned(known?.name ?? name, [{ text: fallback }]);
  }

  protected override createUnknown(name: string): string {
    return createPlaceholder(name, this.around.script.createSource());
  }

  protected override findEnvironment(): string {
    return this.around.script.environment;
  }

  /** Any variable that the script does not set itself may have another value from here on. */
  protected forgetEnvironment(): void {
    if (!this.isInDefinition()) this.around.script.environment = this.around.script.createSource();
  }

  /** What commands do to variables, as far as it is of interest: which have another value after them. */
  protected noteChanges([first, ...rest]: readonly ShellWord[]): void {
    const name = first?.text ?? "";
    if (this.isInDefinition()) return;
    if (name === "shift") this.shiftArguments(rest[0]?.text ?? "1");
    else if (name === "set") this.setArguments(rest);
    else if (/^(?:\.|source|eval)$/.test(name)) this.forgetEnvironment();
    else if (
      /^(?:read|unset|getopts|mapfile|readarray|let)$/.test(name) ||
      (name === "printf" && rest[0]?.text === "-v")
    )
      for (const { text } of rest) {
        const [changed] = /^[A-Za-z_]\w*/.exec(text) ?? [];
        if (changed !== undefined) this.variables.set(changed, this.createUnknown(changed));
      }
  }

  private shiftArguments(by: string): void {
    const count = /^\d$/.test(by) && this.flow.isCertain() ? Number(by) : undefined;
    const { args } = this;
    this.args = count === undefined ? undefined : args?.slice(count);
    for (let at = 1; at <= 9; at++) {
      const moved = count === undefined ? undefined : this.variables.get(String(at + count));
      const unknown = args && count !== undefined ? "" : this.createUnknown(`argument_${at}`);
      this.variables.set(String(at), this.args?.[at - 1]?.text ?? (args ? undefined : moved) ?? unknown);
    }
  }

  private setArguments(words: readonly ShellWord[]): void {
    const at = words.findIndex(({ text }) => text === "--" || !/^[-+]/.test(text));
    if (at === -1 || /^[-+]\w*o$/.test(words[at - 1]?.text ?? "")) return;
    const args = words.slice(words[at]?.text === "--" ? at + 1 : at);
    const isKnown = this.flow.isCertain() && !args.some(({ text }) => holdsPlaceholder(text));
    this.args = isKnown ? args : undefined;
    for (let at = 1; at <= 9; at++)
      this.variables.set(String(at), isKnown ? (args[at - 1]?.text ?? "") : this.createUnknown(`argument_${at}`));
  }

  /** What a variable has is of interest if no command that is read has it. */
  private keepUnused(name: string, text: string, start: number, isKnown: boolean): void {
    if (!text.includes("api/") || this.isInDefinition()) return;
    const value = createUnread(text, start);
    if (isKnown) this.around.script.unused.set(name, value);
    else this.keep([value]);
  }
}

/** `$@`, `"$@"`, `"${@:2}"`, `"${NAME[@]}"`, alone. */
const list = /"?\$(?:@|\{@(?::([1-9]))?\}|\{([A-Za-z_]\w*)\[[@*]\]\})"?(?=[\s;&|)]|$)/y;
