import type { Guard } from "./guard.ts";

/** Where the tests are known: evaluated for what the server holds once all of the plan is done. */
export const accessTests: Guard = {
  rule: "access-tests",
  refuses: "A plan after which an access test of the repository fails, or is unknown and does not allow that.",
  why: "The tests say what must stay true.",
  fix: "Run gate-sync test: it shows the mapping and the role. Correct these, or change a test that is no longer meant.",
  byDefault: "always, where there are access tests",
  setBy: "access_tests in state files: what is no longer meant is changed there",
  isWaivable: false,
  evaluate: ({ tested }) => tested?.findings ?? [],
  remarks({ tested }) {
    if (!tested || tested.count === 0 || tested.findings.length > 0) return [];
    return [tested.count === 1 ? "The access test passes." : `All ${tested.count} access tests pass.`];
  },
};
