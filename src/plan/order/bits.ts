// Sets of places as bits: of thousands of places, linear in their number.

/** The places of those that are meant. */
export function getBitsWhere<T>(items: readonly T[], isMeant: (item: T) => boolean): bigint {
  const digits = items.map((item) => (isMeant(item) ? "1" : "0")).reverse();
  return BigInt(`0b0${digits.join("")}`);
}

/** From the first to the last. */
export function listPlaces(bits: bigint): readonly number[] {
  const digits = bits.toString(2);
  return [...digits].flatMap((digit, at) => (digit === "1" ? [digits.length - 1 - at] : [])).reverse();
}
