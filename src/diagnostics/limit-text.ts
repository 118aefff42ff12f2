/** A text from outside as a message quotes it: one that no person reads to its end is cut. */
export function limitText(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
