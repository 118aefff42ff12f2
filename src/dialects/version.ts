/** Compares dotted versions number by number; what follows a dash does not count. */
export function isBefore(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  return (version.split("-")[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
}
