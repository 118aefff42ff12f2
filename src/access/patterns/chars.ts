/** Code points as ranges from … to (exclusive), ascending, apart, one after the other in one list. */
export type Chars = readonly number[];

export const end = 0x110000;
export const everyCharacter: Chars = [0, end];

export function createChars(char: string): Chars {
  const code = getCharCode(char);
  return [code, code + 1];
}

export function uniteChars(sets: readonly Chars[]): Chars {
  const all: number[] = [];
  for (const [from, to] of sets.flatMap(rangesOf).sort(([a], [b]) => a - b)) {
    const last = all.at(-1) ?? -1;
    if (from > last) all.push(from, to);
    else if (to > last) all[all.length - 1] = to;
  }
  return all;
}

/** All characters but these. */
export function excludeChars(chars: Chars): Chars {
  return rangesOf([0, ...chars, end]).flatMap(([from, to]) => (from < to ? [from, to] : []));
}

export function has(chars: Chars, code: number): boolean {
  for (let at = 0; at < chars.length; at += 2) {
    if (code < (chars[at] ?? end)) return false;
    if (code < (chars[at + 1] ?? 0)) return true;
  }
  return false;
}

function rangesOf(chars: Chars): readonly (readonly [from: number, to: number])[] {
  return chars.flatMap((from, at) => (at % 2 === 0 ? [[from, chars[at + 1] ?? from] as const] : []));
}

export function getCharCode(char: string): number {
  return char.codePointAt(0) ?? 0;
}

export function intersects(a: Chars, b: Chars): boolean {
  let [at, other] = [0, 0];
  while (at < a.length && other < b.length) {
    if (Math.max(a[at] ?? 0, b[other] ?? 0) < Math.min(a[at + 1] ?? 0, b[other + 1] ?? 0)) return true;
    if ((a[at + 1] ?? 0) < (b[other + 1] ?? 0)) at += 2;
    else other += 2;
  }
  return false;
}
