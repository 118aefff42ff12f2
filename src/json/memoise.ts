// Each result is computed once and kept: functions that answer the same question again and again.

/** Kept as long as the function. */
export function memoiseByKey<K, R>(work: (key: K) => R): (key: K) => R {
  return memoiseIn(new Map<K, R>(), work);
}

/** Kept as long as the object that was asked about. */
export function memoiseByObject<K extends object, R>(work: (key: K) => R): (key: K) => R {
  return memoiseIn(new WeakMap<K, R>(), work);
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
