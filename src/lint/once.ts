/** The strings that pass a check: the same few strings occur in thousands of entries, and each is checked once. */
export function createMemoisedFilter(texts: ReadonlySet<string>, isSo: (text: string) => boolean): ReadonlySet<string> {
  return new Set([...texts].filter(isSo));
}
