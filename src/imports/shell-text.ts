// The text of shell scripts: quotes, escapes and variables. Nothing is run: what a command would print is unknown.
import { createPlaceholder } from "./placeholders.ts";
import { findClosing } from "./shell-closing.ts";
import { cutValue } from "./shell-cuts.ts";

export interface ShellWord {
  /** Without quotes; a placeholder for each variable whose value is unknown. */
  readonly text: string;
  readonly start: number;
  /** It is the text of this file, as `$(cat FILE)` has it. */
  readonly file?: string;
  /** The shell makes other words of it: it is a pattern, or a value without quotes that is split. */
  readonly isExpanded?: true;
  /** A here-document whose text was not read yet. */
  readonly isAwaited?: boolean;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** What it reads: a text, or the file of `< FILE`. */
  readonly input?: ShellWord;
  /** Why what it reads is unknown, where another command decides it. */
  readonly noInput?: string;
  /** It may run several times: in a loop. */
  readonly isRepeated: boolean;
  /** Why it may never run; absent where it surely does. */
  readonly doubt?: string;
  /** Where the function that it is in is called. */
  readonly calledAt?: number;
  /** It is a part of the script that is no command. */
  readonly isUnread?: true;
}

/** Why the rest of a script cannot be read. */
export class ShellSyntaxError extends Error {
  readonly what: string;
  readonly at: number;

  constructor(what: string, at: number) {
    super(what);
    this.what = what;
    this.at = at;
  }
}

/** By name: a value, or a placeholder where it is not known. Absent: the script does not set it. */
export type ShellVariables = Map<string, string>;

/** A part of a script that is not read as a command, and may hold one. */
export function createUnread(text: string, start: number): ShellCommand {
  return { words: [{ text, start }], isRepeated: false, isUnread: true };
}

/** A text that is read from its beginning to its end. */
export abstract class ShellText {
  protected at = 0;

  protected readonly text: string;
  protected readonly offset: number;
  protected readonly variables: ShellVariables;

  /** @param offset where the text begins in its file */
  constructor(text: string, offset: number, variables: ShellVariables) {
    this.text = text;
    this.offset = offset;
    this.variables = variables;
  }

  /** The commands of a text inside of this one. */
  protected abstract readInside(source: string, offset: number): readonly ShellCommand[];

  /** Commands that run though what they print is not used. */
  protected abstract keep(commands: readonly ShellCommand[]): void;

  /** A variable is read. */
  protected abstract noteUse(name: string): void;

  /** What a variable has where it is empty, or is not set. */
  protected abstract noteDefault(name: string, value: string | undefined, fallback: string): void;

  /** Of commands whose output is encoded as headers have logins. */
  protected abstract noteEncoded(commands: readonly ShellCommand[]): void;

  /** A value that is not known, and that no other has to be equal to. */
  protected abstract createUnknown(name: string): string;

  /** Whose the variables are that the script has not set so far. */
  protected abstract findEnvironment(): string;

  protected readWord(): ShellWord {
    const start = this.at;
    let text = "";
    let file: string | undefined;
    let isExpanded = false;
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (/[\s;&|()<>]/.test(character)) break;
      if (character === "'") text += this.readSingleQuoted();
      else if (character === '"') {
        const [inner, only] = this.readDoubleQuoted();
        text += inner;
        file = only;
      } else if (character === "\\") text += this.readEscape();
      else if (character === "$" && this.text.charAt(this.at + 1) === "'") text += this.readAnsiQuoted();
      else if (character === "$" || character === "`") {
        const [inner, only] = this.readExpansion();
        text += inner;
        file = only;
        isExpanded ||= /[\s*?[]/.test(inner) || this.variables.has("IFS");
      } else {
        const inner = this.readPlain();
        text += inner;
        isExpanded ||= /[*?[{~]/.test(inner);
      }
    }
    if (this.at === start) this.at++;
    return { text, start: this.offset + start, ...(file !== undefined && { file }), ...(isExpanded && { isExpanded }) };
  }

  /** At least one character, and all after it that mean nothing anywhere. */
  private readPlain(): string {
    plain.lastIndex = this.at + 1;
    const [rest = ""] = plain.exec(this.text) ?? [];
    const start = this.at;
    this.at += 1 + rest.length;
    return this.text.slice(start, this.at);
  }

  private readSingleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end === -1) throw new ShellSyntaxError("This quote is not closed.", this.offset + this.at);
    const inner = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return inner;
  }

