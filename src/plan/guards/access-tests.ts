import type { Guard } from "./guard.ts";

/** Judged by whoever knows the tests, on what the server holds once all of the plan is done. */
export const accessTests: Guard = {
  rule: "access-tests",
  refuses: "A plan after which an access test of the repository fails, or cannot be told and does not allow that.",
  byDefault: "always, where there are access tests",
  setBy: "access_tests in state files: what is no longer meant is changed there",
  judge: ({ tested }) => tested?.findings ?? [],
  remarks({ tested }) {
    if (!tested || tested.count === 0 || tested.findings.length > 0) return [];
    return [tested.count === 1 ? "The access test passes." : `All ${tested.count} access tests pass.`];
  },
};
