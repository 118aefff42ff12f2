// Preloaded into the program (NODE_OPTIONS=--import): kills the process at the step of its writing that KILL_AT counts, of what
// is written then half; without KILL_AT it writes to KILL_STEPS how many steps there are.
import { writeFileSync } from "node:fs";
import fs, { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { KILL_AT, KILL_STEPS } = process.env;
const probe = await open(new URL(import.meta.url));
const handles = Object.getPrototypeOf(probe);
await probe.close();
const originalWrite = handles.writeFile;

let steps = 0;
function counted(object, name, beforeKill) {
  const original = object[name];
  object[name] = async function (...args) {
    steps += 1;
    if (steps === Number(KILL_AT)) {
      await beforeKill?.call(this, ...args);
      process.kill(process.pid, "SIGKILL");
      // Until the signal is there.
      await new Promise(() => {});
    }
    return original.apply(this, args);
  };
}

async function writeHalf(text) {
  const bytes = Buffer.from(text);
  await originalWrite.call(this, bytes.subarray(0, bytes.length / 2));
}

for (const name of ["mkdtemp", "mkdir", "rename", "rm", "chmod"]) counted(fs, name);
for (const name of ["sync", "datasync"]) counted(handles, name);
for (const name of ["writeFile", "appendFile"]) counted(handles, name, writeHalf);
syncBuiltinESMExports();
process.on("exit", () => KILL_STEPS && writeFileSync(KILL_STEPS, String(steps)));
