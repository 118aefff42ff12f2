import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildValidators } from "../../.scripts/validators.mjs";

const setupScript = fileURLToPath(new URL("../../.scripts/setup.mjs", import.meta.url));

/**
 * Builds what the tests need and what is stale: the validators that `src/validate` imports and, unless only unit tests
 * are asked for, the program that `cases/`, `cli/` and `examples/` start.
 */
export default function setup(): void {
  const asked = process.argv.slice(2).filter((word) => word.startsWith("test/"));
  if (asked.length > 0 && asked.every((path) => /^test\/unit(\/|$)/.test(path))) buildValidators();
  else execFileSync(process.execPath, [setupScript], { stdio: "inherit" });
}
