import type { HttpAnswer, ReadPort } from "../model/ports.ts";

export interface Memo extends ReadPort {
  /**
   * Drops long answers that are decoded: their texts only take memory. If they are needed again, the server is asked
   * again.
   */
  readonly forgetLong: () => Promise<void>;
}

/** Characters. */
const long = 100_000;

/** Asks for each path once: the same answer often shows who the server is and what it holds. */
export function memoiseReads(port: ReadPort): Memo {
  const answers = new Map<string, Promise<HttpAnswer>>();
  return {
    get(path) {
      const known = answers.get(path);
      if (known) return known;
      const asked = port.get(path);
      answers.set(path, asked);
      return asked;
    },
    forgetLong: async () => {
      for (const [path, asked] of answers) {
        if ((await asked).text.length >= long) answers.delete(path);
      }
    },
    close: () => port.close(),
  };
}
