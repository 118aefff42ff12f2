import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOpenFiles, findConfigFolder } from "../../../src/load/open-files.ts";
import { readSource } from "../../../src/load/read.ts";
import { inFolder } from "../../support/command.ts";

test("a file that has not changed is read and parsed once, whatever is typed elsewhere", async () => {
  await inFolder({ "a.yml": "roles: {}\n", "b.yml": "tenants: {}\n" }, async (folder) => {
    const open = createOpenFiles();
    const look = async (name: string) => {
      const shared = open.share(folder);
      const { file } = await shared.read({ absolute: join(folder, name), path: name }, shared.readFile);
      return file && { file, parsed: shared.parse(file) };
    };
    const [a, b] = [await look("a.yml"), await look("b.yml")];
    await open.setText(join(folder, "a.yml"), "roles: { hr: {} }\n");
    const typed = await look("a.yml");
    expect(typed?.file.text).toBe("roles: { hr: {} }\n");
    expect((await look("a.yml"))?.parsed).toBe(typed?.parsed);
    expect((await look("b.yml"))?.parsed).toBe(b?.parsed);
    await open.setText(join(folder, "a.yml"), undefined);
    expect((await look("a.yml"))?.file.text).toBe(a?.file.text);
    writeFileSync(join(folder, "b.yml"), "tenants: { hr: {} }\n");
    expect((await look("b.yml"))?.file.text).toBe("tenants: { hr: {} }\n");
  });
});

test("a text that is not saved is refused where its file would be", async () => {
  await inFolder({ "in/a.yml": "", "b.yml": "" }, async (folder) => {
    const open = createOpenFiles();
    const absolute = join(folder, "b.yml");
    await open.setText(absolute, "roles: {}\n");
    const place = { absolute, path: "../b.yml", within: [join(folder, "in")] };
    const { readFile } = open.share(join(folder, "in"));
    expect((await readFile(place)).problem).toEqual((await readSource(place)).problem);
  });
});

test("the nearest gate-sync.yaml within the folder that is open counts", async () => {
  await inFolder({ "gate-sync.yaml": "", "a/gate-sync.yml": "", "a/b/c.yml": "" }, async (folder) => {
    const find = (path: string, within: readonly string[]) => findConfigFolder(join(folder, path), within);
    expect(find("a/b/c.yml", [folder])).toBe(join(folder, "a"));
    expect(find("c.yml", [folder])).toBe(folder);
    expect(find("a/b/c.yml", [join(folder, "a/b")])).toBeUndefined();
    expect(find("c.yml", [])).toBeUndefined();
  });
});
