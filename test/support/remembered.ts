// Answers of the naive evaluator, kept: a property asks the same many times.

/** The answers for two strings. All are forgotten when there are too many. */
export function rememberedByText<T>(of: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, Map<string, T>>();
  let kept = 0;
  return (a, b) => {
    const found = known.get(a)?.get(b);
    if (found !== undefined) return found;
    const answer = of(a, b);
    if (++kept > most) {
      known.clear();
      kept = 1;
    }
    const own = known.get(a) ?? new Map<string, T>();
    known.set(a, own.set(b, answer));
    return answer;
  };
}

const most = 200_000;

/** The answers for two objects, by identity: both are frozen, because an answer is right only while they stay the same. */
export function rememberedByObject<A extends object, B extends object, T>(of: (a: A, b: B) => T): (a: A, b: B) => T {
  const known = new WeakMap<A, WeakMap<B, T>>();
  return (a, b) => {
    const own = known.get(a) ?? new WeakMap<B, T>();
    const found = own.get(b);
    if (found !== undefined) return found;
    freeze(a);
    freeze(b);
    const answer = of(a, b);
    known.set(a, own.set(b, answer));
    return answer;
  };
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
