// The words of shell scripts, as far as commands that send requests need them. Nothing is run: what a command would print is unknown.
import type { SourceFile } from "../diagnostics/source.ts";
import { type ShellCommand, ShellSyntaxError, ShellText, type ShellVariables, type ShellWord } from "./shell-text.ts";

/** Far deeper than scripts nest commands. */
const deepest = 50;

/** All commands of a script, those inside of others too. */
export function readShellCommands({ text }: SourceFile): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  new Reader(text, 0, new Map(), commands, 0).readAll();
  return commands;
}

interface HereDocument {
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
  readonly fill: (word: ShellWord) => void;
}

class Reader extends ShellText {
  private loops = 0;
  private conditions = 0;
  private words: ShellWord[] = [];
  private input: ShellWord | undefined;
  private pending: HereDocument[] = [];

  constructor(
    text: string,
    offset: number,
    variables: ShellVariables,
    private readonly commands: ShellCommand[],
    private readonly depth: number,
    private readonly isInLoop = false,
  ) {
    super(text, offset, variables);
    if (depth > deepest) throw new ShellSyntaxError("Commands are nested too deep.", offset);
  }

  readAll(): void {
    while (this.at < this.text.length) this.readToken();
    this.endCommand();
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
    else this.words.push(this.readWord());
  }

  private endLine(): void {
    this.at++;
    this.endCommand();
    for (const document of this.pending.splice(0)) this.readHereDocument(document);
  }

  private skipComment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  private readSeparator(character: string): void {
    // `name() {`, and `&>` and `2>&1`, which are no ends.
    const isFunction =
      character === "(" && this.words.length === 1 && /^\(\s*\)/.test(this.text.slice(this.at, this.at + 20));
    if (isFunction) {
      this.at = this.text.indexOf(")", this.at) + 1;
      this.words = [];
      this.loops++;
      this.functions.push(this.braces);
      return;
    }
    this.at++;
    if (character === "&" && this.text.charAt(this.at) === ">") return;
    this.endCommand();
  }

  private braces = 0;
  private readonly functions: number[] = [];

  /** A file or a text for a command to read; what it writes to is of no interest. */
  private readRedirection(): void {
    const [operator = ""] = /^(?:<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    this.at += operator.length;
    const last = this.words.at(-1);
    if (last && /^\d$/.test(last.text) && last.start + 1 === this.offset + this.at - operator.length) this.words.pop();
    while (/[ \t]/.test(this.text.charAt(this.at))) this.at++;
    if (this.text.charAt(this.at) === "(") return;
    const start = this.at;
    const word = this.readWord();
    const written = this.text.slice(start, this.at);
    if (operator === "<<" || operator === "<<-") {
      this.pending.push({
        delimiter: written.replace(/["'\\]/g, ""),
        isLiteral: /["'\\]/.test(written),
        stripsTabs: operator === "<<-",
        fill: this.inputFiller(),
      });
    } else if (operator === "<<<") this.input = word;
    else if (operator === "<") this.input = { text: "", start: word.start, file: word.text };
  }

  /** The text of a here-document comes after its command was ended. */
  private inputFiller(): (word: ShellWord) => void {
    let filled: ShellWord = { text: "", start: this.offset + this.at };
    this.input = {
      get text() {
        return filled.text;
      },
      get start() {
        return filled.start;
      },
    };
    return (word) => {
      filled = word;
    };
  }

  private readHereDocument({ delimiter, isLiteral, stripsTabs, fill }: HereDocument): void {
    const start = this.at;
    const lines: string[] = [];
    while (this.at < this.text.length) {
      const end = this.text.indexOf("\n", this.at);
      const stop = end === -1 ? this.text.length : end;
      const line = this.text.slice(this.at, stop).replace(/\r$/, "");
      this.at = end === -1 ? this.text.length : end + 1;
      const shown = stripsTabs ? line.replace(/^\t+/, "") : line;
      if (shown.trimEnd() === delimiter) {
        const text = lines.join("\n");
        fill({ text: isLiteral ? text : this.expandText(text, start), start: this.offset + start });
        return;
      }
      lines.push(shown);
    }
    throw new ShellSyntaxError("This here-document has no end.", this.offset + start);
  }

  protected override readInside(source: string, offset: number): readonly ShellCommand[] {
    const inside: ShellCommand[] = [];
    new Reader(source, offset, new Map(this.variables), inside, this.depth + 1, this.isRepeated()).readAll();
    return inside;
  }

  protected override keep(commands: readonly ShellCommand[]): void {
    for (const one of commands) this.commands.push(one);
  }

  private expandText(text: string, start: number): string {
    const reader = new Reader(
      text,
      this.offset + start,
      this.variables,
      this.commands,
      this.depth + 1,
      this.isRepeated(),
    );
    return reader.readExpandable();
  }

  private isRepeated(): boolean {
    return this.isInLoop || this.loops > 0;
  }

  private endCommand(): void {
    let words: readonly ShellWord[] = this.words;
    this.words = [];
    const { input } = this;
    this.input = undefined;
    while (words[0] && this.takeKeyword(words)) words = words.slice(1);
    words = this.takeAssignments(words);
    if (words.length > 0) this.commands.push({ words, isRepeated: this.isRepeated(), ...(input && { input }) });
  }

  /** Whether the first word only says what is done with the command after it. */
  private takeKeyword([first]: readonly ShellWord[]): boolean {
    const text = first?.text ?? "";
    if (["for", "while", "until", "select"].includes(text)) this.loops++;
    else if (text === "done") this.loops--;
    else if (text === "if" || text === "case") this.conditions++;
    else if (text === "fi" || text === "esac") this.conditions--;
    else if (text === "{") this.braces++;
    else if (text === "}") {
      this.braces--;
      if (this.functions.at(-1) === this.braces) {
        this.functions.pop();
        this.loops--;
      }
    } else if (text === "function") {
      this.loops++;
      this.functions.push(this.braces);
    }
    return ["while", "until", "do", "done", "if", "then", "elif", "else", "fi", "{", "}", "!", "time", "exec"].includes(
      text,
    );
  }

  /** Values that are certain from here on; one that a condition or a loop may change is unknown. */
  private takeAssignments(words: readonly ShellWord[]): readonly ShellWord[] {
    const isDeclaration = /^(export|readonly|local|declare|typeset)$/.test(words[0]?.text ?? "");
    const rest = isDeclaration ? words.slice(1) : words;
    const end = rest.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text));
    const assigned = end === -1 || isDeclaration ? rest : rest.slice(0, end);
    // Before a command they are for it alone, and it does not see them in its own words.
    if (assigned.length < rest.length && !isDeclaration) return rest.slice(assigned.length);
    for (const { text, file } of assigned) {
      const [, name, operator, value = ""] = /^([A-Za-z_]\w*)(\+?=)(.*)$/s.exec(text) ?? [];
      if (name === undefined) continue;
      const isCertain = operator === "=" && file === undefined && !this.isRepeated() && this.conditions === 0;
      this.variables.set(name, isCertain && !holdsOnlyPlaceholder(value) ? value : undefined);
    }
    return [];
  }
}

/** `NAME=$(command)` says nothing of the value: the name says more. */
function holdsOnlyPlaceholder(value: string): boolean {
  return /^\ue000(command|value|number|argument|file)\ue001$/.test(value);
}
