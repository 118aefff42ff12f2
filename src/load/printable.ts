/** Notices go to a terminal as they are: a name must not bring lines or colours of its own. */
export function toPrintable(path: string): string {
  const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  if (!unseen.test(path)) return path;
  return JSON.stringify(path).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
