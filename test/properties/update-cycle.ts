import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writeEditedFile } from "../../src/artifacts/edited-file.ts";
import { listComments } from "../../src/edit/comments.ts";
import { updateFiles } from "../../src/engine/update.ts";
import { connectToRead, plan } from "../../src/index.ts";
import { isPending } from "../../src/model/change.ts";
import { createAddress } from "../../src/model/names.ts";
import { commitAll } from "../support/committed.ts";

const env = { PATH: process.env.PATH };
const source = { connect: connectToRead };

/** `export --update --prune` of the target `prod` of a folder, and a plan before and after it. */
export async function updateOnce(folder: string, shared: boolean) {
  const request = { cwd: folder, env, flags: { statePaths: [], target: "prod" }, allowed: [], withoutAccess: true };
  const before = readFiles(folder);
  commitAll(folder);
  const wasPending = await listPending(request);
  const { edits, taken, left } = await updateFiles({ ...request, options: { prune: true, shared } }, source);
  for (const edit of edits) await writeEditedFile(edit);
  const after = readFiles(folder);
  const pending = await listPending(request);
  return { before, after, wasPending, pending, taken, left };
}

export type Updated = Awaited<ReturnType<typeof updateOnce>>;

function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.ya?ml$/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

async function listPending(request: Parameters<typeof plan>[0]): Promise<readonly string[]> {
  const planned = await plan(request, source);
  return planned.plan.changes.filter(isPending).map(({ family, name }) => createAddress(family, name));
}

/** Each difference was taken, or is reported and pending still. */
export function expectConverged({ wasPending, pending, taken, left }: Updated, about: string): void {
  expect([...pending].sort(), about).toEqual(left.map(({ address }) => address).sort());
  expect([...taken, ...left].map(({ address }) => address).sort(), about).toEqual([...wasPending].sort());
}

/** Comments go only with an entry, or an item, that is gone. */
export function expectComments({ before, after, taken }: Updated, about: string): void {
  const removed = taken.some(({ kind }) => kind !== "added");
  for (const [path, text] of before) {
    const [old, now] = [text, after.get(path) ?? ""].map(listComments) as [string[], string[]];
    expect(
      now.filter((comment) => !old.includes(comment)),
      about,
    ).toEqual([]);
    if (!removed) expect(now, about).toEqual(old);
  }
}
