import { isSecretField } from "./config-fields.ts";
import { mask } from "./masked-line.ts";

/** `--password-file` and `--token-url` say where something else is; `--secret` is mostly the name of one. */
const lastWordOfSecret = /(?:pass(?:word|wd|phrase)?|pwd|tokens?|key|hmac|credentials?|value|text|.secrets?)$/i;
/** A variable, another option, a path. */
const noSecret = /^["']?(?:\$(?!\{env:[^}]*:-)|--|@?(?:~|\.{1,2})?\/)/;

/**
 * What a program is started with, as it may be shown: `--password x`, `--token=x` and `PASSWORD=x` without their secrets.
 * A shell has all in one word.
 */
export function maskCommand(words: readonly string[]): readonly string[] {
  let isValue = false;
  const maskPart = (part: string) => {
    const isSecret = isValue && !noSecret.test(part);
    const [, dashes = "", option = "", value] = /^(--?)?([\w.-]+)(?:=(.+))?$/s.exec(part) ?? [];
    const isNamed = isSecretField(option) && lastWordOfSecret.test(option);
    isValue = !isSecret && isNamed && dashes !== "" && value === undefined;
    if (isSecret) return mask;
    return isNamed && value !== undefined && !noSecret.test(value) ? `${dashes}${option}=${mask}` : part;
  };
  return words.map((word) => word.replace(/\S+/g, maskPart));
}
