// What `npm install` of the package brings: the package as `npm pack` makes it, and all that it depends on.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Footprint {
  /** The package itself among them. */
  readonly packages: number;
  /** Unpacked. */
  readonly bytes: number;
  /** Packages with an install script. */
  readonly scripts: number;
}

/** From the lock file and what lies in node_modules; nothing is fetched. */
export function footprintOf(root: string): Footprint {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const needed = Object.entries(lock.packages).filter(
    // What is only for other systems is not installed.
    ([path, { dev }]) => path !== "" && dev !== true && existsSync(join(root, path)),
  );
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  const explained = JSON.parse(packed) as Packed[] | Record<string, Packed>;
  const [own] = Object.values(explained);
  const bytes = needed.reduce((sum, [path]) => sum + bytesBelow(join(root, path)), own?.unpackedSize ?? Number.NaN);
  return {
    packages: needed.length + 1,
    bytes,
    scripts: needed.filter(([, { hasInstallScript }]) => hasInstallScript).length,
  };
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>>;
}

interface Packed {
  readonly unpackedSize: number;
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
