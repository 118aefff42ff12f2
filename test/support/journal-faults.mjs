// Preloaded into the program (NODE_OPTIONS=--import): lets so many bytes of a journal through, then kills the process or
// lets the disk be full. Journals alone are appended to.
import { open } from "node:fs/promises";

const { JOURNAL_BYTES, JOURNAL_FAULT } = process.env;
const probe = await open(new URL(import.meta.url));
const handles = Object.getPrototypeOf(probe);
await probe.close();

let left = Number(JOURNAL_BYTES);
const { appendFile } = handles;
handles.appendFile = async function (text) {
  const bytes = Buffer.from(text);
  if (bytes.length <= left) {
    left -= bytes.length;
    await appendFile.call(this, bytes);
    if (left > 0 || JOURNAL_FAULT !== "kill") return;
    await this.datasync();
  } else {
    await appendFile.call(this, bytes.subarray(0, left));
    left = 0;
  }
  if (JOURNAL_FAULT !== "kill")
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  process.kill(process.pid, "SIGKILL");
  // Until the signal is there.
  await new Promise(() => {});
};
