import type { LintFinding, LintName, LintRule } from "../rule.ts";
import { describeMixedScripts, foldName } from "../scripts.ts";

export const mixedScripts: LintRule = {
  code: "mixed-scripts",
  find: ({ names }) =>
    [...firstOfEach(names).values()].flatMap(({ kind, value, at }): readonly LintFinding[] => {
      const mixed = describeMixedScripts(value, ofDirectories.has(kind));
      if (mixed === undefined) return [];
      return [
        {
          at,
          what: `The ${kind} ${JSON.stringify(value)} mixes scripts: ${mixed}.`,
          why: "Characters of one script look like those of another, so that it may be taken for another name.",
          fix: "Write it in one script, or silence this where it is meant.",
        },
      ];
    }),
};

const ofDirectories: ReadonlySet<LintName["kind"]> = new Set(["user", "backend role", "host"]);

export const lookalikeName: LintRule = {
  code: "lookalike-name",
  goesBy: "server",
  find: ({ names, otherNames }) => {
    const declared = firstOfEach(names);
    const alike = new Map<string, Omit<LintName, "at"> & Partial<Pick<LintName, "at">>>();
    for (const [key, other] of firstOfEach(otherNames)) if (!declared.has(key)) alike.set(foldKey(other), other);
    return [...declared.values()].toSorted(plainFirst).flatMap((name): readonly LintFinding[] => {
      const { kind, value, at } = name;
      const first = alike.get(foldKey(name));
      if (first === undefined) alike.set(foldKey(name), name);
      if (first === undefined) return [];
      return [
        {
          at,
          what: `The ${kind} ${JSON.stringify(value)} looks like the ${kind} ${JSON.stringify(first.value)}.`,
          why: "Servers take them for two names, and readers may take them for one.",
          fix: "Where one is meant, write it the same way in both places; else silence this, or choose another name.",
          ...(first.at && { related: [{ range: first.at, what: "the other name" }] }),
        },
      ];
    });
  },
};

/** The other one of two is what is found. */
function plainFirst(one: LintName, other: LintName): number {
  return Number(isPlain(other)) - Number(isPlain(one));
}

function isPlain({ value }: LintName): boolean {
  return /^[ -~]*$/.test(value);
}

/** Each name of a kind at its first place: it may be among thousands of members. */
function firstOfEach<T extends Omit<LintName, "at">>(names: Iterable<T>): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const name of names) {
    const key = `${name.kind} ${name.value}`;
    if (!found.has(key)) found.set(key, name);
  }
  return found;
}

/** Action groups were written in upper case once, and are in lower case now: both are usual. */
function foldKey({ kind, value }: Omit<LintName, "at">): string {
  return `${kind} ${kind === "action group" ? foldName(value, (text) => text) : foldName(value)}`;
}
