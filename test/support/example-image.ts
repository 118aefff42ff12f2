// The image that examples/container/Dockerfile makes of a repository.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Base, buildImage, type Image } from "./dockerfile.ts";
import { writePrograms } from "./jobs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const dockerfile = read("examples/container/Dockerfile");
const dependencies = Object.keys(JSON.parse(read("package.json")).dependencies);

/** Of npm, what installs what was built here; none of its packages needs others. */
const npm = `[ "$*" = "ci --ignore-scripts" ] && [ -f package-lock.json ] || exit 1
mkdir -p node_modules/gate-sync node_modules/@bomb.sh
cd node_modules
cp -R ${["package.json", "dist", "schemas", "examples"].map((name) => `"${root}${name}"`).join(" ")} gate-sync
${dependencies.map((name) => `cp -R "${root}node_modules/${name}" ${name}\n`).join("")}`;
const npx = `[ "$1 $2 $3" = "--no -- gate-sync" ] && shift 3 && exec node node_modules/gate-sync/dist/main.cjs "$@"\n`;

const bases: Readonly<Record<string, Base>> = {
  "node:24-slim": (image) =>
    writePrograms(join(image, "usr/local/bin"), { npm, npx, node: `exec "${process.execPath}" "$@"\n` }),
  "gcr.io/distroless/nodejs24-debian13:nonroot": (image) => {
    mkdirSync(join(image, "nodejs/bin"), { recursive: true });
    copyFileSync(process.execPath, join(image, "nodejs/bin/node"));
  },
};

/** @param folder an empty one, for its layers */
export function buildExampleImage(repository: string, folder: string): Image {
  return buildImage(dockerfile, repository, folder, bases);
}
