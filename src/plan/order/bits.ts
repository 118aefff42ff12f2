// A set of places is a number that has bit 0 for the first place. Both functions are linear in the number of places: there
// may be thousands.

/** A bit for each item that is meant. */
export function getBitsWhere<T>(items: readonly T[], isMeant: (item: T) => boolean): bigint {
  const digits = items.map((item) => (isMeant(item) ? "1" : "0")).reverse();
  return BigInt(`0b0${digits.join("")}`);
}

/** The places of the bits that are set, from the first to the last. */
export function listPlaces(bits: bigint): readonly number[] {
  const digits = bits.toString(2);
  const places: number[] = [];
  for (let at = digits.length - 1; at >= 0; at--) if (digits.charAt(at) === "1") places.push(digits.length - 1 - at);
  return places;
}
