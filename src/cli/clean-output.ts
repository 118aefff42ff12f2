import { escapeAsJson, matchInvisible } from "../json/invisible.ts";
import type { Output } from "./io.ts";

/**
 * The same output, in which nothing acts as a command of the CI service that keeps the log: GitHub and Azure obey
 * `##[…]` and `##vso[…]` anywhere in a line and `::…` at its beginning, TeamCity `##teamcity[…]`. Names and answers
 * may hold anything. The escape is one of JSON, so that JSON stays valid. Nor is anything in it invisible, but colours and
 * what erases a line.
 *
 * @param hide what a part of the text may be shown as
 */
export function cleanOutput(output: Output, hide: (text: string) => string): Output {
  /** The line has only spaces so far. */
  let isLineEmpty = true;
  return {
    ...output,
    write: (text) => {
      const shown = withoutCommands(escapeAsJson(hide(text), unwanted), isLineEmpty);
      isLineEmpty = blank.test(shown.slice(shown.lastIndexOf("\n") + 1)) && (isLineEmpty || shown.includes("\n"));
      output.write(shown);
    },
  };
}

const unwanted = matchInvisible(String.raw`[ \n\t]|\r\n|^\r|\u001b\[[0-9;]*[mK]`);

// Colours are no characters of a line: a service may remove them first.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is meant
const blank = /^(?:\s|\u001b\[[0-9;]*m)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const atBeginning = /^((?:[^\S\n]|\u001b\[[0-9;]*m)*):(?=:)/gm;

function withoutCommands(text: string, isLineEmpty: boolean): string {
  const marked = text.includes("##") ? text.replaceAll(/##(?=[a-z]*\[)/gi, "#\\u0023") : text;
  if (!marked.includes("::")) return marked;
  return marked.replace(atBeginning, (whole, spaces: string, at: number) =>
    at > 0 || isLineEmpty ? `${spaces}\\u003a` : whole,
  );
}
