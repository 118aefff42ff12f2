import { type Case, given, type Step } from "./case.ts";
import type { FamilyWords, Words } from "./words.ts";

/** The cases of every family that the product has, titled with its name. */
export function ofEachFamily({ families }: Words, cases: (family: FamilyWords) => readonly Case[]): readonly Case[] {
  return families.flatMap((family) =>
    cases(family).map(({ title, steps }) => ({ title: `${family.path}: ${title}`, steps })),
  );
}

/** A mapping needs its role where the server looks for it, and harms nothing elsewhere. */
export function roleFor({ path }: FamilyWords, words: Words, ...names: readonly string[]): readonly Step[] {
  const [roles] = words.families;
  return path === "rolesmapping" && roles ? names.map((name) => given(`PUT roles/${name}`, roles.first)) : [];
}
