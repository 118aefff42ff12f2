import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { refuseOtherOwner } from "../../../src/artifacts/own-file.ts";

test("a record of another user is refused, and the message says whose it is and what to do", () => {
  const { uid } = userInfo();
  expect(() => refuseOtherOwner("r.jsonl", { uid })).not.toThrow();
  expect(() => refuseOtherOwner("r.jsonl", { uid: uid + 1 })).toThrow(
    `r.jsonl belongs to another user (uid ${uid + 1}, gate-sync runs as ${uid}). If you trust its content, run: chown -R ${uid} r.jsonl`,
  );
});
