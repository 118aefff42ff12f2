// What is worked out of a text, once for all that say the same.

/** There are ever more roles: not all are kept. */
const mostKept = 100_000;

export function remembered<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size > mostKept) known.clear();
    const made = of(text);
    known.set(text, made);
    return made;
  };
}
