import { isError } from "../diagnostics/diagnostic.ts";
import { hidingLoginOf } from "../live/client/hiding.ts";
import { detect } from "../live/detect/detect.ts";
import { memoised } from "../live/memo.ts";
import { askAhead, readState } from "../live/read.ts";
import { forDrift } from "../load/git-letters.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import { consentsOf } from "../normalise/consents.ts";
import { validateValues } from "../validate/values.ts";
import { secretRoles } from "./at-stake.ts";
import { expectationsOf } from "./broken-tests.ts";
import { ceasedNotes, ceasedSince } from "./ceased.ts";
import { requestsSent } from "./clock.ts";
import { decide, nothingSent, type Planned, type PlanRequest } from "./decide.ts";
import { judge } from "./judge.ts";
import { freeUp } from "./machine.ts";
import { offlineFor } from "./offline.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import type { Request } from "./request.ts";
import { loginElsewhere, secretsElsewhere } from "./secret-elsewhere.ts";
import { turnedSince } from "./since.ts";
import { openReader, type Source } from "./source.ts";
import { declaredFamilies, whatToRead } from "./wanted.ts";

export type { Planned, PlanRequest } from "./decide.ts";

const nobodyAsked = "No server was asked.";

/** What would change on the target, and by which requests. Nothing is written: the way to the server can only read. */
export async function plan(request: PlanRequest, source: Source): Promise<Planned> {
  const target = await openTarget(request);
  const opened = await openRepository(target, request, "resolve");
  const { repository, diagnostics: shape } = opened;
  if (shape.some(isError)) {
    const { dialect, by, title } = offlineFor(target, repository);
    // Where nothing says the product, whether a value is wrong is not known before the server is asked.
    if (by === "nothing") stopAtErrors(shape, nobodyAsked);
    stopAtErrors([...shape, ...validateValues(repository, dialect, target)], `Judged for ${title}. ${nobodyAsked}`);
  }
  const since = request.base === undefined ? undefined : await turnedSince(request.base, request, target, repository);
  const before =
    request.appliedRef === undefined
      ? since
      : await turnedSince(request.appliedRef, request, target, repository, forDrift);

  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    const asked = memoised(reader);
    const families = declaredFamilies(repository).filter(isResourceFamily);
    const detected = await detect(asked, stated, families);
    askAhead(asked, detected.dialect, families);
    await requestsSent();
    const { desired, declared, diagnostics: found, together } = judge(opened, detected.dialect, target);
    if (found.some(isError)) stopAtErrors([...shape, ...found, ...together()], nothingSent);

    const wanted = whatToRead(desired);
    const live = await readState(asked, detected.dialect, wanted);
    const ceased = await ceasedNotes(
      request.families
        ? []
        : before
          ? before.ceased.map((family) => ({ family, since: before.ref }))
          : await ceasedSince(request, summary, declaredFamilies(repository)),
      { reader: asked, dialect: detected.dialect, policies: target.families },
    );
    freeUp(await asked.forgetLong());
    return await decide({ request, target, summary, detected, desired, live }, asked, {
      diagnostics: [...shape, ...found],
      references: together,
      declared,
      consents: consentsOf(opened.whole),
      expected: expectationsOf(opened.whole),
      secret: (changes) => [
        ...secretRoles(changes, declared),
        ...secretsElsewhere(changes, declared),
        ...loginElsewhere(changes, hidingLoginOf(target)),
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
function nothingDeclared(desired: DesiredState, { families }: Request): readonly string[] {
  if (desired.resources.size > 0 || desired.config || desired.license) return [];
  return [`The files declare ${families ? `nothing of ${families.join(", ")}` : "nothing"}: no family was compared.`];
}
