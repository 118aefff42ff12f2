/** On stderr: stdout is for totals and recordings. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
