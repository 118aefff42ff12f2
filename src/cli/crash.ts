/**
 * What is shown of an unexpected error: its kind, and where in gate-sync it arose. Not its message: that may repeat
 * any value, a secret too (`JSON.parse` quotes what it cannot read).
 */
export function formatCrash(error: unknown): string {
  const lines = error instanceof Error ? [kindOf(error), ...framesOf(error)] : [`    a thrown ${typeof error}`];
  return `This is a bug in gate-sync; please report it with these lines. What the error says is
left out: it might repeat a secret.
${lines.join("\n")}
`;
}

function kindOf(error: Error): string {
  const { name } = error.constructor;
  return `    ${/^\w+$/.test(name) ? name : "Error"}`;
}

/** The stack begins with the message, whose lines may look like anything. */
function framesOf({ stack = "", message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  const frames = at === -1 ? [] : stack.slice(at + message.length).split("\n");
  return frames.filter((line) => /^ {4}at /.test(line));
}
