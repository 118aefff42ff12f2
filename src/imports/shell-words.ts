// The words of shell scripts, as far as commands that send requests need them. Nothing is run: what a command would print is unknown.
import type { SourceFile } from "../diagnostics/source.ts";
import type { ImportFindings } from "./findings.ts";
import { createPlaceholder } from "./placeholders.ts";
import { createInput, readOutput } from "./shell-input.ts";
import { ShellLoops } from "./shell-loops.ts";
import type { Around, Script, ShellFunction } from "./shell-names.ts";
import { type ShellCommand, ShellSyntaxError, type ShellVariables, type ShellWord } from "./shell-text.ts";

/** Far deeper than scripts nest commands. */
const deepest = 50;

/** All commands of a script, those inside of others too. */
export function readShellCommands(
  { text }: Pick<SourceFile, "text">,
  { createSource, assigned }: Pick<ImportFindings, "assigned" | "createSource">,
): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  const script: Script = {
    functions: new Map(),
    aliases: new Map(),
    lists: new Map(),
    unused: new Map(),
    read: { names: [], separators: "" },
    left: mostRead,
    environment: "shell",
    createSource,
    assigned,
  };
  const variables: ShellVariables = new Map();
  for (let at = 1; at <= 9; at++) variables.set(String(at), createPlaceholder(`argument_${at}`, createSource()));
  new Reader(text, 0, variables, commands, { script, depth: 0, active: [], doubts: { isRepeated: false } }).readAll();
  for (const { commands: own, isCalled } of script.functions.values())
    if (!isCalled) for (const one of own) commands.push({ ...one, doubt: notCalled });
  for (const one of script.unused.values()) commands.push(one);
  return commands;
}

const callsItself = "it is in a function that calls itself";
const notCalled = "it is in a function that is not called here";

/** Characters of functions that are read for all their calls: they may call themselves. */
const mostRead = 5_000_000;

class Reader extends ShellLoops {
  /** An operator such as `&&` is the last that was read. */
  private isOpen = false;
  /** Functions whose bodies are being read. */
  private readonly definitions: Definition[] = [];

  private commands: ShellCommand[];

  constructor(text: string, offset: number, variables: ShellVariables, commands: ShellCommand[], around: Around) {
    super(text, offset, variables, around);
    this.commands = commands;
    if (around.depth > deepest) throw new ShellSyntaxError("Commands are nested too deep.", offset);
  }

  protected override isInDefinition(): boolean {
    return this.definitions.length > 0;
  }

  readAll(): void {
    while (this.at < this.text.length) this.readToken();
    this.endCommand();
    // Functions without an end.
    for (const { outer } of this.definitions.splice(0).reverse()) {
      for (const one of this.commands) outer.push({ ...one, doubt: notCalled });
      this.commands = outer;
    }
  }

  private readToken(): void {
    const character = this.text.charAt(this.at);
    if (character === "\n") this.endLine();
    else if (/[ \t\r]/.test(character)) this.at++;
    else if (character === "\\" && /^\\\r?\n/.test(this.text.slice(this.at, this.at + 3)))
      this.at = this.text.indexOf("\n", this.at) + 1;
    else if (character === "#") this.skipComment();
    else if (/[;&|()]/.test(character)) this.readSeparator(character);
    else if (character === "<" || character === ">") this.readRedirection();
    else this.readNext();
  }

