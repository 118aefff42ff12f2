// What commands of a script read: files, here-documents.
import { type ShellCommand, ShellSyntaxError, ShellText, type ShellWord } from "./shell-text.ts";

interface HereDocument {
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
  readonly fill: (word: ShellWord) => void;
  /** Of a loop, whose commands read it. */
  readonly isOfLoop: boolean;
}

/** What the commands of a function read where they have no other input. */
export interface StandardInput {
  readonly word: ShellWord;
  /** The first command that reads it leaves nothing for others. */
  isRead: boolean;
}

const readers =
  /^(?:cat|tee|read|mapfile|readarray|jq|yq|sed|awk|grep|tr|sort|head|tail|envsubst|base64|xargs|sh|bash|python3?)$/;

function readsInput([first, ...args]: readonly ShellWord[]): boolean {
  if (first?.text === "cat" && args.length > 0) return false;
  return readers.test(first?.text ?? "") || args.some(({ text }) => /@(?:-|\/dev\/stdin)$|^-$|^-T-$/.test(text));
}

/** Commands of a function that have another input than the function, in a way that is not followed. */
const redirectsGroup =
  /(?:[\s;]\}|\)|\b(?:done|fi|esac))[ \t]*<(?!\()|(?<!\|)\|(?!\|)\s*(?:[{(]|(?:while|until|for|if|case)\b)|\bexec\s+</;

export function createInput(word: ShellWord | undefined, body: string): StandardInput | undefined {
  return word && !redirectsGroup.test(body) ? { word, isRead: false } : undefined;
}

const isPrinted = "its data are what another command prints";
const isReadBefore = "a command before it in its function may read its data";

/** What a command prints, where that is certain without running it. */
export function readOutput({ words: [first, ...args], input }: ShellCommand): ShellWord | undefined {
  const [argument, ...others] = args;
  if (!first) return undefined;
  if (first.text === "cat") {
    if (!argument) return input;
    return others.length === 0 ? { text: "", start: argument.start, file: argument.text } : undefined;
  }
  const isPlain = args.every(({ text, file }) => !text.includes("\\") && file === undefined);
  if (first.text === "echo" && isPlain) {
    const shown = argument?.text === "-n" ? others : args;
    return shown[0] && { text: shown.map(({ text }) => text).join(" "), start: shown[0].start };
  }
  if (first.text === "printf" && isPlain && argument?.text === "%s" && others.length === 1) return others[0];
  return undefined;
}

export abstract class ShellInput extends ShellText {
  /** Of the command that is being read. */
  protected words: ShellWord[] = [];
  protected input: ShellWord | undefined;
  /** It comes after `|`. */
  protected isPiped = false;
  /** Of the function that is read for one call. */
  protected standardInput: StandardInput | undefined;
  private readonly pending: HereDocument[] = [];

  protected takeInput(
    words: readonly ShellWord[],
    input: ShellWord | undefined,
    isPiped: boolean,
  ): Pick<ShellCommand, "input" | "noInput"> {
    const { standardInput } = this;
    if (input) return { input };
    if (isPiped) return { noInput: isPrinted };
    if (!standardInput || !readsInput(words)) return {};
    if (standardInput.isRead) return { noInput: isReadBefore };
    standardInput.isRead = true;
    return { input: standardInput.word };
  }

  /** Of a here-document. */
  protected abstract noteLines(lines: readonly string[]): void;

  /** A text in which only variables count. */
  protected abstract expandText(text: string, start: number): string;

  /** The text of a here-document that was announced comes at the next line. */
  protected awaitsHereDocument(): boolean {
    return this.pending.length > 0;
  }

  protected skipComment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  /** After the end of a line: those that it announces. */
  protected readHereDocuments(): void {
    for (const document of this.pending.splice(0)) this.readHereDocument(document);
  }

  /** A file or a text for a command to read; what it writes to is of no interest. */
  protected readRedirection(): void {
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
        isOfLoop: this.words.length === 0,
      });
    } else if (operator === "<<<") this.input = word;
    else if (operator === "<") this.input = { text: "", start: word.start, file: word.text };
  }

  /** The text of a here-document comes after its command was ended. */
  private inputFiller(): (word: ShellWord) => void {
    const awaited: ShellWord = { text: "", start: this.offset + this.at };
    let filled = awaited;
    this.input = {
      get text() {
        return filled.text;
      },
      get start() {
        return filled.start;
      },
      get isAwaited() {
        return filled === awaited;
      },
    };
    return (word) => {
      filled = word;
    };
  }

  private readHereDocument({ delimiter, isLiteral, stripsTabs, fill, isOfLoop }: HereDocument): void {
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
        if (isOfLoop) this.noteLines(lines);
        fill({ text: isLiteral ? text : this.expandText(text, start), start: this.offset + start });
        return;
      }
      lines.push(shown);
    }
    throw new ShellSyntaxError("This here-document has no end.", this.offset + start);
  }
}
