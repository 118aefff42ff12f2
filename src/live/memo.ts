import type { Answer, ReadPort } from "../model/ports.ts";

/** Asks for each path once: who the server is and what it holds are often told by the same answer. */
export function memoised(port: ReadPort): ReadPort {
  const answers = new Map<string, Promise<Answer>>();
  return {
    get(path) {
      const known = answers.get(path);
      if (known) return known;
      const asked = port.get(path);
      answers.set(path, asked);
      return asked;
    },
    close: () => port.close(),
  };
}
