import type { Clock } from "../apply/ports.ts";
import type { WaitWatch, Watch } from "../model/watch.ts";

/** Everything of the process that a command may touch. */
export interface Io extends ProcessIo {
  /** What a text may be shown as, where it goes anywhere but to the outputs. */
  readonly hide: (text: string) => string;
  /** Standard output as it is: commands for the service that runs us, which nothing else there may look like, and messages to an editor. */
  readonly command: (lines: string) => void;
}

/** The same as `main` hands it in: what is written goes out as it is. */
export interface ProcessIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True where a person can be asked. */
  readonly interactive: boolean;
  /** One line from the person; undefined at the end of input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Standard input, opened when it is asked for. */
  readonly input: () => Input;
  /** Once the user asked to stop: with what the run then ends. */
  readonly stopped: () => number | undefined;
  /** From here on an interrupt finishes the request in flight instead of ending the process. */
  readonly beginWriting: () => void;
  /** Settles when the user asks to stop: for commands that run until then. */
  readonly untilStopped: () => Promise<void>;
  /** What day and hour it is: for what is kept of a run, never to decide by. */
  readonly today: () => Date;
  /** Called at each step of the run; absent where no progress is shown. */
  readonly watch?: Watch;
  /** Called for each request that may keep the user waiting; absent where nothing of it is printed. */
  readonly waits?: WaitWatch;
  /** In the run about one of several targets: where that is printed at once, and for which target. */
  readonly waitsOf?: { readonly target: string; readonly output: Output };
  /** Called with all forms of a part of our login that an answer of the server holds: none is shown from then on. */
  readonly echoed?: (forms: readonly string[]) => void;
  /** For whatever waits for a server to make up its mind. */
  readonly clock: Clock;
}

export interface Input extends AsyncIterable<Uint8Array> {
  /** Closes it: nothing more is read. */
  readonly destroy?: () => unknown;
}

export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when there is room for more; to false where the reader is gone. Absent where there is always room. */
  readonly space?: () => Promise<boolean>;
  readonly isTTY: boolean;
  readonly columns: number;
}

/** Characters that are written at once: more is not faster, and takes memory. */
const batchSize = 65_536;

/** Writes a long text while it is made, no faster than it is read; stops where the reader is gone. */
export async function writeBlocks(output: Output, blocks: Iterable<string>): Promise<void> {
  let batch = "";
  for (const block of blocks) {
    batch += block;
    if (batch.length < batchSize) continue;
    output.write(batch);
    batch = "";
    if (output.space && !(await output.space())) return;
  }
  if (batch !== "") output.write(batch);
}
