/**
 * Why Java certainly refuses a regular expression that is held against whole names, as the end of a sentence; undefined
 * where it takes it, and where that was not worked out. By what java.util.regex.Pattern of Java 17 says.
 */
export function explainRefusedRegex(source: string): string | undefined {
  const open = findUnclosedBracket(source);
  if (open !== undefined) return `opens ${JSON.stringify(open)}, and never closes it`;
  // What is escaped or within a class has rules of its own.
  if (/\\|\[[^\]]*\[/.test(source)) return undefined;
  const range = /\[\^?([a-z0-9])-([a-z0-9])\]/i.exec(source);
  if (range && (range[1] ?? "") > (range[2] ?? ""))
    return `has the range ${range[0]}, whose ends are the wrong way round`;
  const plain = source.replace(/\[\^?\]?[^\]]*\]/g, "x");
  const times = /\{(\d{1,9}),(\d{1,9})\}/.exec(plain);
  if (times && Number(times[1]) > Number(times[2])) return `has ${times[0]}, whose numbers are the wrong way round`;
  if (/^\{|[(|]\{/.test(plain)) return 'has a "{" that repeats nothing';
  return hasLoneClosing(plain) ? 'closes ")", which is not open' : undefined;
}

/** A bracket that is opened and never closed: Java and JavaScript agree on it. */
export function findUnclosedBracket(body: string): "[" | "(" | undefined {
  let groups = 0;
  let inClass = false;
  for (let at = 0; at < body.length; at++) {
    const character = body.charAt(at);
    if (character === "\\") {
      // What is quoted by \Q has its own rules.
      if (body.charAt(at + 1) === "Q") return undefined;
      at++;
    } else if (inClass) {
      if (character === "[") return undefined; // A class within a class: left to the server.
      if (character === "]") inClass = false;
    } else if (character === "[") {
      inClass = true;
      // A bracket that comes first belongs to the class.
      if (body.startsWith("]", at + 1)) at++;
      else if (body.startsWith("^]", at + 1)) at += 2;
    } else if (character === "(") groups++;
    else if (character === ")") groups--;
  }
  return inClass ? "[" : groups > 0 ? "(" : undefined;
}

function hasLoneClosing(plain: string): boolean {
  let groups = 0;
  for (const character of plain) {
    groups += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (groups < 0) return true;
  }
  return false;
}
