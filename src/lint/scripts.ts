// What a name is made of, and what it looks like: Unicode's scripts (UTS 39) and foldings.
import { invisible } from "../json/invisible.ts";

/** Those of UAX 31 that are in everyday use; all others count as one. */
const everyday =
  "Latin Cyrillic Greek Han Hiragana Katakana Hangul Bopomofo Arabic Hebrew Armenian Georgian Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Myanmar Khmer Tibetan Thaana".split(
    " ",
  );

const shared = String.raw`\p{Script=Common}\p{Script=Inherited}`;

/** What may be mixed: one script, or what Japanese, Chinese and Korean write beside Latin. */
const mixable = [
  "Latin Han Hiragana Katakana",
  "Latin Han Bopomofo",
  "Latin Han Hangul",
  ...everyday.filter((one) => !/^(?:Latin|Han|Hiragana|Katakana|Bopomofo|Hangul)$/.test(one)),
].map((scripts) => {
  const classes = scripts.split(" ").map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${shared}${classes.join("")}]*$`, "u");
});
const other = new RegExp(`^[^${everyday.map((script) => `\\p{Script=${script}}`).join("")}]*$`, "u");

const scriptOf = everyday.map((script) => ({ script, runs: new RegExp(`\\p{Script=${script}}+`, "gu") }));

/** Between these, each is a name of its own: `CN=Иванов,OU=users`, `иванов@search.example`; `logs-журнал-*`, `имя.keyword`. */
const separators = { name: /$/, directory: /[,=@\\/+]/, pattern: /[^\p{L}\p{M}\p{N}]/u };

/** `"dmin" is Latin, "а" is Cyrillic` of a name that mixes more than "highly restrictive" of UTS 39 allows. */
export function describeMixedScripts(name: string, of: keyof typeof separators = "name"): string | undefined {
  if (/^[\0-\x7f]*$/.test(name)) return undefined;
  const mixed = name.split(separators[of]).find((part) => !other.test(part) && !mixable.some((one) => one.test(part)));
  return (
    mixed &&
    scriptOf
      .flatMap(({ script, runs }) => {
        const found = mixed.match(runs) ?? [];
        return found.length === 0 ? [] : [`${JSON.stringify(found.join("…"))} is ${script}`];
      })
      .join(", ")
  );
}

/** Equal for names that differ in case, accents, the form, width or script of characters, or in what is invisible. */
export function foldName(name: string, foldCase = (text: string) => text.toUpperCase().toLowerCase()): string {
  if (/^[ -~]*$/.test(name)) return foldCase(name);
  return foldCase(name.normalize("NFKC").replace(invisible, ""))
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .replace(likeLatin, (character) => latinOf.get(character) ?? character);
}

/** What differs from that of another script by its characters alone, as "whole-script confusable" of UTS 39: `рау`, `pay`. */
export function foldPart(part: string): string | undefined {
  const folded = foldName(part);
  return folded !== "" && !isPlainText(part) && isPlainText(folded) ? folded : undefined;
}

export function splitPattern(pattern: string): readonly string[] {
  return pattern.split(separators.pattern);
}

function isPlainText(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Of Cyrillic and Greek; each in both cases, as names that differ in case alone look alike, too. */
const alike = ["авсегнікмопрѕтухјһԁԛԝӏѵ αβγεζηικμνορτυχ", "abcerhikmonpstyxjhdqwlv abyezhikmvoptux"] as const;
const latinOf: ReadonlyMap<string, string> = new Map(
  [...alike[0]].flatMap((character, at) => {
    const latin = alike[1].charAt(at);
    return [
      [character, latin],
      [character.toUpperCase(), latin.toUpperCase()],
    ] as const;
  }),
);
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

/** Of scripts whose characters mean the same without them: elsewhere marks are vowels. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu;
