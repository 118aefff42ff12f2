// What OpenSearch refuses of a password from 2.8 on. It estimates by zxcvbn; measured on 2.19.4, by all strengths that a node may ask for.
import { createRequire } from "node:module";
import type zxcvbn from "zxcvbn";

const require = createRequire(import.meta.url);

export interface PasswordFault {
  /** What follows "The password of internal user NAME". It says nothing of the text itself. */
  readonly what: string;
  readonly fix: string;
  /** Refused whatever the settings are that the server does not show. */
  readonly isCertain: boolean;
  /** The setting that decides, below `plugins.security.restapi`. */
  readonly setting?: string;
}

/** In units of UTF-16, as Java counts. */
const longest = 100;

/** The least that a node asks for is 1 (`fair`), the default 3 (`strong`). */
const scores = { least: 1, byDefault: 3 } as const;

const similar = "is too similar to the name";

/** What servers show that ask for none. */
const defaultExpression = "(?=.*[A-Z])(?=.*[^a-zA-Z\\d])(?=.*[0-9])(?=.*[a-z]).{8,}";

/**
 * Undefined where a server with default settings, and this expression, takes it.
 *
 * @param expression `password_validation_regex` as the server shows it; absent where it shows none
 */
export function findPasswordFault(password: string, name: string, expression?: string): PasswordFault | undefined {
  if (password.length > longest)
    return { what: `has more than ${longest} characters`, fix: "Choose a shorter one.", isCertain: true };
  const fault = findFaultOf(password, name, expression);
  return fault && { fix: "Choose a longer one that does not contain the name.", ...fault };
}

function findFaultOf(password: string, name: string, expression?: string): Omit<PasswordFault, "fix"> | undefined {
  if (password === "") return { what: "is empty", isCertain: true };
  const isMatched = expression === undefined || expression === defaultExpression || matches(expression, password);
  if (isMatched === false) return { what: "does not match the expression of the server", isCertain: true };
  // Loaded here: its word lists are large, and hardly any plan writes passwords.
  const estimate: typeof zxcvbn = require("zxcvbn");
  const ofName = name.toLowerCase();
  // In lower case `İ` becomes two characters of a name, and of a password, as servers read it, one.
  const { score, sequence } = estimate(password.replaceAll("İ", "i"), [name]);
  const words = sequence.filter(({ pattern }) => pattern === "dictionary");
  if (words.some(({ dictionary_name }) => dictionary_name === "user_inputs")) return { what: similar, isCertain: true };
  if (score < scores.least) return { what: "is among the first that are guessed", isCertain: true };
  if (score < scores.byDefault) {
    return { what: "is weak", isCertain: false, setting: "password_score_based_validation_strength" };
  }
  // In a list of common words, too: the server may take either for the cause.
  if (words.some(({ matched_word }) => matched_word === ofName)) {
    return { what: "may be too similar to the name", isCertain: false };
  }
  const what = "may not match the expression of the server, which gate-sync cannot evaluate";
  return isMatched ? undefined : { what, isCertain: false };
}

/** Of what Java and JavaScript read alike; undefined of all else. */
function matches(expression: string, password: string): boolean | undefined {
  const isOther = /\\[^\W\ddDwWsStnrf]|\\\d|&&|\[\^?\]|\[[^\]]*\[|\(\?(?![=!:])|[*+?}]\+/.test(expression);
  if (isOther || !/^[ -~]*$/.test(password)) return undefined;
  try {
    return new RegExp(`^(?:^${expression}$)$`).test(password);
  } catch {
    return undefined;
  }
}
