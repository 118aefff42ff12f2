/**
 * Whether a text says a secret back: as it is, escaped in some way (JSON, HTML, a URL), or only in part. Letters and
 * digits survive every escape, so any run of them tells, and of a long one any piece.
 */
export function repeats(text: string, secret: string): boolean {
  if (secret === "") return false;
  return [secret, ...(secret.match(/[A-Za-z0-9]{6,16}/g) ?? [])].some((piece) => text.includes(piece));
}
