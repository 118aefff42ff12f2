// Where a command inside of a command ends: past quotes, parentheses and here-documents.

/** The parenthesis that closes a command, past quotes and those inside; -1 where there is none. */
export function findClosing(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (character === "'") {
      at = text.indexOf("'", at + 1);
      if (at === -1) return -1;
    } else if (character === '"') {
      at = findQuote(text, at + 1);
      if (at === -1) return -1;
    } else if (character === "(") open++;
    else if (character === ")" && --open === 0) return at;
    else if (character === "<" && text.startsWith("<<", at)) at = skipHereDocument(text, at);
  }
  return -1;
}

function findQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === '"') return at;
  }
  return -1;
}

/** The end of a here-document: quotes in it are none. */
function skipHereDocument(text: string, at: number): number {
  const [whole = "<<", , word] = /^<<-?\s*(["']?)(\w+)\1/.exec(text.slice(at, at + 100)) ?? [];
  if (word === undefined) return at + 1;
  const end = new RegExp(`^\\t*${word}[ \\t]*\\r?$`, "m");
  const found = end.exec(text.slice(at + whole.length));
  return found ? at + whole.length + found.index + found[0].length - 1 : text.length;
}
