import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { done } from "./fetch.mjs";

/** The home of a Java whose version is in the range, or undefined: JAVA_HOME, then PATH, then where systems keep them. */
export async function javaBetween([lowest, highest]) {
  for (const home of homes()) {
    const version = await versionOf(home);
    if (version !== undefined && version >= lowest && version <= highest) return home;
  }
  return undefined;
}

function homes() {
  const onPath = inPath("java").map((file) => dirname(dirname(realpathSync(file))));
  const kept = ["/usr/lib/jvm", "/Library/Java/JavaVirtualMachines"]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, "Contents/Home")]),
    );
  const all = [...(process.env.JAVA_HOME ? [process.env.JAVA_HOME] : []), ...onPath, ...kept];
  return [...new Set(all.filter((home) => existsSync(join(home, "bin/java"))))];
}

/** Every file of this name in PATH. */
export function inPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
}

/** 8, 17, 21; undefined where it does not start. */
async function versionOf(home) {
  try {
    const explained = await done(join(home, "bin/java"), ["-XshowSettings:properties", "-version"]);
    const [, version] = /java\.specification\.version = (?:1\.)?(\d+)/.exec(explained) ?? [];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}
