/** `a > b > c`; of a chain that no person reads to its end, the first and the last names. */
export function formatChain(chain: readonly string[]): string {
  const most = 20;
  const left = chain.length - most;
  const names = left <= 0 ? chain : [...chain.slice(0, most - 2), `... ${left} more ...`, ...chain.slice(-2)];
  return names.join(" > ");
}
