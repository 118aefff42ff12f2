import { groupItems } from "../../json/collections.ts";
import { joinNames } from "../escape.ts";
import { formatClusterActions, formatIndexActions } from "./access-actions.ts";
import type { AccessBlock } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";
import { formatMemberNoun } from "./access-principals.ts";
import { leastAlike, mostNames, mostWhole } from "./list-parts.ts";
import { findNamePatterns, hole, putHole } from "./name-pattern.ts";

/** Principals whose lines are equal but for a word of their names, or one block as it is. */
export interface AccessPart {
  readonly who: string;
  readonly lines: readonly Pick<AccessLine, "sign" | "sentence" | "details">[];
  /** Of several, as many as can be read, and how many are left out; empty of one. */
  readonly names: string;
  /** Of how many blocks. */
  readonly count: number;
}

/** Of many blocks, those made from one pattern are one part, at the place of the first. */
export function listAccessParts(blocks: readonly AccessBlock[], full: boolean): readonly AccessPart[] {
  const whole = ({ who, lines }: AccessBlock): AccessPart => ({ who, lines, names: "", count: 1 });
  if (full || blocks.length <= mostWhole) return blocks.map(whole);
  const single = blocks.flatMap((block) => listNamed(block));
  const patterns = findNamePatterns(single, looksOf, leastAlike);
  const groups = groupItems(patterns.keys(), (one) => patterns.get(one)?.key ?? "");
  const groupOf = new Map(groups.flatMap((group) => group.map(({ block }) => [block, group] as const)));
  return blocks.flatMap((block): readonly AccessPart[] => {
    const group = groupOf.get(block);
    if (!group) return [whole(block)];
    return group[0].block === block ? [createPart(group, patterns.get(group[0])?.word ?? "")] : [];
  });
}

interface NamedBlock {
  readonly block: AccessBlock;
  readonly name: string;
  readonly noun: readonly [one: string, several: string];
}

/** Of one principal that has one name, and that no guard is about. */
function listNamed(block: AccessBlock): readonly NamedBlock[] {
  const [principal, ...others] = block.principals;
  if (block.isNamedByGuard || others.length > 0 || principal?.kind !== "principal") return [];
  const noun = formatMemberNoun(principal.member);
  const [name, ...names] = principal.member.entries;
  return noun && name !== undefined && names.length === 0 ? [{ block, name, noun }] : [];
}

/** What may be done is never left to a name. */
function looksOf({ block: { lines }, name, noun }: NamedBlock) {
  const fixed = lines.flatMap(({ difference }) =>
    difference
      ? [
          ...difference.actions.terms.flatMap(({ allOf, noneOf }) => [...allOf, ...noneOf]),
          difference.level === "cluster"
            ? formatClusterActions(difference.actions)
            : formatIndexActions(difference.actions),
        ]
      : [],
  );
  const shown = lines.flatMap(({ sign, sentence, details }) => [`${sign} ${sentence}`, ...details]);
  return { name, text: [noun[0], ...shown].join("\n"), fixed };
}

function createPart(group: readonly [NamedBlock, ...NamedBlock[]], word: string): AccessPart {
  const [{ block, name, noun }] = group;
  const names = group.map((one) => one.name);
  const shown = names.length <= mostNames ? names : names.slice(0, mostNames - 1);
  const left = names.length - shown.length;
  return {
    who: `${names.length} ${noun[1]} alike but for ${hole} in ${joinNames([putHole(name, word)])}`,
    lines: block.lines.map(({ sign, sentence, details }) => ({
      sign,
      sentence: putHole(sentence, word),
      details: details.map((detail) => putHole(detail, word)),
    })),
    names: `${joinNames(shown)}${left > 0 ? `, ... ${left} more (--full)` : ""}`,
    count: names.length,
  };
}
