import type { RowLine } from "./row.ts";

/** Above this many comparisons the two are shown one after the other. */
const mostComparisons = 1_000_000;
/** Unchanged lines that are kept around a change. */
const context = 2;

/** Two texts line by line: common lines once, the rest as `-` and `+`. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly RowLine[] {
  if (before.length * after.length > mostComparisons) return [...before.map(gone), ...after.map(come)];
  const common = commonLengths(before, after);
  const lines: RowLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) {
      lines.push({ sign: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))) {
      lines.push(gone(old));
      i++;
    } else if (now !== undefined) {
      lines.push(come(now));
      j++;
    }
  }
  return lines;
}

/** Leaves out what is far from any change. */
export function withoutLongStretches(lines: readonly RowLine[]): readonly RowLine[] {
  const kept: RowLine[] = [];
  let stretch: RowLine[] = [];
  const close = () => {
    // A mark in place of one or two lines would save nothing.
    const [first] = stretch;
    if (first === undefined || stretch.length <= 2) kept.push(...stretch);
    else kept.push({ sign: " ", text: `${/^ */.exec(first.text)?.[0] ?? ""}...` });
    stretch = [];
  };
  for (const [index, line] of lines.entries()) {
    const statePair = lines.slice(Math.max(0, index - context), index + context + 1);
    if (statePair.every(({ sign }) => sign === " ")) stretch.push(line);
    else {
      close();
      kept.push(line);
    }
  }
  close();
  return kept;
}

/** `[i][j]`: how many lines the tails from i and from j have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const table = before.map(() => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    const row = table[i] ?? [];
    for (let j = after.length - 1; j >= 0; j--) {
      const same = before[i] === after[j];
      row[j] = same ? lengthAt(table, i + 1, j + 1) + 1 : Math.max(lengthAt(table, i + 1, j), row[j + 1] ?? 0);
    }
  }
  return table;
}

function lengthAt(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}

function gone(text: string): RowLine {
  return { sign: "-", text };
}

function come(text: string): RowLine {
  return { sign: "+", text };
}
