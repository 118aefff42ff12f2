import type { Places } from "../access/explain/grant-path.ts";
import { explainApiKeys, isAboutKeys } from "../access/model/api-keys.ts";
import type { TestedAccess } from "../access/questions/tested.ts";
import type { RunError } from "../diagnostics/failure.ts";
import { formatLocation } from "../diagnostics/source.ts";
import { evaluateTests, listTestSubjects } from "../questions/tests.ts";
import { type AskedSource, openAccess } from "./access/asked-state.ts";
import { formatMissing, listMappingNotes, listUserAssumptions } from "./access/left-open.ts";
import { openTestsOf, openWithTests } from "./access/open.ts";
import type { RunRequest } from "./request.ts";

/** The result of `gate-sync test`: each access test with its verdict. */
export interface TestRun {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
  /** What is taken for granted, as nothing says it. */
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
  readonly notices: readonly string[];
  /** Why warnings end the run, where they are to. */
  readonly failing?: RunError;
}

/**
 * Every access test, evaluated.
 *
 * @param source absent: by the files alone
 */
export async function runAccessTests(request: RunRequest, source?: AskedSource): Promise<TestRun> {
  const opened = source ? await openTestsOf(await openAccess(request, source), request) : await openWithTests(request);
  const { tests, doubts, findFailing, ...harness } = opened;
  const { model, places, basis, missing, notes, notices } = harness;
  const resting = listMappingNotes(missing.builtinMappings ?? new Set(), {
    model,
    subjects: listTestSubjects(tests, harness),
  });
  const aboutKeys = tests.some(isAboutKeys) ? explainApiKeys(model.state) : [];
  const failing = findFailing();
  const doubtful = doubts().map(({ range, what }) => (range ? `${formatLocation(range)}: ${what}` : what));
  return {
    results: evaluateTests(tests, harness),
    places,
    basis,
    assumptions: listUserAssumptions(model),
    notes: [...doubtful, ...formatMissing(missing), ...resting, ...aboutKeys, ...notes],
    notices,
    ...(failing && { failing }),
  };
}
