// A Dockerfile without Docker: each image is a folder, its steps are commands in there. A step that this does not know is an error.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { type Running, start } from "./command.ts";

export interface Image {
  /** What is `/` in the container. */
  readonly root: string;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
}

/** Puts what an image that others publish comes with into its root. */
export type Base = (root: string) => void;

/** @param folder where the images go */
export function buildImage(dockerfile: string, context: string, folder: string, bases: Readonly<Record<string, Base>>) {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const [step, rest] of stepsOf(dockerfile)) {
    if (step === "FROM") {
      const [, name = "", alias = "last"] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      const root = join(folder, alias);
      mkdirSync(root);
      const base = bases[name];
      if (!base) throw new Error(`Nothing is known of the image ${name}.`);
      base(root);
      image = { root, workdir: "/", user: "0:0", entrypoint: [], command: [] };
      stages.set(alias, image);
      continue;
    }
    if (!image) throw new Error(`${step} before FROM`);
    take(image, step, rest, context, stages);
  }
  if (!image) throw new Error("no FROM");
  changeMode("-R", "a-w,a+rX", image.root);
  return image;
}

function take(image: Image, step: string, rest: string, context: string, stages: ReadonlyMap<string, Image>): void {
  if (step === "WORKDIR") {
    image.workdir = rest;
    mkdirSync(join(image.root, rest), { recursive: true });
  } else if (step === "COPY") copy(image, rest, context, stages);
  else if (step === "RUN") {
    const PATH = [join(image.root, "usr/local/bin"), process.env.PATH].join(delimiter);
    const cwd = join(image.root, image.workdir);
    execFileSync("sh", ["-ec", rest], { cwd, env: { PATH }, encoding: "utf8", stdio: "pipe" });
  } else if (step === "USER") image.user = rest;
  else if (step === "ENTRYPOINT") image.entrypoint = JSON.parse(rest);
  else if (step === "CMD") image.command = JSON.parse(rest);
  else throw new Error(`The step ${step} is not known here.`);
}

/** As Docker does: of a folder its content, files into what ends with a slash, and all of it the property of root. */
function copy(image: Image, rest: string, context: string, stages: ReadonlyMap<string, Image>): void {
  const [, stage, words = ""] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  const from = stage === undefined ? context : stages.get(stage)?.root;
  if (from === undefined) throw new Error(`There is no stage ${stage} before this one.`);
  const paths = words.split(" ");
  const to = join(image.root, image.workdir, paths.pop() ?? "");
  for (const path of paths) {
    const source = join(from, path);
    const isFolder = statSync(source).isDirectory();
    mkdirSync(to, { recursive: true });
    if (isFolder) cpSync(source, to, { recursive: true, verbatimSymlinks: true });
    else copyFileSync(source, join(to, basename(path)));
  }
}

/** Instructions with what follows them; lines that end with a backslash go on. */
function stepsOf(dockerfile: string): readonly (readonly [string, string])[] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n");
  return lines.flatMap((line) => {
    const [, step, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (line !== "" && step === undefined) throw new Error(`This line is no step: ${line}`);
    return step === undefined ? [] : [[step, rest] as const];
  });
}

/** Where everyone may write, in a root that is read-only otherwise. */
export function addVolume({ root }: Image, path: string): void {
  changeMode("u+w", root);
  mkdirSync(join(root, path));
  changeMode("u-w", root);
  changeMode("a+rwx", join(root, path));
}

/** Absolute paths are within its root. */
export function startImage(image: Image, args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const within = (word: string) => word.replace(/^(json=)?(?=\/)/, `$1${image.root}`);
  const [uid = 0, gid = 0] = image.user.split(":").map(Number);
  const [program = "", ...words] = [...image.entrypoint, ...(args.length > 0 ? args : image.command)].map(within);
  return start(program, words, { cwd: within(image.workdir), env: { PATH: "/nowhere", ...env }, user: { uid, gid } });
}

function changeMode(...words: readonly string[]): void {
  execFileSync("chmod", words);
}
