/** So many who wait for each other; one who is gone is not waited for. */
export interface Matching {
  /** Settles when all the others have arrived, or are gone. */
  readonly arrive: () => Promise<void>;
  readonly leave: () => void;
}

export function matching(of: number): Matching {
  let here = 0;
  let gone = 0;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const count = (): void => {
    if (here + gone >= of) begin();
  };
  return {
    arrive: () => {
      here += 1;
      count();
      return begun;
    },
    leave: () => {
      gone += 1;
      count();
    },
  };
}
