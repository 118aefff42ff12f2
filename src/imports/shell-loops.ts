// Loops of a script over words that are known: the body is read again for each of them.
import { holdsPlaceholder } from "./placeholders.ts";
import type { KnownLoop } from "./shell-flow.ts";
import { assignment, ShellNames } from "./shell-names.ts";
import { isCommandLine, splitWords } from "./shell-split.ts";
import { type ShellCommand, ShellSyntaxError, type ShellWord } from "./shell-text.ts";

/** Of each call of a function and each round of a loop, in characters. */
const costOfRound = 1000;

/** After `for NAME in`. */
const firstItem = 3;

const inputAfterLoop = "it reads a here-document that comes after its loop";

export abstract class ShellLoops extends ShellNames {
  protected abstract countCommands(): number;

  /** Of those that were read after the first ones. */
  protected abstract replaceCommands(first: number, replace: (command: ShellCommand) => readonly ShellCommand[]): void;

  /**
   * The words that the shell makes of a variable without quotes, where they count; undefined leaves it as it is.
   *
   * @param isWhole nothing is written beside the variable
   */
  protected splitVariable(word: ShellWord, isWhole: boolean): readonly ShellWord[] | undefined {
    const { text } = word;
    if (isWhole && isCommandLine(text)) return splitWords(word);
    const command = this.words.find((one) => !assignment.test(one.text))?.text ?? "";
    const separators = this.findSeparators();
    if (command === "for")
      return /\S/.test(text) && !holdsPlaceholder(text) && separators === undefined ? splitWords(word) : undefined;
    if (command !== "set" && !this.around.script.functions.has(command)) return undefined;
    const isKnown = separators === undefined || !holdsPlaceholder(separators);
    return isKnown ? splitWords(word, separators) : [{ ...word, text: this.createUnknown("argument") }];
  }

  /** @param words of `for NAME in …`; a definition is not run */
  protected openLoop(words: readonly ShellWord[]): void {
    const isRun = !this.isInDefinition();
    this.noteAssigned(words[1]?.text ?? "", words.slice(firstItem));
    if (isRun && words[0]?.text === "for" && this.flow.openKnown(words)) return;
    this.flow.openFor(words);
    const name = words[1]?.text ?? "";
    if (isRun) this.variables.set(name, this.createUnknown(name));
  }

  protected beginLoopBody(): void {
    const loop = this.flow.findKnown();
    if (loop && loop.body === undefined) this.beginRound(loop, this.at);
  }

  protected endLoop(): void {
    const loop = this.flow.findKnown();
    if (loop?.body === undefined) {
      this.flow.close("loop");
      return;
    }
    this.endRound(loop);
    if (loop.words.length > 0 && !this.awaitsHereDocument()) {
      this.spend(this.at - loop.body, this.offset + this.at);
      this.flow.beginNext(loop);
      this.beginRound(loop, loop.body);
      return;
    }
    this.flow.close("loop");
    // It is the last word, unless the loop may not come to it.
    const isLast = !loop.endsEarly && loop.words.length === 0 && this.flow.isCertain();
    if (!isLast) this.variables.set(loop.name, this.createUnknown(loop.name));
  }

  private beginRound(loop: KnownLoop, body: number): void {
    loop.body = body;
    loop.first = this.countCommands();
    this.at = body;
    this.variables.set(loop.name, loop.words.shift()?.text ?? "");
  }

  /** A command that is the same in each round is read once. */
  private endRound(loop: KnownLoop): void {
    const isCut = loop.words.length > 0 && this.awaitsHereDocument();
    this.replaceCommands(loop.first, (command) => {
      if (isCut) return [{ ...command, doubt: inputAfterLoop }];
      const key = JSON.stringify([command.words, command.calledAt, command.input?.text, command.input?.file]);
      if (loop.seen.has(key)) return [];
      loop.seen.add(key);
      return [command];
    });
  }

  /** Of what is read more than once. */
  protected spend(length: number, at: number): void {
    const { script } = this.around;
    script.left -= length + costOfRound;
    if (script.left < 0)
      throw new ShellSyntaxError("Its functions and loops run too often for all of it to be read.", at);
  }
}
