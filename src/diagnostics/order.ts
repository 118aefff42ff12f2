type Compare<T> = (a: T, b: T) => number;

/** The first comparison that is not equal decides. */
export function compareByFirst<T>(...comparisons: readonly Compare<T>[]): Compare<T> {
  return (a, b) => {
    for (const comparison of comparisons) {
      const order = comparison(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}
