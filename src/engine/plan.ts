import { isError } from "../diagnostics/diagnostic.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { askAhead, readState } from "../live/read.ts";
import { listDeclaredFamilies, listFamiliesToRead } from "../live/wanted.ts";
import { findConfigFile } from "../load/config-file.ts";
import { forDrift } from "../load/git-messages.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import { parseWaivers } from "../normalise/waivers.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { chooseOffline } from "../validate/offline-product.ts";
import { findUnmatchedNames } from "../validate/unmatched-names.ts";
import { validateValues } from "../validate/values.ts";
import { waitForRequestsSent } from "./clock.ts";
import { findCeased, listCeasedNotes } from "./history/ceased.ts";
import { findBecameManaged } from "./history/since.ts";
import { nothingSent, openRepository, openTarget, stopAtErrors } from "./open.ts";
import { checkFiles, checkTogether } from "./pipeline/checked-files.ts";
import type { PlanRequest } from "./pipeline/context.ts";
import { decidePlan } from "./pipeline/decide.ts";
import type { RunRequest } from "./request.ts";
import { openReader, type Source } from "./source.ts";

export type { DecidedPlan } from "../plan/decided-plan.ts";
export type { PlanRequest } from "./pipeline/context.ts";

const noneAsked = "No server was asked.";

/** What would change on the target, and by which requests. Nothing is written: the connection can only read. */
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
    const files = checkFiles(opened, detected.dialect, target);
    const { desired, declared, tests, personas } = files;
    const found = [...shape, ...files.diagnostics];
    if (found.some(isError)) stopAtErrors([...found, ...checkTogether(files)], nothingSent);

    const wanted = listFamiliesToRead(desired);
    const live = await readState(asked, detected.dialect, wanted, desired);
    const ceased = await listCeasedNotes(
      request.families
        ? []
        : before
          ? before.ceased.map((family) => ({ family, since: before.ref }))
          : await findCeased(request, summary, listDeclaredFamilies(repository)),
      { reader: asked, dialect: detected.dialect, policies: target.families },
    );
    await asked.forgetLong();
    const { found: config } = await findConfigFile(request.cwd, request.configPath);
    const unmatched = config ? findUnmatchedNames(config.root, target.name, declared, live) : [];
    const { notices, fileCount, foreignFiles } = repository;
    return await decidePlan({
      request,
      target,
      summary,
      detected,
      reader: asked,
      desired,
      declared,
      live,
      policies: target.families,
      files,
      waivers: parseWaivers(opened.whole),
      expected: { tests, personas },
      diagnostics: [...found, ...unmatched],
      notes: [...nothingDeclared(desired, request), ...ceased],
      ceased,
      since,
      referenceOnly: wanted.reference,
      notices,
      fileCount,
      ...(foreignFiles && { foreignFiles }),
    });
  } finally {
    await reader.close();
  }
}

/** Otherwise a repository that lost its files would be reported as in sync. */
function nothingDeclared(desired: DesiredState, { families }: RunRequest): readonly string[] {
  if (desired.resources.size > 0 || desired.config || desired.license) return [];
  return [`The files declare ${families ? `nothing of ${families.join(", ")}` : "nothing"}: no family was compared.`];
}
