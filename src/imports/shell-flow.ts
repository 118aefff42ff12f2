// Whether a command of a script surely runs, and once: it may be in a branch, in a loop, after `&&`, after `exit`.
import { expandPlaceholders, holdsPlaceholder, isNameless } from "./placeholders.ts";
import type { ShellCommand, ShellWord } from "./shell-text.ts";

type Doubts = Pick<ShellCommand, "isRepeated" | "doubt">;

const inBranch = "it is in a branch of a condition, and may not be sent";
const inLoop = "it is in a loop that may not run";
const afterBreak = "it is in a loop that may end before it";
const afterSuccess = "it is sent only if the command before it succeeds";
const afterFailure = "it is sent only if the command before it fails";
const afterEnd = "the script, or the function that it is in, ends before it";

interface Block {
  readonly kind: BlockKind;
  doubt: string | undefined;
  /** Of what comes after `then` or `do`. */
  readonly inside: string | undefined;
  readonly loop?: KnownLoop;
}

/** A loop over words that are all known: its body is read once for each. */
export interface KnownLoop {
  readonly name: string;
  /** Those to come. */
  readonly words: ShellWord[];
  /** Where its body begins, once that is read. */
  body?: number;
  /** How many commands were before this round. */
  first: number;
  /** Commands of all rounds. */
  readonly seen: Set<string>;
  /** `break` is in it. */
  endsEarly?: true;
}

type BlockKind = "branch" | "loop" | "group" | "function";

export class ShellFlow {
  private readonly blocks: Block[] = [];
  /** Of the rest of `a && b || c`. */
  private chain: string | undefined;
  private end: "return" | "exit" | undefined;

  private readonly around: Doubts;

  constructor(around: Doubts) {
    this.around = around;
  }

  /** Of a command that comes here. */
  getDoubts(): Doubts {
    const isRepeated = this.around.isRepeated || this.blocks.some(({ kind, loop }) => kind === "loop" && !loop);
    const doubt = this.around.doubt ?? this.findDoubt();
    return { isRepeated, ...(doubt !== undefined && { doubt }) };
  }

  /** Where all that it is in runs. */
  private findDoubt(): string | undefined {
    const block = this.blocks.find(({ doubt }) => doubt !== undefined);
    return block?.doubt ?? this.chain ?? (this.end && afterEnd);
  }

  /** A value that is assigned here is the value from here on. */
  isCertain(): boolean {
    const { isRepeated, doubt } = this.getDoubts();
    return !isRepeated && doubt === undefined;
  }

  isAtFunction(): boolean {
    return this.blocks.at(-1)?.kind === "function";
  }

  endsScript(): boolean {
    return this.end === "exit";
  }

  /** A function ends it, which is called here. */
  endScript(): void {
    if (this.findDoubt() === undefined) this.end = "exit";
  }

  open(kind: BlockKind): void {
    this.blocks.push({ kind, doubt: this.chain, inside: kind === "loop" ? inLoop : inBranch });
    this.chain = undefined;
  }

  /** @param words of `for NAME in …` */
  openFor(words: readonly ShellWord[]): void {
    const items = words.slice(3);
    const isSure = items.some((word) => word.text !== "" && isKnownWord(word));
    this.blocks.push({ kind: "loop", doubt: this.chain, inside: isSure ? undefined : explainLoop(items) });
    this.chain = undefined;
  }

  /** @returns whether all words of `for NAME in …` are known, and there is one */
  openKnown([, name, word, ...items]: readonly ShellWord[]): KnownLoop | undefined {
    if (word?.text !== "in" || name === undefined || !items[0] || !items.every(isKnownWord)) return undefined;
    const loop: KnownLoop = { name: name.text, words: items, first: 0, seen: new Set() };
    this.blocks.push({ kind: "loop", doubt: this.chain, inside: undefined, loop });
    this.chain = undefined;
    return loop;
  }

  /** The innermost loop, where its words are known. */
  findKnown(): KnownLoop | undefined {
    return this.blocks.findLast(({ kind }) => kind === "loop")?.loop;
  }

  /** Back at the beginning of the body. `continue` ends one round only. */
  beginNext(loop: KnownLoop): void {
    const at = this.blocks.findLastIndex((block) => block.loop === loop);
    this.blocks.splice(at + 1);
    const block = this.blocks[at];
    if (block?.doubt === afterBreak && !loop.endsEarly) block.doubt = undefined;
    this.chain = undefined;
  }

  /** After `then`, `else`, `do`. */
  enter(): void {
    const block = this.blocks.at(-1);
    if (block) block.doubt ??= block.inside;
  }

  /** With all that was not closed inside. */
  close(kind: BlockKind): void {
    const at = this.blocks.findLastIndex((block) => block.kind === kind);
    if (at !== -1) this.blocks.splice(at);
  }

  /** The end of a group; a `)` may also be that of a pattern of `case`. */
  closeGroup(): boolean {
    const isGroup = this.blocks.at(-1)?.kind === "group";
    if (isGroup) this.blocks.pop();
    return isGroup;
  }

  /** @param words of the command before `&&`, or `||` */
  continueChain(operator: "&&" | "||", words: readonly ShellWord[]): void {
    if (operator === "||") this.chain ??= afterFailure;
    else if (!surelySucceeds(words)) this.chain ??= afterSuccess;
  }

  endChain(): void {
    this.chain = undefined;
  }

  /** What a command does to those after it. */
  note([first]: readonly ShellWord[]): void {
    const name = first?.text;
    if (name === "break" || name === "continue") {
      const loop = this.blocks.findLast(({ kind }) => kind === "loop");
      if (loop) loop.doubt ??= afterBreak;
      if (loop?.loop && name === "break") loop.loop.endsEarly = true;
    } else if ((name === "exit" || name === "return") && this.findDoubt() === undefined) {
      this.end ??= name;
    }
  }
}

function isKnownWord({ text, isExpanded }: ShellWord): boolean {
  return !isExpanded && !holdsPlaceholder(text);
}

/** Nothing of the words is shown but the names of variables. */
function explainLoop(items: readonly ShellWord[]): string {
  const word = items.find((one) => !isKnownWord(one));
  if (!word) return inLoop;
  let over = "words that are known only when it runs";
  expandPlaceholders(word.text, (value) => {
    const { name, written } = value;
    if (!isNameless(value)) over = `${written}, whose value is unknown`;
    else if (name === "command") over = "what a command prints";
    else if (name.startsWith("argument")) over = "the arguments of the script";
    return "";
  });
  return `it is in a loop over ${over}`;
}

const harmless = /^(?:cd|pushd|popd|echo|printf|sleep|mkdir|export|source|\.|set|true|:)$/;

/** As far as a script means it: a request that is refused is an error in any case. */
function surelySucceeds(words: readonly ShellWord[]): boolean {
  const [first] = words;
  if (!first) return false;
  if (harmless.test(first.text) || words.every(({ text }) => /^[A-Za-z_]\w*=/.test(text))) return true;
  const isCurl = words.some(({ text }) => /(?:^|\/)curl$/.test(text));
  return isCurl && words.some(({ text }) => /^(?:-\w*X|--request=)?(?:PUT|PATCH)$/.test(text));
}
