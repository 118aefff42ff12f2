// What init offers where files and server differ: a promise of a write only for entries that are written.
import { expect, test } from "vitest";
import { listUpdateSteps } from "../../../src/cli/init-update.ts";
import type { Change } from "../../../src/model/change.ts";

const written: Change = { family: "roles", name: "hr", action: "update", reason: "declared", edits: [] };
const compared: Change = { family: "internal_users", name: "ana", action: "leave", reason: "observed", edits: [] };
const other: Change = { ...written, name: "pay" };

const describeUpdate = (changed: readonly Change[], deleted: readonly Change[] = []) =>
  listUpdateSteps({ changed, deleted }, "prod", true).map(({ what }) => what);

test.each<[what: string, changed: readonly Change[], isWritten: boolean]>([
  ["entries that the merge writes", [written, other], true],
  ["one that it writes", [written], true],
  ["one that it writes, and one that is only compared", [written, compared], false],
  ["one that is only compared", [compared], false],
])("says of %s whether the merge writes what the files have", (_, changed, isWritten) => {
  const [what] = describeUpdate(changed);
  expect(what?.includes("the merge")).toBe(isWritten);
});

test("says what is lost without the line of an entry that only the server has", () => {
  expect(describeUpdate([written], [{ ...other, action: "delete" }])).toEqual([
    expect.stringContaining("Without its line, what only the server has is deleted."),
  ]);
  expect(describeUpdate([written, other])).toEqual([expect.not.stringContaining("is deleted")]);
});
