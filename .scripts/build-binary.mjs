// The single executable, for the Linux and the processor that it is built on: Node's own, with the program inside, as
// https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html describes it. In binary/, beside the
// licences of all that is in it.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postject from "postject";
import { rolldown } from "rolldown";
import { at, bundling, root } from "./bundling.mjs";
import { buildValidators } from "./validators.mjs";

/** `require` of what is loaded only where it is needed becomes the bundler's own, which also waits until then. */
const requireWithinBundle = {
  name: "require-within-bundle",
  transform: (code, id) =>
    id.startsWith(at("src/")) ? code.replace("const require = createRequire(import.meta.url);", "") : undefined,
};

/** Exact: a commit makes the same executable wherever it is built. */
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodeVersion = "24.21.0";

if (process.platform !== "linux") {
  console.error(`The single executable is built on Linux, and this is ${process.platform}. Build it in a container.`);
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), "gate-sync-binary-"));
try {
  const node = installNode();
  const { code, packages } = await bundleAll();
  const blob = prepareBlob(node, code);
  mkdirSync(at("binary"), { recursive: true });
  writeFileSync(at("binary/LICENSES.txt"), collectLicences([root, join(node, "../.."), ...packages]));
  await assemble(node, blob, at("binary/gate-sync"));
  console.log(execFileSync(at("binary/gate-sync"), ["--version"], { encoding: "utf8" }).trim());
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** By npm, as npm registries are what a build can reach; no script of a package runs. */
function installNode() {
  const install = ["install", "--prefix", work, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", [...install, `${nodePackage}@${nodeVersion}`], { stdio: "inherit" });
  return join(work, "node_modules", nodePackage, "bin/node");
}

/** The program and its dependencies in one file: inside an executable, `require` finds nothing but what Node has. */
async function bundleAll() {
  buildValidators();
  const bundle = await rolldown({ ...bundling, input: "src/main.ts", plugins: [requireWithinBundle] });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false, comments: false });
  const [{ code, moduleIds, imports }] = output;
  const outside = [
    ...imports.filter((name) => !name.startsWith("node:")),
    ...(code.match(/createRequire\)?\(/g) ?? []),
  ];
  if (outside.length > 0) throw new Error(`Not all of the program is in one file: ${outside.join(", ")}.`);
  const packages = moduleIds.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return { code, packages: [...new Set(packages)].sort() };
}

/** With the code compiled, and the files of the package that commands print. */
function prepareBlob(node, code) {
  const file = (name) => join(work, name);
  const schemas = readdirSync(at("schemas")).map((name) => `schemas/${name}`);
  const guides = readdirSync(at("examples")).map((topic) => `examples/${topic}/README.md`);
  const jobs = readdirSync(at("examples/ci")).map((name) => `examples/ci/${name}`);
  const copied = [...jobs.filter((path) => path.endsWith(".yml")), "templates/gate-sync/template.yml"];
  const packageFiles = [...schemas, ...copied, ...guides.filter((path) => existsSync(at(path)))];
  const texts = packageFiles.map((path) => [path, readFileSync(at(path), "utf8")]);
  const config = {
    main: file("gate-sync.cjs"),
    output: file("blob"),
    assets: { "package-files": file("package-files.json") },
    useCodeCache: true,
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS could load any code into it.
    execArgvExtension: "none",
  };
  writeFileSync(config.main, code);
  writeFileSync(config.assets["package-files"], JSON.stringify(Object.fromEntries(texts)));
  writeFileSync(file("sea.json"), JSON.stringify(config));
  execFileSync(node, ["--experimental-sea-config", file("sea.json")], { stdio: ["ignore", "ignore", "inherit"] });
  return readFileSync(config.output);
}

/** Never half an executable, even where another run uses the one that is there. */
async function assemble(node, blob, executable) {
  const draft = `${executable}.${process.pid}`;
  copyFileSync(node, draft);
  chmodSync(draft, 0o755);
  await postject.inject(draft, "NODE_SEA_BLOB", blob, {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  });
  renameSync(draft, executable);
}

/** Of some packages only package.json names it. */
function collectLicences(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
    const text = file === undefined ? license : readFileSync(join(folder, file), "utf8").trim();
    return `${"=".repeat(80)}\n${name} ${version}\n\n${text}\n`;
  });
  return texts.join("\n");
}