  private readAnsiQuoted(): string {
    const [whole, inner = ""] = matchAt(/\$'((?:[^'\\]|\\[\s\S])*)'/y, this.text, this.at);
    if (whole === undefined) throw new ShellSyntaxError("This quote is not closed.", this.offset + this.at);
    this.at += whole.length;
    const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
    return inner.replace(/\\([\s\S])/g, (_, one: string) => escapes[one] ?? one);
  }

  private readEscape(): string {
    const next = this.text.charAt(this.at + 1);
    this.at += next === "\r" && this.text.charAt(this.at + 2) === "\n" ? 3 : 2;
    return next === "\n" || next === "\r" ? "" : next;
  }

  private readDoubleQuoted(): readonly [text: string, file: string | undefined] {
    const start = this.at++;
    let text = "";
    let file: string | undefined;
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (character === '"') {
        this.at++;
        return [text, file];
      }
      if (character === "\\" && /["\\$`\n]/.test(this.text.charAt(this.at + 1))) text += this.readEscape();
      else if (character === "$" || character === "`") {
        const [inner, only] = this.readExpansion();
        text += inner;
        file = only;
      } else {
        text += this.readPlain();
      }
    }
    throw new ShellSyntaxError("This quote is not closed.", this.offset + start);
  }

  /** `$NAME`, `${NAME}`, `$(command)` and their like: the value where it is known. */
  private readExpansion(): readonly [text: string, file?: string | undefined] {
    const rest = this.text.slice(this.at, this.at + 300);
    const [plain, name] = /^\$([A-Za-z_]\w*|[\d@*#?!$-])/.exec(rest) ?? [];
    if (plain !== undefined && name !== undefined) {
      this.at += plain.length;
      return [this.valueOf(name)];
    }
    const [braced, inner = "", fallback] =
      /^\$\{([A-Za-z_]\w*|[\d@*#])(?::?(?:[-=]([^{}$`"']*)|\?[^{}$`"']*))?\}/.exec(rest) ?? [];
    if (braced !== undefined) {
      this.at += braced.length;
      return [this.valueOf(inner, fallback)];
    }
    const [cut, cutName = "", operator = "", pattern = ""] = cutting.exec(rest) ?? [];
    const part = cut === undefined ? undefined : cutValue(this.valueOf(cutName), operator, pattern);
    if (cut !== undefined && part !== undefined) {
      this.at += cut.length;
      return [part];
    }
    if (rest.startsWith("$((")) return [this.skipTo("$((", "))", "number")];
    if (rest.startsWith("$(")) return this.readSubstitution();
    if (rest.startsWith("${")) return [this.skipTo("${", "}", /^\$\{[!#]?(\w*)/.exec(rest)?.[1] || "value")];
    if (rest.startsWith("`")) return [this.readBackticks()];
    this.at++;
    return ["$"];
  }

  private valueOf(name: string, fallback?: string): string {
    this.noteUse(name);
    const value = this.variables.get(name);
    if (fallback) this.noteDefault(name, value, fallback);
    if (value === "" && fallback !== undefined) return fallback;
    if (value !== undefined) return value;
    if (!/^[A-Za-z_]\w*$/.test(name)) return this.createUnknown("argument");
    return changing.test(name) ? this.createUnknown(name) : createPlaceholder(name, this.findEnvironment(), fallback);
  }

  private skipTo(opening: string, closing: string, name: string): string {
    const end = this.text.indexOf(closing, this.at + opening.length);
    if (end === -1) throw new ShellSyntaxError(`${opening} is not closed.`, this.offset + this.at);
    this.noteUse(name);
    const skipped = this.text.slice(this.at, end);
    if (skipped.includes("api/")) this.keep([createUnread(skipped, this.offset + this.at)]);
    this.at = end + closing.length;
    return this.createUnknown(name);
  }

  private readBackticks(): string {
    const [whole, inner = ""] = matchAt(/`((?:[^`\\]|\\[\s\S])*)`/y, this.text, this.at);
    if (whole === undefined) throw new ShellSyntaxError("` is not closed.", this.offset + this.at);
    this.keep(this.readInside(inner.replace(/\\([\\`$])/g, "$1"), this.offset + this.at + 1));
    this.at += whole.length;
    return this.createUnknown("command");
  }

  /** The text of `$(cat …)`; all else that a command prints is unknown. */
  private readSubstitution(): readonly [text: string, file?: string | undefined] {
    const start = this.at + 2;
    const end = findClosing(this.text, start);
    if (end === -1) throw new ShellSyntaxError("$( is not closed.", this.offset + this.at);
    this.at = end + 1;
    const source = this.text.slice(start, end);
    const inside = this.readInside(source, this.offset + start);
    const [only, ...others] = inside;
    const [command, argument, ...more] = only?.words ?? [];
    if (only && others.length === 0 && command?.text === "cat" && more.length === 0) {
      if (argument === undefined && only.input && only.input.file === undefined)
        return [only.input.isAwaited ? this.createUnknown("command") : only.input.text];
      const file = argument?.text ?? only.input?.file;
      if (file !== undefined) return [this.createUnknown("file"), file];
    }
    this.keep(inside);
    // The folder of the script is where its files are looked for.
    if (/\bdirname\b/.test(source)) return ["."];
    if (!/\bbase64\b/.test(source)) return [this.createUnknown("command")];
    this.noteEncoded(inside);
    return [this.createUnknown(encoded)];
  }

  /** All of a text in which variables count, and quotes do not. */
  protected readExpandable(): string {
    let text = "";
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (character === "\\" && /[\\$`\n]/.test(this.text.charAt(this.at + 1))) text += this.readEscape();
      else if (character === "$" || character === "`") text += this.readExpansion()[0];
      else {
        text += this.readPlain();
      }
    }
    return text;
  }
}

/** What `$(echo … | base64)` is called. */
export const encoded = "encoded";

/** Variables that have another value each time. */
const changing = /^(?:RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|BASH\w*|PPID|REPLY|OPTARG|OPTIND|PIPESTATUS)$/;

/** `${NAME%%:*}` */
const cutting = /^\$\{([A-Za-z_]\w*|\d)(##?|%%?)([^{}$`"'\\[\]~]*)\}/;

const plain = /[^\s;&|()<>'"\\$`]*/y;

export function matchAt(pattern: RegExp, text: string, at: number): readonly string[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}
