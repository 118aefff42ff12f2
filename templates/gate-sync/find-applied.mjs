// Writes the commit that was applied last: that of the last job which applied and succeeded. Nothing where there is none.
// The newest commit is not it, where a plan was refused or the cluster was away.
import { findApplied, retry } from "./gitlab.mjs";

try {
  process.stdout.write((await retry(findApplied))?.sha ?? "");
} catch (error) {
  process.stderr.write(`${error.message} Which commit was applied last is unknown. Nothing was compared.\n`);
  process.exit(1);
}
