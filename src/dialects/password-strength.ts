// What OpenSearch refuses of a password from 2.8 on. It estimates by zxcvbn; measured on 2.19.4, by all strengths that a node may ask for.
import { createRequire } from "node:module";
import type zxcvbn from "zxcvbn";

const require = createRequire(import.meta.url);

export interface PasswordFault {
  /** What follows "The password of internal user NAME". It says nothing of the text itself. */
  readonly what: string;
  /** Refused whatever the settings of the nodes are. */
  readonly isCertain: boolean;
  /** The setting that decides, below `plugins.security.restapi`. */
  readonly setting?: string;
}

/** In units of UTF-16, as Java counts. */
const longest = 100;

/** The least that a node asks for is 1 (`fair`), the default 3 (`strong`). */
const scores = { least: 1, byDefault: 3 } as const;

const similar = "is too similar to the name";

/** Undefined where a server with default settings takes it. */
export function findPasswordFault(password: string, name: string): PasswordFault | undefined {
  if (password === "") return { what: "is empty", isCertain: true };
  if (password.length > longest) return { what: `has more than ${longest} characters`, isCertain: true };
  // Loaded here: its word lists are large, and hardly any plan writes passwords.
  const estimate: typeof zxcvbn = require("zxcvbn");
  const { score, sequence } = estimate(password, [name]);
  const words = sequence.filter(({ pattern }) => pattern === "dictionary");
  if (words.some(({ dictionary_name }) => dictionary_name === "user_inputs")) return { what: similar, isCertain: true };
  if (score < scores.least) return { what: "is among the first that are guessed", isCertain: true };
  if (score < scores.byDefault) {
    return { what: "is weak", isCertain: false, setting: "password_score_based_validation_strength" };
  }
  // In a list of common words, too: the server may take either for the cause.
  const ofName = name.toLowerCase();
  return words.some(({ matched_word }) => matched_word === ofName)
    ? { what: "may be too similar to the name", isCertain: false }
    : undefined;
}
