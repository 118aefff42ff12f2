import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const setupScript = fileURLToPath(new URL("../../.scripts/setup.mjs", import.meta.url));

/** Builds the program that `cases/` and `cli/` start, and the validators that `src/validate` imports; what is fresh stays. */
export default function setup(): void {
  execFileSync(process.execPath, [setupScript], { stdio: "inherit" });
}
