// What a bug of the built program shows: places in its sources, though it was bundled, and nothing that the error says.
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, inFolder, start } from "../support/command.ts";

test("a crash names functions and places of the sources", () =>
  inFolder(
    { "hook.cjs": 'require("node:fs").existsSync = () => { throw new Error("hunter2"); };\n' },
    async (folder) => {
      const { code, stderr } = await start(process.execPath, ["--require", join(folder, "hook.cjs"), bin, "validate"], {
        cwd: folder,
      }).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^ {4}at locateConfigFile \(src\/load\/config-file\.ts:\d+:\d+\)$/m);
      expect(stderr).toMatch(/^ {4}at validate \(src\/engine\/validate\.ts:\d+:\d+\)$/m);
      expect(stderr).not.toMatch(/hunter2|dist/);
    },
  ));

test("Node's own source maps name the same places", () =>
  inFolder(
    { "hook.cjs": 'require("node:fs").existsSync = () => { throw new Error("hunter2"); };\n' },
    async (folder) => {
      const { stderr } = await start(
        process.execPath,
        ["--enable-source-maps", "--require", join(folder, "hook.cjs"), bin, "validate"],
        { cwd: folder },
      ).ended;
      expect(stderr).toMatch(/^ {4}at locateConfigFile \(.*\/src\/load\/config-file\.ts:\d+:\d+\)$/m);
    },
  ));
