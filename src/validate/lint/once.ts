/** Worked out when it is first asked for. */
export function memoise<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Those that are so: the same few texts stand in thousands of entries, and each is judged once. */
export function createMemoisedFilter(texts: ReadonlySet<string>, isSo: (text: string) => boolean): ReadonlySet<string> {
  return new Set([...texts].filter(isSo));
}
