import { expect, it } from "vitest";
import { describeMixedScripts, foldName } from "../../../src/lint/scripts.ts";

it.each([
  ["\u0430dmin", '"dmin" is Latin, "\u0430" is Cyrillic'],
  ["\u03bfps", '"ps" is Latin, "\u03bf" is Greek'],
  ["logs-\u0455\u0441\u043e\u0440\u0435", '"logs" is Latin, "\u0455\u0441\u043e\u0440\u0435" is Cyrillic'],
  ["каталог-ολα", '"каталог" is Cyrillic, "ολα" is Greek'],
  ["人\u0430", '"\u0430" is Cyrillic, "人" is Han'],
  ["ひらㄅ", '"ひら" is Hiragana, "ㄅ" is Bopomofo'],
  ["ひ한", '"ひ" is Hiragana, "한" is Hangul'],
  ["adm\u0456n@search.example", '"adm…n" is Latin, "\u0456" is Cyrillic'],
  ["a\u13aa", '"a" is Latin'],
])("%s mixes scripts", (name, described) => expect(describeMixedScripts(name, "directory")).toBe(described));

it.each(["ops/\u0430\u0440\u0435", "ops@\u0430\u0440\u0435"])(
  "%s mixes scripts where it is no name of a directory",
  (name) => {
    expect(describeMixedScripts(name)).toBe('"ops" is Latin, "\u0430\u0440\u0435" is Cyrillic');
    expect(describeMixedScripts(name, "directory")).toBeUndefined();
  },
);

it.each([
  ["ASCII", "hr_reader-2026.*"],
  ["accents", "Überprüfung"],
  ["accents as characters of their own", "re\u0301sume\u0301"],
  ["one other script", "каталог-2026"],
  ["Greek", "Ωμέγα_1"],
  ["Japanese", "logs-人事ひらカタ・ー"],
  ["Chinese", "logs人ㄅ"],
  ["Korean", "logs-人한국"],
  ["Arabic with digits", "سجل-2026"],
  ["Hindi", "लॉग-1"],
  ["a script that is rare", "\u13aa\u13b1"],
  ["emoji", "🦊 ops"],
  ["a directory name", "CN=Иванов,OU=users,DC=search,DC=example"],
  ["an address", "иванов@search.example"],
  ["a user of a domain", "SEARCH\\иванов"],
  ["a pattern", "/каталог-.*/"],
])("%s is no mixture", (_, name) => expect(describeMixedScripts(name, "directory")).toBeUndefined());

it.each([
  ["Admin", "admin"],
  ["résumé", "resume"],
  ["re\u0301sume", "résumé"],
  ["\ufb01n", "fin"],
  ["\uff32ead", "read"],
  ["straße", "STRASSE"],
  ["adm\u200bin", "admin"],
  ["a\u3164", "a"],
  ["№1", "No1"],
])("%s and %s look alike", (one, other) => expect(foldName(one)).toBe(foldName(other)));

it.each([
  ["バス", "パス"],
  ["की", "का"],
  ["hr", "hr2"],
  ["a b", "ab"],
])("%s and %s do not", (one, other) => expect(foldName(one)).not.toBe(foldName(other)));
