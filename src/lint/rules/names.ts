import type { SourceRange } from "../../diagnostics/source.ts";
import type { LintFinding, LintGroup, LintName, LintRole, LintRule, LintState } from "../rule.ts";
import { describeMixedScripts, foldName, foldPart, splitPattern } from "../scripts.ts";

export const mixedScripts: LintRule = {
  code: "mixed-scripts",
  find: ({ names, roles, groups }) =>
    [...firstOfEach([...names, ...listBeyondAscii(listPatterns(roles, groups))]).values()].flatMap(
      ({ kind, value, at }): readonly LintFinding[] => {
        const of = ofDirectories.has(kind) ? "directory" : ofPatterns.has(kind) ? "pattern" : "name";
        const mixed = describeMixedScripts(value, of);
        if (mixed === undefined) return [];
        return [
          {
            at,
            what: `The ${kind} ${JSON.stringify(value)} mixes scripts: ${mixed}.`,
            why: "Characters of one script look like those of another, so that it may be taken for another name.",
            fix: "Write it in one script, or silence this where it is meant.",
          },
        ];
      },
    ),
};

const ofDirectories: ReadonlySet<string> = new Set(["user", "backend role", "host", "node"]);
const ofPatterns: ReadonlySet<string> = new Set(["index pattern", "field", "tenant pattern", "permission"]);

/** What is no name of an entry, but shown like one. */
function* listPatterns(roles: readonly LintRole[], groups: readonly LintGroup[]) {
  const lists = function* () {
    for (const { cluster, indices, tenants } of roles) {
      yield ["permission", cluster] as const;
      for (const { patterns, fls, masks, actions } of indices)
        yield* [
          ["index pattern", patterns],
          ["field", fls],
          ["field", masks],
          ["permission", actions],
        ] as const;
      for (const { patterns, actions } of tenants)
        yield* [
          ["tenant pattern", patterns],
          ["permission", actions],
        ] as const;
    }
    for (const { actions } of groups) yield ["permission", actions] as const;
  };
  for (const [kind, texts] of lists()) for (const at of texts) yield { kind, value: at.value, at };
}

/** Parts of patterns that look like one of another pattern or name. Hardly any is beyond ASCII. */
function findLikeParts({ names, roles, groups }: LintState): readonly LintFinding[] {
  const patterns = () => listPatterns(roles, groups);
  const found = [...firstOfEach(listBeyondAscii(patterns())).values()].flatMap((pattern) =>
    splitPattern(pattern.value).flatMap((part) => {
      const folded = foldPart(part);
      return folded === undefined ? [] : [{ ...pattern, part, folded }];
    }),
  );
  if (found.length === 0) return [];
  const plain = new Map<string, SourceRange>();
  for (const { value, at } of [...names, ...patterns()])
    for (const part of splitPattern(value)) if (!plain.has(part.toLowerCase())) plain.set(part.toLowerCase(), at);
  return found.flatMap(({ kind, value, at, part, folded }): readonly LintFinding[] => {
    const range = plain.get(folded);
    if (!range) return [];
    return [
      {
        at,
        what: `${JSON.stringify(part)} of the ${kind} ${JSON.stringify(value)} looks like ${JSON.stringify(folded)}.`,
        why: "Servers take them for two names, and readers may take them for one.",
        fix: "Where one is meant, write it the same way in both places; else silence this, or choose another name.",
        related: [{ range, what: "the other name" }],
      },
    ];
  });
}

function* listBeyondAscii<T extends { readonly value: string }>(texts: Iterable<T>) {
  for (const one of texts) if (/[^\0-\x7f]/.test(one.value)) yield one;
}

export const lookalikeName: LintRule = {
  code: "lookalike-name",
  goesBy: "server",
  find: (state) => {
    const { names, otherNames } = state;
    const declared = firstOfEach(names);
    const alike = new Map<string, Omit<LintName, "at"> & Partial<Pick<LintName, "at">>>();
    for (const [key, other] of firstOfEach(otherNames)) if (!declared.has(key)) alike.set(foldKey(other), other);
    const whole = [...declared.values()].toSorted(plainFirst).flatMap((name): readonly LintFinding[] => {
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
    return [...whole, ...findLikeParts(state)];
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
function firstOfEach<T extends { readonly kind: string; readonly value: string }>(
  names: Iterable<T>,
): ReadonlyMap<string, T> {
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
