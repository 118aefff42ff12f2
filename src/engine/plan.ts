import { isError } from "../diagnostics/diagnostic.ts";
import { createTargetLoginHider } from "../live/client/hiding.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { askAhead, readState } from "../live/read.ts";
import { forDrift } from "../load/git-messages.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import { parseWaivers } from "../normalise/waivers.ts";
import { validateValues } from "../validate/values.ts";
import { parseExpectations } from "./broken-tests.ts";
import { findCeased, listCeasedNotes } from "./ceased.ts";
import { findSecretRoles } from "./changed-secrets.ts";
import { waitForRequestsSent } from "./clock.ts";
import { type DecidedPlan, decidePlan, nothingSent, type PlanRequest } from "./decide.ts";
import { evaluateChanges } from "./evaluate.ts";
import { freeMemory } from "./machine.ts";
import { findMovedLogin, findMovedSecrets } from "./moved-secrets.ts";
import { chooseOffline } from "./offline.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { findBecameManaged } from "./since.ts";
import { openReader, type Source } from "./source.ts";
import { listDeclaredFamilies, listFamiliesToRead } from "./wanted.ts";

export type { DecidedPlan, PlanRequest } from "./decide.ts";

const noneAsked = "No server was asked.";

/** What would change on the target, and by which requests. Nothing is written: the way to the server can only read. */
export async function plan(request: PlanRequest, source: Source): Promise<DecidedPlan> {
  const target = await openTarget(request);
  const opened = await openRepository(target, request, "resolve");
  const { repository, diagnostics: shape } = opened;
  if (shape.some(isError)) {
    const { dialect, by, title } = chooseOffline(target, repository);
    // Where nothing says the product, whether a value is wrong is not known before the server is asked.
    if (by === "nothing") stopAtErrors(shape, noneAsked);
    stopAtErrors([...shape, ...validateValues(repository, dialect, target)], `Checked for ${title}. ${noneAsked}`);
  }
  const since =
    request.base === undefined ? undefined : await findBecameManaged(request.base, request, target, repository);
  const before =
    request.appliedRef === undefined
      ? since
      : await findBecameManaged(request.appliedRef, request, target, repository, forDrift);

  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    const asked = memoiseReads(reader);
    const families = listDeclaredFamilies(repository).filter(isResourceFamily);
    const detected = await detect(asked, stated, families);
    askAhead(asked, detected.dialect, families);
    await waitForRequestsSent();
    const { desired, declared, diagnostics: found, together } = evaluateChanges(opened, detected.dialect, target);
    if (found.some(isError)) stopAtErrors([...shape, ...found, ...together()], nothingSent);

    const wanted = listFamiliesToRead(desired);
    const live = await readState(asked, detected.dialect, wanted);
    const ceased = await listCeasedNotes(
      request.families
        ? []
        : before
          ? before.ceased.map((family) => ({ family, since: before.ref }))
          : await findCeased(request, summary, listDeclaredFamilies(repository)),
      { reader: asked, dialect: detected.dialect, policies: target.families },
    );
    freeMemory(await asked.forgetLong());
    return await decidePlan({ request, target, summary, detected, desired, live }, asked, {
      diagnostics: [...shape, ...found],
      references: together,
      declared,
      waivers: parseWaivers(opened.whole),
      expected: parseExpectations(opened.whole),
      secret: (changes) => [
        ...findSecretRoles(changes, declared),
        ...findMovedSecrets(changes, declared),
        ...findMovedLogin(changes, createTargetLoginHider(target)),
      ],
      notes: [...nothingDeclared(desired, request), ...ceased],
      ceased,
      since,
      referenceOnly: wanted.reference,
      notices: repository.notices,
      fileCount: repository.fileCount,
      ...(repository.foreignFiles && { foreignFiles: repository.foreignFiles }),
    });
  } finally {
    await reader.close();
  }
}

/** Else a repository that lost its files would be called in sync, and nobody would wonder. */
function nothingDeclared(desired: DesiredState, { families }: RunRequest): readonly string[] {
  if (desired.resources.size > 0 || desired.config || desired.license) return [];
  return [`The files declare ${families ? `nothing of ${families.join(", ")}` : "nothing"}: no family was compared.`];
}
