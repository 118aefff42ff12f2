import type { Guard, GuardFinding } from "./guard.ts";

/** Where the tests are known: evaluated for what the server holds once all of the plan is done. */
export const accessTests: Guard = {
  rule: "access-tests",
  refuses: "A plan after which an access test of the repository fails, or is unknown and does not allow that.",
  why: "The tests say what must stay true.",
  fix: "Run gate-sync test: it shows the mapping and the role. Correct these, or change a test that is no longer meant.",
  byDefault: "always, where there are access tests",
  setBy: "access_tests in state files: what is no longer meant is changed there",
  waivedFor: "nothing",
  evaluate: ({ tested }) =>
    tested && !tested.isRollback ? tested.findings.map(({ contradictions: _, ...finding }) => finding) : [],
  remarks({ tested }) {
    if (!tested || tested.count === 0) return [];
    const { count, findings, isRollback } = tested;
    if (findings.length > 0) return isRollback ? findings.map(explainFailedAfterRollback) : [];
    const passing = count === 1 ? "the access test passes" : `all ${count} access tests pass`;
    return [`Once ${isRollback ? "this is rolled back" : "the files are applied"}, ${passing}.`];
  },
};

function explainFailedAfterRollback({ what, why }: GuardFinding): string {
  return [
    `After this rollback: ${what}`,
    ...(why === undefined ? [] : [why]),
    "A rollback is not refused for it.",
  ].join(" ");
}
