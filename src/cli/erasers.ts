/** What takes from the screen the lines that are written over and over. */
export const erasers = new Set<() => void>();

/** For a process that ends, or speaks up, without asking the command. */
export function eraseProgress(): void {
  for (const erase of erasers) erase();
}