  private readNext(): void {
    const list = this.readList();
    if (list) {
      this.words.push(...list);
      return;
    }
    const from = this.at;
    const word = this.readWord();
    const written = this.text.slice(from, this.at);
    const isSplit = written.includes("$") && !/["'\\`(]/.test(written);
    const split = isSplit ? this.splitVariable(word, /^\$(?:\w+|\{\w+\})$/.test(written)) : undefined;
    if (split) this.words.push(...split);
    else if (written !== word.text || !this.takeKeyword(word)) this.words.push(word);
  }

  private endLine(): void {
    this.at++;
    this.readHereDocuments();
    if (this.isOpen && this.words.length === 0) return;
    this.endCommand();
    this.flow.endChain();
  }

  private readSeparator(character: string): void {
    if (character === "(" && this.readParenthesis()) return;
    const operator =
      /[&|]/.test(character) && this.text.charAt(this.at + 1) === character ? character.repeat(2) : character;
    this.at += operator.length;
    // `&>` is no end.
    if (operator === "&" && this.text.charAt(this.at) === ">") return;
    const words = this.endCommand();
    if (operator === "(") {
      this.flow.open("group");
    } else if (operator === ")") {
      this.endGroup(this.at - 1);
    } else if (operator === "&&" || operator === "||") {
      this.flow.continueChain(operator, words);
    } else if (operator === "|") {
      const { last } = this;
      this.input = last && readOutput(last);
      this.isPiped = true;
    } else this.flow.endChain();
    this.isOpen = /^(?:&&|\|\|?)$/.test(operator);
  }

  /** `name() {` and `NAME=(…)`. */
  private readParenthesis(): boolean {
    const [empty = ""] = /^\(\s*\)/.exec(this.text.slice(this.at, this.at + 20)) ?? [];
    const [word, ...others] = this.words;
    if (empty !== "" && word && others.length === 0) {
      this.at += empty.length;
      this.words = [];
      this.define(word.text);
      return true;
    }
    if (this.flow.isAtFunction()) {
      if (empty !== "") this.at += empty.length;
      else this.beginBody(++this.at);
      return true;
    }
    if (!/^[A-Za-z_]\w*\+?=$/.test(this.words.at(-1)?.text ?? "") || this.text.charAt(this.at - 1) !== "=")
      return false;
    this.readArray(this.words.pop() as ShellWord);
    return true;
  }

  /** All up to the end of its body is kept apart: it runs where it is called. */
  private define(name: string): void {
    this.definitions.push({ name, outer: this.commands });
    this.commands = [];
    this.flow.open("function");
  }

  private beginBody(at: number): void {
    const definition = this.definitions.at(-1);
    if (definition && this.flow.isAtFunction()) definition.body = at;
    this.flow.open("group");
  }

  private endGroup(at: number): void {
    if (!this.flow.closeGroup() || !this.flow.isAtFunction()) return;
    this.flow.close("function");
    const definition = this.definitions.pop();
    if (!definition) return;
    const { name, outer, body = at } = definition;
    const before = this.around.script.functions.get(name);
    const commands = before && !before.isCalled ? [...before.commands, ...this.commands] : this.commands;
    const source = this.text.slice(body, at);
    this.around.script.functions.set(name, { source, offset: this.offset + body, commands, isCalled: false });
    this.commands = outer;
  }

  protected override readInside(source: string, offset: number): readonly ShellCommand[] {
    const inside: ShellCommand[] = [];
    new Reader(source, offset, new Map(this.variables), inside, this.createAround()).readAll();
    return inside;
  }

  protected override keep(commands: readonly ShellCommand[]): void {
    for (const one of commands) this.commands.push(one);
  }

  protected override countCommands(): number {
    return this.commands.length;
  }

  protected override replaceCommands(from: number, replace: (command: ShellCommand) => readonly ShellCommand[]): void {
    this.keep(this.commands.splice(from).flatMap(replace));
  }

  private createAround(args = this.args, active = this.around.active): Around {
    const { script, depth } = this.around;
    const standardInput = this.isInDefinition() ? undefined : this.standardInput;
    return { script, depth: depth + 1, active, doubts: this.flow.getDoubts(), standardInput, ...(args && { args }) };
  }

  protected override expandText(text: string, start: number): string {
    return new Reader(text, this.offset + start, this.variables, this.commands, this.createAround()).readExpandable();
  }

  /** The words of the command that ends here. */
  private endCommand(): readonly ShellWord[] {
    const { words: written, input, isPiped } = this;
    this.words = [];
    this.input = undefined;
    this.isPiped = false;
    this.isOpen = false;
    this.last = undefined;
    const name = written[0]?.text;
    if (name === "for" || name === "select") this.openLoop(written);
    const words = this.takeAssignments(written);
    this.noteRead(written, input);
    if (words.length > 0) this.run(words, input, isPiped);
    if (name === "case") {
      this.flow.open("branch");
      this.flow.enter();
    }
    return written;
  }

  /** The command before a pipe. */
  private last: ShellCommand | undefined;

  private run(written: readonly ShellWord[], input: ShellWord | undefined, isPiped: boolean): void {
    const { script } = this.around;
    const [first, ...rest] = written as [ShellWord, ...ShellWord[]];
    const alias = script.aliases.get(first.text);
    const words = alias ? [...alias.map((text) => ({ text, start: first.start })), ...rest] : written;
    if (first.text === "alias" && this.flow.isCertain()) for (const { text } of rest) this.addAlias(text);
    this.noteChanges(words);
    this.noteGiven(words);
    const called = script.functions.get(first.text);
    if (called && this.definitions.length === 0) {
      const standardInput = input || isPiped ? createInput(input, called.source) : this.standardInput;
      const around = this.createAround(rest, [...this.around.active, called]);
      this.call(called, first, { ...around, standardInput });
      return;
    }
    const read = this.takeInput(words, input, isPiped);
    this.last = { words, ...this.flow.getDoubts(), ...read };
    this.commands.push(this.last);
    if (!this.isInDefinition()) this.flow.note(words);
  }

  /** Reads the body of a function as it runs with these arguments. */
  private call(called: ShellFunction, { start }: ShellWord, around: Around): void {
    const { args = [] } = around;
    if (this.around.active.includes(called)) {
      for (const one of called.commands) this.commands.push({ ...one, doubt: callsItself, calledAt: start });
      return;
    }
    this.spend(called.source.length, start);
    called.isCalled = true;
    const variables: ShellVariables = new Map(this.variables);
    for (let at = 1; at <= 9; at++) variables.set(String(at), args[at - 1]?.text ?? "");
    const inside: ShellCommand[] = [];
    const reader = new Reader(called.source, called.offset, variables, inside, around);
    reader.readAll();
    for (const one of inside) this.commands.push({ ...one, calledAt: start });
    for (const [name, value] of variables)
      if (!/^\d$/.test(name) && !reader.locals.has(name)) this.variables.set(name, value);
    if (reader.flow.endsScript()) this.flow.endScript();
  }

  /** Whether a word only says what is done with the command after it. */
  private takeKeyword({ text, start }: ShellWord): boolean {
    const [before, ...others] = this.words;
    if (before?.text === "function" && others.length === 0) {
      this.words = [];
      this.define(text);
      return true;
    }
    if (before) return false;
    if (text === "if") this.flow.open("branch");
    else if (text === "while" || text === "until") this.flow.open("loop");
    else if (/^(?:then|elif|else|do)$/.test(text)) {
      this.flow.enter();
      if (text === "do") this.beginLoopBody();
    } else if (text === "fi" || text === "esac") this.flow.close("branch");
    else if (text === "done") this.endLoop();
    else if (text === "{") this.beginBody(start + 1 - this.offset);
    else if (text === "}") this.endGroup(start - this.offset);
    else return /^(?:!|time|exec)$/.test(text);
    return true;
  }
}

interface Definition {
  readonly name: string;
  /** Where commands go after its end. */
  readonly outer: ShellCommand[];
  /** Where its body begins. */
  body?: number;
}
