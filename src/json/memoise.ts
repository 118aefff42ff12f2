// Each result is computed once and kept: functions that answer the same question again and again.

/** Kept as long as the function. */
export function memoiseByKey<K, R>(work: (key: K) => R): (key: K) => R {
  return memoiseIn(new Map<K, R>(), work);
}

/** Kept as long as the object that was asked about. */
export function memoiseByObject<K extends object, R>(work: (key: K) => R): (key: K) => R {
  return memoiseIn(new WeakMap<K, R>(), work);
}

/** Of longer texts. */
const longestKept = 40;
const mostKept = 50_000;

/**
 * For words of files that change while the process runs: so many at most are kept, and each as a copy, as V8 keeps all of the text
 * that a word was cut out of.
 */
export function memoiseByWord(work: (word: string) => boolean): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    if (word.length > longestKept) return work(word);
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = work(word);
    if (known.size >= mostKept) known.clear();
    known.set(Buffer.from(word, "utf16le").toString("utf16le"), made);
    return made;
  };
}

/** Computed when it is first asked for. */
export function memoise<T>(work: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: work() };
    return made.value;
  };
}

interface Results<K, R> {
  readonly get: (key: K) => R | undefined;
  readonly has: (key: K) => boolean;
  readonly set: (key: K, result: R) => unknown;
}

function memoiseIn<K, R>(known: Results<K, R>, work: (key: K) => R): (key: K) => R {
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as R;
    const made = work(key);
    known.set(key, made);
    return made;
  };
}
