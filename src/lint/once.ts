/** Worked out when it is first asked for. */
export function memoise<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The strings that pass a check: the same few strings occur in thousands of entries, and each is checked once. */
export function createMemoisedFilter(texts: ReadonlySet<string>, isSo: (text: string) => boolean): ReadonlySet<string> {
  return new Set([...texts].filter(isSo));
}
